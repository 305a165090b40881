package main

import (
	"context"
	"io"
	"testing"

	"polytune/runner"
)

// The models expand temporaries where the deepest statements get register blocks
// so, and nowhere else, unless they are told not to.
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
		want    bool
	}{
		{"polybench/symm", vectors, expansionFlag{}, true},
		{"polybench/ludcmp", vectors, expansionFlag{}, true},
		{"polybench/symm", plain, expansionFlag{}, false},
		{"polybench/symm", vectors, expansionFlag{given: true}, false},
		{"polybench/gemm", vectors, expansionFlag{}, false},
		{"polybench/gramschmidt", vectors, expansionFlag{}, false},
	} {
		o := targetOptions{bench: test.kernel, privatize: true, expand: test.flag}
		targets, err := o.all(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.expandWherePays(context.Background(), io.Discard, targets, &sessionModel, test.machine); err != nil {
			t.Fatal(err)
		}
		if got := len(targets[0].whole.Expansions) > 0; got != test.want {
			t.Errorf("%s, %d bits, %+v: expanded %v", test.kernel, test.machine.Vector.Bits, test.flag, got)
		}
	}
}
