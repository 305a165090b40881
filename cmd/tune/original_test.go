package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"polytune/store"
)

// Where the original is the best, tune best says which partition it is, and its
// recipe replays: it makes a program of the loops that are written, with
// temporaries as they are and without reductions in another order.
func TestOriginalAsBest(t *testing.T) {
	for _, test := range []struct {
		bench     string
		partition []int
	}{
		{"polybench/gemm", []int{0, 0}},
		{"polybench/gramschmidt", []int{0, 0, 0, 0, 0, 0, 0}},
		{"plutoplus/heat-1dp", []int{0}},
	} {
		targets, err := (&targetOptions{bench: test.bench, privatize: true, reassociate: true}).all(nil)
		if err != nil {
			t.Fatal(err)
		}
		from := store.Provenance{Settings: []byte("{}"), Machine: []byte("{}"), Toolchain: []byte("{}"), Baseline: []byte("{}")}
		known := knownResults{target: targets[0], results: []store.Best{{Variant: store.Variant{ID: store.Original}}}, origins: map[string]store.Provenance{"": from}}
		report, err := known.report()
		if err != nil || !slices.Equal(report.Best.Partition, test.partition) {
			t.Errorf("%s: partition %v, %v", test.bench, report.Best.Partition, err)
		}
		at, recipe, err := targets[0].readRecipe(report.Best.Recipe)
		if err != nil {
			t.Fatal(err)
		}
		v, err := at.replay(context.Background(), recipe)
		if err != nil {
			t.Fatal(err)
		}
		if v.text != report.Best.Recipe || strings.Contains(v.text, "reassociate") || strings.Contains(string(v.source), "#pragma omp") {
			t.Errorf("%s: recipe\n%sbecame\n%s\n%s", test.bench, report.Best.Recipe, v.text, v.source)
		}
	}
}
