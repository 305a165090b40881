package counters

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A line of perf has a value, a unit and an event; others, and what was not counted, are left out.
func TestCounts(t *testing.T) {
	t.Parallel()
	counts := countsOf(parse([]byte(`# started on Mon Nov 30 19:00:00 2026

2000;;instructions:u;100;100.00;2.00;insn per cycle
1000;;cycles;100;100.00;;
<not counted>;;L1-dcache-load-misses;0;0.00;;
<not supported>;;l2_rqsts.miss;0;100.00;;
64;;cache-misses;100;50.00;;
-3;;LLC-load-misses;1;1;;
100;;fp_arith_inst_retired.scalar_double;100;100.00;;
50;;fp_arith_inst_retired.256b_packed_double;100;100.00;;
x;y
`)), 2)
	if *counts.Instructions != 1000 || *counts.Cycles != 500 || counts.Misses["L3"] != 32 || len(counts.Misses) != 1 {
		t.Errorf("%+v", counts)
	}
	if *counts.Operations != 150 || *counts.VectorShare != 200.0/300 {
		t.Errorf("operations %v, vectors %v", *counts.Operations, *counts.VectorShare)
	}
	if got := strings.Join(counts.Missing, ", "); got != "misses of L1, misses of L2" {
		t.Errorf("missing: %s", got)
	}
	if none := countsOf(nil, 1); none.Instructions != nil || none.VectorShare != nil || len(none.Missing) != 4 {
		t.Errorf("of nothing: %+v", none)
	}
}

// Where nothing can be counted the error says why and what to do.
func TestUnavailable(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"no perf":       {"", "perf is not on PATH"},
		"not supported": {"echo '<not supported>;;instructions;0;100.00;;' >&2", "does not offer them"},
		"forbidden":     {"echo 'No permission to enable instructions event: perf_event_paranoid' >&2; exit 255", "kernel.perf_event_paranoid=2"},
		"other":         {"echo 'perf: cannot find the kernel'; exit 1", "perf stat says: perf: cannot find the kernel"},
		"silent":        {"exit 3", "exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if c.script != "" {
				if err := os.WriteFile(filepath.Join(folder, "perf"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", folder)
			_, err := Find(t.Context())
			if !errors.As(err, new(*UnavailableError)) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
}
