package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"polytune/internal/watch"
)

// byteTarget is a fuzz test of Go's kind that is fed with bytes, and its share
// of the time.
type byteTarget struct {
	folder, name, input string
	share               float64
}

// byteTargets take half of the time of -all; random programs take the rest.
var byteTargets = []byteTarget{
	{"./frontend", "FuzzParse", "C files", 0.30},
	{"./schedule/command", "FuzzParse", "recipes", 0.06},
	{"./schedule/foreign", "FuzzParse", "schedules of others", 0.03},
	{"./scop/openscop", "FuzzParse", "OpenScop files", 0.01},
	{"./scop", "FuzzExtent", "extents", 0.04},
	{"./space/variant", "FuzzParse", "points", 0.02},
	{"./isl/ilp", "FuzzLexmin", "integer programs", 0.04},
}

// fuzzBytes runs all the byte targets within their shares of the time. Inputs
// that fail are saved by Go in testdata/fuzz, and repeated first by all later
// runs and by the tests.
func fuzzBytes(ctx context.Context, all time.Duration) error {
	var problems []string
	for _, t := range byteTargets {
		if err := t.run(ctx, all); err != nil {
			problems = append(problems, fmt.Sprintf("%s of %s: %v", t.name, t.folder, err))
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("some inputs failed; they are above, and in testdata/fuzz:\n  %s", strings.Join(problems, "\n  "))
	}
	return nil
}

func (t byteTarget) run(ctx context.Context, all time.Duration) error {
	time := time.Duration(t.share * float64(all)).Round(time.Second)
	fmt.Fprintf(os.Stderr, "fuzz: %s for %s\n", t.input, time)
	test := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$",
		"-fuzztime", time.String(), "-fuzzminimizetime", "5x", t.folder)
	reason, err := os.CreateTemp("", "polytune-fuzz-")
	if err != nil {
		return err
	}
	defer os.Remove(reason.Name())
	defer reason.Close()
	test.Env = append(os.Environ(), watch.ReasonFile+"="+reason.Name())
	test.Cancel = func() error { return test.Process.Signal(os.Interrupt) }
	out, err := test.StdoutPipe()
	if err != nil {
		return err
	}
	test.Stderr = os.Stderr
	if err := test.Start(); err != nil {
		return err
	}
	inputs := copyAndCount(os.Stderr, out)
	fmt.Printf("%s: %s inputs\n", t.input, inputs)
	if err := test.Wait(); err != nil {
		why, _ := os.ReadFile(reason.Name())
		return fmt.Errorf("%w: %s", err, firstLines(string(why), 60))
	}
	return nil
}

// executions is where go test says how many inputs it has tried.
var executions = regexp.MustCompile(`execs: ([0-9]+)`)

// copyAndCount copies the output of go test and returns the last number of
// inputs in it.
func copyAndCount(to io.Writer, from io.Reader) string {
	count := "0"
	for lines := bufio.NewScanner(from); lines.Scan(); {
		fmt.Fprintln(to, lines.Text())
		if found := executions.FindStringSubmatch(lines.Text()); found != nil {
			count = found[1]
		}
	}
	return count
}
