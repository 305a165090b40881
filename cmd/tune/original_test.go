package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"polytune/handout"
	"polytune/pipeline"
	"polytune/pipeline/variant"
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
		targets, err := (&pipeline.Options{Bench: test.bench, Privatize: true, Reassociate: true}).All(nil)
		if err != nil {
			t.Fatal(err)
		}
		from := store.Provenance{Settings: []byte("{}"), Machine: []byte("{}"), Toolchain: []byte("{}"), Baseline: []byte("{}")}
		known := handout.Known{Target: targets[0], Results: []store.Best{{Variant: store.Variant{ID: store.Original}}}, Origins: map[string]store.Provenance{"": from}}
		report, err := known.Report()
		if err != nil || !slices.Equal(report.Best.Partition, test.partition) {
			t.Errorf("%s: partition %v, %v", test.bench, report.Best.Partition, err)
		}
		at, recipe, err := targets[0].ReadRecipe(report.Best.Recipe)
		if err != nil {
			t.Fatal(err)
		}
		v, err := variant.Replay(context.Background(), at, recipe)
		if err != nil {
			t.Fatal(err)
		}
		if v.Text != report.Best.Recipe || strings.Contains(v.Text, "reassociate") || strings.Contains(string(v.Source), "#pragma omp") {
			t.Errorf("%s: recipe\n%sbecame\n%s\n%s", test.bench, report.Best.Recipe, v.Text, v.Source)
		}
	}
}
