package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"polytune/internal/exit"
)

const twoLoops = `void two(int n, double a[n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2.0 * a[i];
    for (int i = 0; i < n; i++)
        b[i] = 3.0 + b[i];
#pragma endscop
}
`

const threeLoops = `void three(int n, double a[n], double b[n], double c[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2.0 * a[i];
    for (int i = 0; i < n; i++)
        b[i] = 3.0 + b[i];
    for (int i = 0; i < n; i++)
        c[i] = 0.5 * c[i] * c[i];
#pragma endscop
}
`

// TestInterruptedTransfer interrupts a session that begins with what did well elsewhere:
// with the same command it goes on, in one session, and tries what one tries that nobody
// interrupts.
func TestInterruptedTransfer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "two.c"), []byte(twoLoops), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	args := func(db string, more ...string) []string {
		return append([]string{"two.c", "--param", "n=500", "--effort", "quick", "--jobs", "1", "--db", in(db)}, more...)
	}
	run := func(machine string, args []string) {
		t.Helper()
		c, _, stderr := tuneCommand(folder, args...)
		c.Env = append(c.Env, "TUNE_MACHINE_NAME="+machine)
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
	}
	run("alpha", args("alpha.db"))
	run("beta", args("whole.db", "--transfer", in("alpha.db")))

	parts := args("parts.db", "--transfer", in("alpha.db"))
	c, _, stderr := tuneCommand(folder, parts...)
	c.Env = append(c.Env, "TUNE_MACHINE_NAME=beta")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begun := func() bool {
		trials, err := query(t.Context(), in("parts.db"), `SELECT uuid FROM trials`)
		return err == nil && len(trials) >= 2
	}
	if !await(begun) {
		t.Errorf("no trials after a while: %s", stderr)
	}
	c.Process.Signal(syscall.SIGTERM)
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != exit.Interrupted {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	run("beta", parts)

	if sessions := mustQuery(t, in("parts.db"), `SELECT count(*) FROM session`); sessions[0] != "1" {
		t.Errorf("%s sessions instead of one", sessions[0])
	}
	for what, statement := range map[string]string{
		"candidates": `SELECT partition || ' ' || setting || ' ' || variant || ' ' || batch FROM candidate ORDER BY 1`,
		"variants":   `SELECT variant FROM trials GROUP BY variant ORDER BY min(uuid)`,
	} {
		whole, parts := mustQuery(t, in("whole.db"), statement), mustQuery(t, in("parts.db"), statement)
		if len(whole) < 4 || !slices.Equal(whole, parts) {
			t.Errorf("%s of an interrupted session\n%s\nand of a whole one\n%s", what, strings.Join(parts, "\n"), strings.Join(whole, "\n"))
		}
	}
	if twice := mustQuery(t, in("parts.db"), `SELECT variant FROM trials WHERE status = 'ok' GROUP BY variant HAVING count(*) > 1`); len(twice) > 0 {
		t.Errorf("tried twice: %v", twice)
	}
}
