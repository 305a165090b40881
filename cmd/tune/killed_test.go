package main

import (
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// twoRegions are sweeps down columns and along rows, a region each.
const twoRegions = `void f0(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j][i] = b[j][i] + b[j][i - 1] * 2;
#pragma endscop
}
void f1(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += b[j][i];
#pragma endscop
}
`

// TestKilled kills a session of two regions again and again at random moments. What the
// commands that read say of it agrees each time, and nothing that was timed is lost.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, longest := 5, 2500*time.Millisecond
	if os.Getenv("POLYTUNE_LONG") != "" {
		kills = 200
	}
	random := rand.New(rand.NewPCG(20, 26))
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "two.c"), []byte(twoRegions), 0o644); err != nil {
		t.Fatal(err)
	}
	var path string
	var samples []string
	known := 0
	for kill := range kills {
		if kill%20 == 0 {
			path, samples = filepath.Join(folder, strings.Repeat("x", 1+kill/20)+".db"), nil
		}
		c, _, stderr := tuneCommand(folder, "two.c", "--param", "n=120", "--effort", "quick", "--db", path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if kill%20 == min(kills, 20)-1 { // where other work is slow the session has come nowhere before
			await(func() bool {
				best, err := query(t.Context(), path, `SELECT kernel FROM best`)
				return err == nil && len(best) > 0
			})
		}
		time.Sleep(time.Duration(random.Int64N(int64(longest))))
		c.Process.Kill()
		c.Wait()
		if _, err := os.Stat(path); err != nil {
			continue
		}
		left, err := query(t.Context(), path, `SELECT trial || ' ' || round || ' ' || position || ' ' || seconds FROM samples`)
		if err != nil {
			continue // killed while the database was made
		}
		if at := slices.IndexFunc(samples, func(s string) bool { return !slices.Contains(left, s) }); at >= 0 {
			t.Fatalf("kill %d: sample %s was lost; stderr %s", kill, samples[at], stderr)
		}
		samples = left
		known += agreement(t, folder, path)
	}
	if known == 0 {
		t.Error("no session was killed when something was known")
	}
	t.Logf("%d kills, %d times a region had a result", kills, known)
}

// agreement compares what the commands say of each region, and gives the number of those
// of which something is known.
func agreement(t *testing.T, folder, path string) (known int) {
	t.Helper()
	read := func(args ...string) (string, int) {
		c, stdout, _ := tuneCommand(folder, append(args, "--db", path)...)
		c.Run()
		return stdout.String(), c.ProcessState.ExitCode()
	}
	var status statusReport
	if text, code := read("status", "--json"); code != 0 || json.Unmarshal([]byte(text), &status) != nil {
		t.Fatalf("tune status ends with %d: %s", code, text)
	}
	table, code := read("report", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if code != 0 || err != nil {
		t.Fatalf("tune report ends with %d, %v", code, err)
	}
	for _, function := range []string{"f0", "f1"} {
		var best struct {
			Kernel string
			Best   struct{ Variant string }
		}
		text, code := read("best", "two.c", "--function", function, "--json")
		if code == 0 && json.Unmarshal([]byte(text), &best) != nil {
			t.Fatalf("tune best: %s", text)
		}
		emitted, emitCode := read("emit", "two.c", "--function", function)
		if emitCode != code {
			t.Errorf("%s: tune best ends with %d and tune emit with %d", function, code, emitCode)
		}
		if name := best.Best.Variant; name != "" {
			known++
			if !strings.Contains(emitted, name) && !strings.Contains(emitted, "The original") {
				t.Errorf("%s: %s is best, and not in what tune emit writes:\n%s", function, name, emitted)
			}
		}
		for _, s := range status.Sessions {
			if s.Kernel == best.Kernel && (s.Best == nil || s.Best.Variant != best.Best.Variant) {
				t.Errorf("%s: tune best says %q, tune status %+v", function, best.Best.Variant, s.Best)
			}
		}
		if listed := bestOf(rows, best.Kernel); best.Kernel != "" && listed != best.Best.Variant {
			t.Errorf("%s: tune best says %q, tune report %q", function, best.Best.Variant, listed)
		}
	}
	return known
}

// bestOf is the variant that a table of trials has for the best of a kernel, "" for none.
func bestOf(rows [][]string, kernel string) string {
	name, variant, best := slices.Index(rows[0], "kernel"), slices.Index(rows[0], "variant"), slices.Index(rows[0], "best")
	for _, row := range rows[1:] {
		if row[name] == kernel && row[best] == "true" {
			return row[variant]
		}
	}
	return ""
}
