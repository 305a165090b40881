package handout

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"polytune/frontend"
	"polytune/pipeline"
	"polytune/store"
)

// originTarget is a target whose region has the text.
func originTarget(text string) *pipeline.Target {
	return &pipeline.Target{File: &frontend.File{Source: []byte(text)}, Region: &frontend.Region{End: len(text)}}
}

// testProvenance is that of a session with two threads, with these details.
func testProvenance(details string) store.Provenance {
	return store.Provenance{
		Session: "s", Settings: json.RawMessage(`{"threads": 2}`), Details: json.RawMessage(details), Finished: time.Unix(0, 0),
		Machine:   json.RawMessage(`{"cpu": "CPU", "cores": 2, "cpus": [0, 1, 2, 3], "siblings": [[0, 2], [1, 3]]}`),
		Toolchain: json.RawMessage(`{"id": "a", "flags": ["-O3"]}`), Baseline: json.RawMessage(`{"id": "a"}`),
	}
}

// TestOriginNote has variants with and without a parallel loop, originals with and without
// directives, and sessions that say how they ran or leave it to be worked out.
func TestOriginNote(t *testing.T) {
	t.Parallel()
	serial := store.Variant{ID: "0.a", Recipe: "classes {S0}\nvectorize c0.1\n"}
	parallel := store.Variant{ID: "0.b", Recipe: "classes {S0}\nparallel c0.1\n"}
	original := store.Variant{ID: store.Original}
	for _, c := range []struct {
		name, region, details string
		variant               store.Variant
		want                  []string
		not                   string
	}{
		{"serial", "", `{}`, serial, []string{"2 cores; 1 thread\n", "  with  tile 8x32\n", "OMP_NUM_THREADS=2 OMP_DYNAMIC=false OMP_PROC_BIND=close OMP_PLACES='{0},{1}' ./program"}, "2 threads"},
		{"parallel", "", `{}`, parallel, []string{"; 2 threads\n"}, "but"},
		{"original", "for (;;)\n", `{}`, original, []string{"The original", "; 1 thread\n", "OMP_NUM_THREADS=2 "}, "2 threads"},
		{"its directives", "  # pragma omp  parallel for\nfor (;;)\n", `{}`, original, []string{"; 2 threads\n"}, "1 thread\n"},
		{"other directives", "#pragma omp simd\nfor (;;) parallel();\n", `{}`, original, []string{"; 1 thread\n"}, "2 threads"},
		{"recorded", "", `{"environment": ["OMP_NUM_THREADS=2", "OMP_PLACES={4},{5}", "OMP_WAIT_POLICY=passive"]}`, parallel,
			[]string{"  as    OMP_NUM_THREADS=2 OMP_PLACES='{4},{5}' OMP_WAIT_POLICY=passive ./program\n"}, "PROC_BIND"},
		{"busy", "", `{"busy": "cc1 uses 90%"}`, parallel, []string{"  but   timed while other programs used the processors (cc1 uses 90%); tune again confirms the result\n"}, "1 thread\n"},
	} {
		known := Known{Origins: map[string]store.Provenance{"": testProvenance(c.details)}, settings: map[string]string{"0.a": "tile=sizes tile.1=8 tile.2=32"}}
		b := store.Best{Variant: c.variant, Summary: store.Summary{Rounds: 9, Seconds: store.Estimate{Median: 1, Low: 1, High: 1}}}
		note, err := known.originNote(originTarget(c.region), b)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(note, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, note)
			}
		}
		if strings.Contains(note, c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, note)
		}
	}
}
