package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// These variables make the test binary another process that works on a
// database: their value is its path, or two paths with ":" between them.
const (
	writerVariable        = "POLYTUNE_TEST_WRITE_TO"
	mergeVariable         = "POLYTUNE_TEST_MERGE"
	exportVariable        = "POLYTUNE_TEST_EXPORT"
	limitedExportVariable = "POLYTUNE_TEST_EXPORT_LIMITED"
	migrateVariable       = "POLYTUNE_TEST_MIGRATE"
)

// helpers are what the other processes do.
var helpers = map[string]func(ctx context.Context, path, other string) error{
	writerVariable: func(ctx context.Context, path, _ string) error { return writeTrials(ctx, path, 40) },
	mergeVariable: func(ctx context.Context, path, other string) error {
		_, err := Merge(ctx, path, other)
		return err
	},
	exportVariable:  exportOnce,
	migrateVariable: migrateSlowly,
	limitedExportVariable: func(ctx context.Context, path, other string) error {
		// A write beyond the limit fails by EFBIG, as on a full disk by ENOSPC.
		signal.Ignore(unix.SIGXFSZ)
		limit := unix.Rlimit{Cur: 48 << 10, Max: 48 << 10}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		err := exportOnce(ctx, path, other)
		if err != nil {
			fmt.Println(err)
		}
		return err
	},
}

func exportOnce(ctx context.Context, path, other string) error {
	s, err := OpenExisting(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Export(ctx, other)
}

// TestMain runs the tests or, in a child process of them, a helper.
func TestMain(m *testing.M) {
	for variable, help := range helpers {
		value, set := os.LookupEnv(variable)
		if !set {
			continue
		}
		path, other, _ := strings.Cut(value, ":")
		if err := help(context.Background(), path, other); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// helper is a child process with the lines that it prints.
type helper struct {
	command *exec.Cmd
	lines   chan string
}

func startHelper(t *testing.T, variable, value string) *helper {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	command := exec.Command(self)
	command.Env = append(os.Environ(), variable+"="+value)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	h := &helper{command: command, lines: make(chan string)}
	go func() {
		defer close(h.lines)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			h.lines <- lines.Text()
		}
	}()
	return h
}
