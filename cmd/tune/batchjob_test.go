package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/internal/exit"
)

// TestSessionInBatchJob has a session that would take longer stop before the end of its job.
func TestSessionInBatchJob(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]time.Duration{"some seconds left": 10 * time.Second, "none left": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "a.db")
			if err := os.WriteFile(filepath.Join(folder, "three.c"), []byte(threeLoops), 0o600); err != nil {
				t.Fatal(err)
			}
			c, _, stderr := tuneCommand(folder, "three.c", "--param", "n=500", "--effort", "full", "--jobs", "1", "--db", path)
			c.Env = append(c.Env, fmt.Sprintf("%s=%d", "SLURM_JOB_END_TIME", time.Now().Add(left).Unix()))
			c.Run()
			if status := c.ProcessState.ExitCode(); status != exit.Interrupted || !strings.Contains(stderr.String(), "this batch job ends soon after") {
				t.Errorf("exit status %d: %s", status, stderr)
			}
			tried := mustQuery(t, path, `SELECT count(*) > 0 FROM trials`)[0] == "1"
			if tried != (left > 0) {
				t.Errorf("something was tried: %v", tried)
			}
			if finished := mustQuery(t, path, `SELECT count(*) FROM session WHERE finished IS NOT NULL`); finished[0] != "0" {
				t.Error("the session counts as finished")
			}
		})
	}
}
