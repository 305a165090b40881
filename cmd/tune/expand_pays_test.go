package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"polytune/runner"
	variants "polytune/space/variant"
	"polytune/transform"
)

// The models put temporaries into elements of arrays, or expand them, where more of the deepest statements get register blocks
// or vector loops so, and nowhere else, unless they are told not to.
func TestExpandWherePays(t *testing.T) {
	vectors := runner.Machine{
		Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 512 << 10}},
		Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16},
	}
	plain := vectors
	plain.Vector = runner.Vector{}
	for _, test := range []struct {
		kernel  string
		machine runner.Machine
		flag    expansionFlag
		inplace inplaceFlag
		want    string
	}{
		{"polybench/symm", vectors, expansionFlag{}, inplaceFlag{}, "expanded"},
		{"polybench/ludcmp", vectors, expansionFlag{}, inplaceFlag{}, "in place"},
		{"sc10/ludcmp", vectors, expansionFlag{}, inplaceFlag{}, "expanded"}, // in place no loop is good for the lanes of both triangles
		{"polybench/ludcmp", vectors, expansionFlag{}, inplaceFlag{given: true}, "expanded"},
		{"polybench/ludcmp", vectors, expansionFlag{given: true}, inplaceFlag{}, ""},
		{"polybench/ludcmp", plain, expansionFlag{given: true}, inplaceFlag{on: true, given: true}, "in place"},
		{"polybench/deriche", vectors, expansionFlag{}, inplaceFlag{}, "expanded"},
		{"polybench/deriche", plain, expansionFlag{}, inplaceFlag{}, ""},
		{"polybench/symm", plain, expansionFlag{}, inplaceFlag{}, ""},
		{"polybench/symm", vectors, expansionFlag{given: true}, inplaceFlag{}, ""},
		{"polybench/gemm", vectors, expansionFlag{}, inplaceFlag{}, ""},
		{"polybench/gramschmidt", vectors, expansionFlag{}, inplaceFlag{}, ""},
	} {
		o := targetOptions{bench: test.kernel, privatize: true, expand: test.flag, inplace: test.inplace}
		targets, err := o.all(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.expandWherePays(context.Background(), io.Discard, targets, &sessionModel, test.machine); err != nil {
			t.Fatal(err)
		}
		got := ""
		switch p := targets[0].whole; {
		case len(p.Placements) > 0:
			got = "in place"
		case len(p.Expansions) > 0:
			got = "expanded"
		}
		if got != test.want {
			t.Errorf("%s, %d bits, %+v, %+v: %q", test.kernel, test.machine.Vector.Bits, test.flag, test.inplace, got)
		}
	}
}

// The axis "expand" expands temporaries where the models leave them, and says so where there
// are none.
func TestExpandAxis(t *testing.T) {
	for _, test := range []struct {
		kernel string
		want   bool
	}{{"polybench/gramschmidt", true}, {"polybench/gemm", false}} {
		o := targetOptions{bench: test.kernel, privatize: true}
		targets, err := o.all(nil)
		if err != nil {
			t.Fatal(err)
		}
		nests, err := targets[0].choose(t.Context(), decidingPartition, 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := targets[0].at(t.Context(), nests[0], "expand=on", transform.Options{CacheBytes: 32 << 10})
		if wrong := new(variants.SettingError); !test.want && errors.As(err, &wrong) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.target.variant(t.Context(), p.nest, p.options)
		if err != nil || !test.want || !strings.HasPrefix(v.text, "expand ") {
			t.Errorf("%s: %v\n%s", test.kernel, err, v.text)
		}
		probe, err := targets[0].newProbe(t.Context(), somewhere().machine)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(probe.axes(), func(a variants.Axis) bool { return a.Name == expandAxis.Name }) {
			t.Errorf("%s: the axis is not offered", test.kernel)
		}
	}
}
