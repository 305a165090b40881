package report

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/storetest"
	"polytune/runner"
	"polytune/store"
)

// Times of processors and of a device are in comparisons of their own, the places name the
// device, and on a device the original is not the best. A transfer learns from its own target.
func TestTargetsDoNotCompare(t *testing.T) {
	db := storetest.Open(t)
	on := store.On{Target: "opencl", Device: "a card"}
	for _, machine := range []string{"alpha", "beta"} {
		session("polybench/gemm", machine, "p.a 0 0.5").Record(t, db)
		device := session("polybench/gemm", machine, "p.d 0 4", "q.e 0-1 5")
		device.On = on
		device.Record(t, db)
	}
	f := gather(t, Selection{}, db)
	names, labels := []string{}, []string{}
	for _, k := range Compare(f).Kernels {
		names = append(names, k.Name)
		if want := map[bool]string{true: "p.d", false: "p.a"}[strings.Contains(k.Name, "opencl")]; len(k.Bests) != 2 || k.Bests[0].Trial.Variant != want {
			t.Errorf("%s: bests %+v; want %s in two places", k.Name, k.Bests, want)
		}
	}
	for _, p := range f.Places {
		labels = append(labels, p.Label)
	}
	if want := []string{"polybench/gemm", "polybench/gemm (opencl)"}; !slices.Equal(names, want) {
		t.Errorf("comparisons of %q; want %q", names, want)
	}
	if want := []string{"alpha", "alpha, opencl on a card", "beta", "beta, opencl on a card"}; !slices.Equal(labels, want) {
		t.Errorf("places %q; want %q", labels, want)
	}
	for on, want := range map[store.On][]string{{}: {"p.a"}, on: {"p.d", "q.e"}} {
		advice := TransferTo(runner.Machine{ID: "id of gamma"}, gather(t, Selection{On: &on}, db))
		var variants []string
		for _, a := range advice {
			for _, v := range a.Variants {
				variants = append(variants, v.Variant)
			}
		}
		if !slices.Equal(variants, want) {
			t.Errorf("a transfer for %q tries %q; want %q", on.Text(), variants, want)
		}
	}
}
