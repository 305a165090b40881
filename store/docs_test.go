package store

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// sqlExample is a query of docs/database.md with its answer.
var sqlExample = regexp.MustCompile("(?s)```sql\n(.*?)```\n```text\n(.*?)```")

// TestDatabasePage executes the examples of the page for people with sqlite3.
func TestDatabasePage(t *testing.T) {
	page, err := os.ReadFile("../docs/database.md")
	must(t, err)
	examples := sqlExample.FindAllStringSubmatch(string(page), -1)
	if len(examples) < 5 {
		t.Fatalf("%d examples", len(examples))
	}
	s := pageDatabase(t)
	for _, example := range examples {
		// sqlite3 prints columns with "|" between them.
		query := strings.TrimSuffix(strings.TrimSpace(example[1]), ";")
		if got := listMode(t, s, query); got != example[2] {
			t.Errorf("%s\ngives\n%sthe page has\n%s", query, got, example[2])
		}
	}
	for _, view := range selectLines(t, s, `SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT IN ('current_kernel', 'best_trial', 'place', 'counted_trial', 'leading_trial')`) {
		rows, err := s.db.Query("SELECT * FROM " + view)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		must(t, rows.Close())
		if want := strings.Join(columns, ", ") + " |"; !regexp.MustCompile("(?m)^\\| `" + view + "` \\|.*\\| " + regexp.QuoteMeta(want) + "$").MatchString(string(page)) {
			t.Errorf("the page lacks the view %s with the columns %s", view, want)
		}
	}
}

// listMode is the answer to a query as sqlite3 prints it.
func listMode(t *testing.T, s *Store, query string) string {
	t.Helper()
	rows, err := s.db.Query(query)
	must(t, err)
	columns, err := rows.Columns()
	must(t, err)
	must(t, rows.Close())
	names := strings.Join(columns, `" || '|' || "`)
	text := ""
	for _, line := range selectLines(t, s, `SELECT "`+names+`" FROM (`+query+`)`) {
		text += line + "\n"
	}
	return text
}

// pageDatabase is the database that the page's answers are from.
func pageDatabase(t *testing.T) *Store {
	t.Helper()
	s := newStore(t)
	const a, b = "0-0-1-1.aabbccdd", "0-1-1-2.11223344"
	for machine, speedups := range map[string]map[string]float64{"alpha": {Original: 1, a: 2, b: 0}, "beta": {Original: 1, a: 3, b: 4}} {
		key := SessionKey{Kernel: "k1", Machine: "m-" + machine, Toolchain: "c1", Size: "large"}
		must(t, s.RegisterMachine(t.Context(), Machine{ID: key.Machine, Name: machine}))
		must(t, s.RegisterToolchain(t.Context(), Toolchain{ID: "c1", Name: "gcc", Version: "12.2.0"}))
		must(t, s.RegisterKernel(t.Context(), Kernel{ID: "k1", Name: "polybench/2mm"}))
		must(t, s.RegisterVariants(t.Context(), Variant{Kernel: "k1", ID: Original},
			Variant{Kernel: "k1", ID: a, Partition: "0-0-1-1", Recipe: "tile c0.1 by 32"},
			Variant{Kernel: "k1", ID: b, Partition: "0-1-1-2", Recipe: "tile c0.1 by 16"}))
		session, err := s.BeginSession(t.Context(), key, nil)
		must(t, err)
		start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
		for variant, speedup := range speedups {
			trial := Trial{Session: session.UUID, Variant: variant, Started: start, Outcome: Outcome{Status: Crashed}}
			if speedup > 0 {
				trial.Outcome = okay(speedup)
				trial.Samples = []Sample{{Round: 0, Seconds: 1 / speedup}, {Round: 1, Seconds: 1 / speedup}}
			}
			trial.Finished = start.Add(time.Minute)
			if variant == Original {
				trial.Finished = start.Add(time.Second)
			}
			_, err := s.RecordTrial(t.Context(), trial)
			must(t, err)
		}
	}
	return s
}
