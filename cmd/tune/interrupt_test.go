package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"polytune/internal/exit"
)

// TestInterrupt ends a run by SIGTERM when some trials are finished: the exit
// status says that it can be resumed, nothing measured is lost, all of it is
// published, and the same command goes on in the same session. tune status knows
// what it does meanwhile.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, published := filepath.Join(folder, "a.db"), filepath.Join(folder, "published.db")
	if err := os.WriteFile(filepath.Join(folder, "three.c"), []byte(threeLoops), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"three.c", "--param", "n=500", "--effort", "quick", "--jobs", "1", "--db", path, "--publish", published, "--json"}
	first, stdout, stderr := tuneCommand(folder, args...)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	hasTrials := func() bool {
		trials, err := query(t.Context(), path, `SELECT uuid FROM trials`)
		return err == nil && len(trials) >= 2
	}
	if !await(hasTrials) {
		first.Process.Kill()
		first.Wait()
		t.Fatalf("no trials after a while: %s", stderr)
	}
	if state := stateOf(t, folder, path); state != "running" {
		t.Errorf("tune status calls a running session %s", state)
	}
	first.Process.Signal(syscall.SIGTERM)
	err := first.Wait()
	if state := stateOf(t, folder, path); state != "interrupted" {
		t.Errorf("tune status calls an interrupted session %s", state)
	}
	if status := first.ProcessState.ExitCode(); status != exit.Interrupted || stdout.Len() > 0 {
		t.Fatalf("exit status %d (%v), stdout %q", status, err, stdout)
	}
	if !strings.Contains(stderr.String(), "tune: interrupted; the same command again resumes") {
		t.Fatalf("stderr %q", stderr)
	}
	finished := mustQuery(t, path, acknowledgedTrials)
	if copied := mustQuery(t, published, acknowledgedTrials); !slices.Equal(copied, finished) {
		t.Errorf("published are the trials %v of %v", copied, finished)
	}

	again, stdout, stderr := tuneCommand(folder, args...)
	if err := again.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	if _, err := oneJSONDocument(stdout.String()); err != nil {
		t.Fatal(err)
	}
	all := mustQuery(t, path, acknowledgedTrials)
	for _, uuid := range finished {
		if !slices.Contains(all, uuid) {
			t.Errorf("trial %s was lost", uuid)
		}
	}
	if sessions := mustQuery(t, path, `SELECT count(*) FROM session`); sessions[0] != "1" {
		t.Errorf("%s sessions instead of one", sessions[0])
	}
	twice := mustQuery(t, path, `SELECT variant FROM trials WHERE status = 'ok' GROUP BY variant HAVING count(*) > 1`)
	if len(twice) > 0 {
		t.Errorf("measured twice: %v", twice)
	}
}

// stateOf is what tune status says of the first session.
func stateOf(t *testing.T, folder, database string) string {
	t.Helper()
	c, stdout, stderr := tuneCommand(folder, "status", "--json", "--db", database)
	if err := c.Run(); err != nil {
		t.Fatalf("tune status: %v: %s", err, stderr)
	}
	var r statusReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || len(r.Sessions) == 0 {
		t.Fatalf("tune status --json: %v: %s", err, stdout)
	}
	return r.Sessions[0].State
}

// TestInterruptedCheck ends a check in the middle of a build.
func TestInterruptedCheck(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c, stdout, stderr := tuneCommand(folder, "check", "--bench", "2mm", "--partition", "random:16", "--json")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if !await(func() bool { return len(buildFiles(t, folder)) > 0 }) {
		t.Error("nothing is built after a while")
	}
	c.Process.Signal(syscall.SIGINT)
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != exit.Interrupted || stdout.Len() > 0 || stderr.Len() == 0 {
		t.Errorf("exit status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if left := buildFiles(t, folder); len(left) > 0 {
		t.Errorf("files are left behind: %v", left)
	}
}

// TestEverySignalEnds interrupts a command that does not look at its context: it
// waits for a file that never comes.
func TestEverySignalEnds(t *testing.T) {
	t.Parallel()
	if patience >= 5*time.Second {
		t.Errorf("a command may take %v to end; five seconds are promised", patience)
	}
	// What nohup ignores, the commands ignore too, unless somebody here asks for it.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	for _, kind := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGHUP} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			pipe := filepath.Join(folder, "kernel.c")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			c, stdout, stderr := tuneCommand(folder, "deps", "kernel.c")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			defer c.Process.Kill()
			var writer *os.File
			if !await(func() bool {
				var err error
				writer, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0) // fails as long as nobody reads
				return err == nil
			}) {
				t.Fatal("nobody reads the file")
			}
			defer writer.Close()
			begin := time.Now()
			c.Process.Signal(kind)
			defer time.AfterFunc(time.Minute, func() { c.Process.Kill() }).Stop()
			c.Wait()
			t.Logf("ended after %v", time.Since(begin))
			if status := c.ProcessState.ExitCode(); status != exit.Interrupted || stdout.Len() > 0 || !strings.Contains(stderr.String(), "interrupted") {
				t.Errorf("exit status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
}

const acknowledgedTrials = `SELECT uuid FROM trials ORDER BY uuid`

// await waits two minutes at most for something to happen, which takes long where other work is.
func await(happened func() bool) bool { return awaitFor(2*time.Minute, happened) }

// awaitFor waits so long at most.
func awaitFor(patience time.Duration, happened func() bool) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if happened() {
			return true
		}
	}
	return false
}

// buildFiles are the files of the variants that are being built.
func buildFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "tune-*", "v*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func mustQuery(t *testing.T, path, statement string) []string {
	t.Helper()
	values, err := query(t.Context(), path, statement)
	if err != nil {
		t.Fatal(err)
	}
	return values
}
