package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"polytune/runner"
	"polytune/scop"
	"polytune/space"
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
		flag    expansion
		inplace inplace
		want    string
	}{
		{"polybench/symm", vectors, expansion{}, inplace{}, "expanded"},
		{"polybench/ludcmp", vectors, expansion{}, inplace{}, "in place"},
		{"sc10/ludcmp", vectors, expansion{}, inplace{}, "expanded"}, // in place no loop is good for the lanes of both triangles
		{"polybench/ludcmp", vectors, expansion{}, inplace{given: true}, "expanded"},
		{"polybench/ludcmp", vectors, expansion{given: true}, inplace{}, ""},
		{"polybench/ludcmp", plain, expansion{given: true}, inplace{on: true, given: true}, "in place"},
		{"polybench/deriche", vectors, expansion{}, inplace{}, "expanded"},
		{"polybench/deriche", plain, expansion{}, inplace{}, ""},
		{"polybench/symm", plain, expansion{}, inplace{}, ""},
		{"polybench/symm", vectors, expansion{given: true}, inplace{}, ""},
		{"polybench/gemm", vectors, expansion{}, inplace{}, ""},
		{"polybench/gramschmidt", vectors, expansion{}, inplace{}, ""},
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

// Arrays with an element for each of the deepest instances are not for the models: what was in a register would be in
// memory. They are there on request.
func TestNoArraysOfInstances(t *testing.T) {
	machine := runner.Machine{
		Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 512 << 10}},
		Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16},
	}
	const source = `void forces(int n, double x[n], double y[n], double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[j] - x[i];
            double e = y[j] - y[i];
            a[i] += d / (d * d + e * e + 1e-9);
        }
#pragma endscop
}
`
	o := targetOptions{privatize: true}
	targets := []*target{targetOfText(t, source)}
	if others, err := o.otherMemory(targets[0]); err != nil || len(others) > 0 {
		t.Errorf("the models choose among %d programs besides: %v", len(others), err)
	}
	expanded, err := targets[0].expanded(scop.Room{Bytes: modelMemory})
	if err != nil || len(expanded.whole.Expansions) != 2 {
		t.Errorf("%v with %d expanded arrays", err, len(expanded.whole.Expansions))
	}
	if err := o.expandWherePays(t.Context(), io.Discard, targets, &sessionModel, machine); err != nil || len(targets[0].whole.Expansions) > 0 {
		t.Errorf("%d expanded arrays: %v", len(targets[0].whole.Expansions), err)
	}
}

// The models expand no sums of a few products, even where blocks would fit.
func TestNoArraysOfShortSums(t *testing.T) {
	machine := runner.Machine{
		Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 512 << 10}},
		Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16},
	}
	for _, test := range []struct {
		size string
		want bool
	}{{"8", false}, {"24", true}, {"m", true}} {
		source := strings.ReplaceAll(`void products(int n, int m, double a[n][M][M], double b[n][M][M], double c[n][M][M])
{
#pragma scop
    for (int l = 0; l < n; l++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) {
                double s = 0;
                for (int k = 0; k < M; k++)
                    s += a[l][i][k] * b[l][k][j];
                c[l][i][j] = s * s;
            }
#pragma endscop
}
`, "M", test.size)
		o := targetOptions{privatize: true, inplace: inplace{given: true}}
		targets := []*target{targetOfText(t, source)}
		err := o.expandWherePays(t.Context(), io.Discard, targets, &sessionModel, machine)
		if expands := len(targets[0].whole.Expansions) > 0; err != nil || expands != test.want {
			t.Errorf("%s x %s: expanded %v: %v", test.size, test.size, expands, err)
		}
	}
}

// Arrays with elements for all steps are not for the models where they come from memory then.
func TestNoArraysFromMemory(t *testing.T) {
	const source = `void filter(double F[4][4], double P[4][4][4096], double Q[4])
{
    double FP[4][4][4096];
#pragma scop
    for (int t = 0; t < 64; t++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int b = 0; b < 4096; b++) {
                    FP[i][j][b] = 0;
                    for (int k = 0; k < 4; k++)
                        FP[i][j][b] += F[i][k] * P[k][j][b];
                }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int b = 0; b < 4096; b++) {
                    P[i][j][b] = i == j ? Q[i] : 0;
                    for (int k = 0; k < 4; k++)
                        P[i][j][b] += FP[i][k][b] * F[j][k];
                }
    }
#pragma endscop
}
`
	for _, test := range []struct {
		bytes int64
		want  bool
	}{{16 << 20, false}, {64 << 20, true}} {
		machine := runner.Machine{
			Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 1 << 20}, {Level: 3, Kind: "Unified", Size: test.bytes}},
			Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16},
		}
		o := targetOptions{privatize: true}
		targets := []*target{targetOfText(t, source)}
		err := o.expandWherePays(t.Context(), io.Discard, targets, &sessionModel, machine)
		if expands := len(targets[0].whole.Expansions) > 0; err != nil || expands != test.want {
			t.Errorf("a cache of %d bytes: expanded %v: %v", test.bytes, expands, err)
		}
	}
}

// Extents are written as C writes them.
func TestSpelledArray(t *testing.T) {
	for want, extents := range map[string][]string{
		"a[n][40]":                     {"n", "40"},
		"a[4 * ((n + 1) / 4) - 31]":    {"4 * floord(n + 1, 4) - 31"},
		"a[((n) / 2)][min(m, n - 1)]":  {"floord(n, 2)", "min(m, n - 1)"},
		"a[max(0, ((n - m) / 3)) + 1]": {"max(0, floord(n - m, 3)) + 1"},
	} {
		if got := spelledArray("a", extents); got != want {
			t.Errorf("got %s, want %s", got, want)
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

// Statements that bring last values back are behind all others where the axis "expand" adds them.
func TestExpandAxisWithCopies(t *testing.T) {
	p := targetOfText(t, `void advect(int steps, int n, double u[n], double flux[n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            flux[i] = 0.3 * u[i - 1];
        for (int i = 1; i < n - 1; i++)
            u[i] -= flux[i + 1] - flux[i];
    }
#pragma endscop
}
`)
	for _, nest := range []space.Nest{{{0, 0}}, {{0, 0}, {0, 1}}} {
		at, err := p.at(t.Context(), nest, "expand=on", transform.Options{CacheBytes: 32 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(at.target.whole.Statements) != 3 || !slices.Equal(at.nest[0], []int{0, 0, 1}) {
			t.Errorf("%d statements in %v", len(at.target.whole.Statements), at.nest)
		}
		if v, err := at.target.variant(t.Context(), at.nest, at.options); err != nil || !strings.Contains(v.text, "classes {S0 S1} {S2}") {
			t.Errorf("%v: %v\n%s", at.nest, err, v.text)
		}
	}
}

// Where other memory is too hard to find, temporaries stay where they are, and that is no error.
func TestMemoryIsGivenUp(t *testing.T) {
	usual := memoryLimits
	defer func() { memoryLimits = usual }()
	for operations, want := range map[uint64]bool{10: false, usual.operations: true} {
		memoryLimits.operations = operations
		targets, err := (&targetOptions{bench: "polybench/ludcmp", privatize: true}).all(nil)
		if err != nil {
			t.Fatal(err)
		}
		placed, err := targets[0].placed()
		if err != nil || len(placed.whole.Placements) > 0 != want {
			t.Errorf("with %d operations: %d temporaries in elements, %v", operations, len(placed.whole.Placements), err)
		}
	}
}
