package runner

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"polytune/internal/scripttest"
)

// script makes an executable shell script.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a script's name")
	scripttest.Write(t, path, "#!/bin/sh\n"+text+"\n")
	return path
}

func execute(t *testing.T, c Command) Outcome {
	t.Helper()
	outcome, err := Execute(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func TestExecuteEnds(t *testing.T) {
	o := execute(t, Command{Argv: []string{script(t, `echo out "$1"; echo err >&2; exit 3`), "a 'b\" c"}})
	if o.ExitCode != 3 || o.Signal != 0 || o.OK() || string(o.Stdout) != "out a 'b\" c\n" || string(o.Stderr) != "err\n" || o.Wall <= 0 || o.Usage.MaxResident == 0 {
		t.Errorf("%+v", o)
	}
	o = execute(t, Command{Argv: []string{script(t, `kill -SEGV $$`)}})
	if o.Signal != syscall.SIGSEGV || o.OK() || o.TimedOut {
		t.Errorf("%+v", o)
	}
	o = execute(t, Command{Argv: []string{"true"}})
	if !o.OK() {
		t.Errorf("%+v", o)
	}
	if _, err := Execute(context.Background(), Command{Argv: []string{"/no/such/program"}}); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("error %v", err)
	}
	if _, err := Execute(context.Background(), Command{}); err == nil {
		t.Error("an empty command runs")
	}
}

// TestExecuteLimits runs programs that do not want to end.
func TestExecuteLimits(t *testing.T) {
	for name, text := range map[string]string{
		"loops for ever":       `while :; do :; done`,
		"ignores TERM":         `trap '' TERM; while :; do sleep 0.01; done`,
		"waits for a child":    `sleep 60 & wait`,
		"children ignore TERM": `(trap '' TERM; sleep 60) & (trap '' TERM; sleep 60) & wait`,
		"stops itself":         `kill -STOP $$`,
	} {
		begin := time.Now()
		o := execute(t, Command{Argv: []string{script(t, text)}, Limit: 100 * time.Millisecond, Grace: 50 * time.Millisecond})
		if !o.TimedOut || o.OK() || o.Signal != 0 {
			t.Errorf("%s: %+v", name, o)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: killed after %v", name, took)
		}
	}
}

// TestExecuteKillsTheGroup checks that a child that outlives the program is
// killed and its open pipe does not delay the end.
func TestExecuteKillsTheGroup(t *testing.T) {
	begin := time.Now()
	o := execute(t, Command{Argv: []string{script(t, `sleep 60 & echo $!`)}})
	if !o.OK() || time.Since(begin) > 30*time.Second {
		t.Errorf("%+v after %v", o, time.Since(begin))
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(o.Stdout)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still alive", child)
}

func TestExecuteInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	o, err := Execute(ctx, Command{Argv: []string{"sleep", "60"}, Limit: time.Minute})
	if err != nil || !o.Interrupted || o.TimedOut || o.OK() {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := Execute(ctx, Command{Argv: []string{"true"}}); err != nil || !o.Interrupted {
		t.Errorf("%+v %v", o, err)
	}
}

func TestExecuteBoundsOutput(t *testing.T) {
	o := execute(t, Command{Argv: []string{script(t, `head -c 100000000 /dev/zero >&2; echo end`)}, OutputLimit: 1000})
	if !o.OK() || len(o.Stderr) != 1000 || o.Discarded != 100000000-1000 || string(o.Stdout) != "end\n" {
		t.Errorf("%d bytes kept, %d discarded", len(o.Stderr), o.Discarded)
	}
}

func TestExecutePins(t *testing.T) {
	cpus, err := usableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	last := cpus[len(cpus)-1]
	o := execute(t, Command{Argv: []string{"grep", "Cpus_allowed_list", "/proc/self/status"}, CPUs: []int{last}})
	if fields := strings.Fields(string(o.Stdout)); len(fields) != 2 || fields[1] != strconv.Itoa(last) {
		t.Errorf("%s, want processor %d", o.Stdout, last)
	}
	if after, _ := usableCPUs(); len(after) != len(cpus) {
		t.Errorf("the tuner itself is left on %v", after)
	}
	if _, err := Execute(context.Background(), Command{Argv: []string{"true"}, CPUs: []int{1023}}); err == nil {
		t.Error("pinned to a processor that does not exist")
	}
}

func TestExecuteLimitsMemory(t *testing.T) {
	o := execute(t, Command{Argv: []string{script(t, "sleep 0.1; ulimit -v")}, Memory: 1 << 30})
	if strings.TrimSpace(string(o.Stdout)) != strconv.Itoa(1<<20) {
		t.Errorf("limit %s KiB", o.Stdout)
	}
	var own unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &own) == nil && own.Cur == 1<<30 {
		t.Error("the limit is the tuner's")
	}
}

// TestProgramsDieFirst checks that a program is the first to go when the machine
// has no memory left.
func TestProgramsDieFirst(t *testing.T) {
	o := execute(t, Command{Argv: []string{script(t, "sleep 0.2; cat /proc/self/oom_score_adj")}})
	if strings.TrimSpace(string(o.Stdout)) != "1000" {
		t.Errorf("oom_score_adj %s", o.Stdout)
	}
}

func TestExcerpt(t *testing.T) {
	if got := excerpt([]byte(" a\xff\nb \n")); got != "a?\nb" {
		t.Errorf("%q", got)
	}
	long := excerpt([]byte(strings.Repeat(strings.Repeat("x", 500)+"\n", 20)))
	if !strings.Contains(long, "… and 8 more lines") || len(long) > 6000 {
		t.Errorf("%q", long)
	}
}
