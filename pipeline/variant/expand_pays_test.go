package variant

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/targettext"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/runner"
	"polytune/scop"
	"polytune/space"
	"polytune/transform"
)

// The models put temporaries into elements of arrays, or expand them, where more of the deepest
// statements get register blocks or vector loops so, and nowhere else, unless they are told not to.
// The long test has two kernels more.
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
		flag    pipeline.Expansion
		inplace pipeline.Inplace
		want    string
	}{
		{"polybench/symm", vectors, pipeline.Expansion{}, pipeline.Inplace{}, "expanded"},
		{"polybench/ludcmp", vectors, pipeline.Expansion{}, pipeline.Inplace{}, "in place"},
		{"sc10/ludcmp", vectors, pipeline.Expansion{}, pipeline.Inplace{}, "expanded"}, // in place no loop is good for the lanes of both triangles
		{"polybench/ludcmp", vectors, pipeline.Expansion{}, pipeline.Inplace{Given: true}, "expanded"},
		{"polybench/ludcmp", vectors, pipeline.Expansion{Given: true}, pipeline.Inplace{}, ""},
		{"polybench/ludcmp", plain, pipeline.Expansion{Given: true}, pipeline.Inplace{On: true, Given: true}, "in place"},
		{"polybench/deriche", vectors, pipeline.Expansion{}, pipeline.Inplace{}, "expanded"},
		{"polybench/deriche", plain, pipeline.Expansion{}, pipeline.Inplace{}, ""},
		{"polybench/symm", plain, pipeline.Expansion{}, pipeline.Inplace{}, ""},
		{"polybench/symm", vectors, pipeline.Expansion{Given: true}, pipeline.Inplace{}, ""},
		{"polybench/gemm", vectors, pipeline.Expansion{}, pipeline.Inplace{}, ""},
		{"polybench/gramschmidt", vectors, pipeline.Expansion{}, pipeline.Inplace{}, ""},
	} {
		if isMore := test.kernel == "polybench/gramschmidt" || test.kernel == "polybench/deriche" && test.want == ""; isMore && !kerneltest.Long() {
			continue
		}
		o := pipeline.Options{Bench: test.kernel, Privatize: true, Expand: test.flag, Inplace: test.inplace}
		targets, err := o.All(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := ExpandWherePays(context.Background(), &o, io.Discard, targets, &pipeline.SessionModel, test.machine); err != nil {
			t.Fatal(err)
		}
		got := ""
		switch p := targets[0].Whole; {
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

// Arrays with an element for each of the deepest instances are not for the models: what was in a
// register would be in memory. They are there on request.
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
	o := pipeline.Options{Privatize: true}
	targets := []*pipeline.Target{targettext.Of(t, source)}
	if others, err := otherMemory(&o, targets[0]); err != nil || len(others) > 0 {
		t.Errorf("the models choose among %d programs besides: %v", len(others), err)
	}
	expanded, err := targets[0].Expanded(scop.Room{Bytes: ModelMemory})
	if err != nil || len(expanded.Whole.Expansions) != 2 {
		t.Errorf("%v with %d expanded arrays", err, len(expanded.Whole.Expansions))
	}
	if err := ExpandWherePays(t.Context(), &o, io.Discard, targets, &pipeline.SessionModel, machine); err != nil || len(targets[0].Whole.Expansions) > 0 {
		t.Errorf("%d expanded arrays: %v", len(targets[0].Whole.Expansions), err)
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
		o := pipeline.Options{Privatize: true, Inplace: pipeline.Inplace{Given: true}}
		targets := []*pipeline.Target{targettext.Of(t, source)}
		err := ExpandWherePays(t.Context(), &o, io.Discard, targets, &pipeline.SessionModel, machine)
		if expands := len(targets[0].Whole.Expansions) > 0; err != nil || expands != test.want {
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
		o := pipeline.Options{Privatize: true}
		targets := []*pipeline.Target{targettext.Of(t, source)}
		err := ExpandWherePays(t.Context(), &o, io.Discard, targets, &pipeline.SessionModel, machine)
		if expands := len(targets[0].Whole.Expansions) > 0; err != nil || expands != test.want {
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
		if got := pipeline.SpelledArray("a", extents); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Statements that bring last values back are behind all others where the axis "expand" adds them.
func TestExpandAxisWithCopies(t *testing.T) {
	p := targettext.Of(t, `void advect(int steps, int n, double u[n], double flux[n])
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
		at, err := At(t.Context(), p, nest, "expand=on", transform.Options{CacheBytes: 32 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(at.Target.Whole.Statements) != 3 || !slices.Equal(at.Nest[0], []int{0, 0, 1}) {
			t.Errorf("%d statements in %v", len(at.Target.Whole.Statements), at.Nest)
		}
		if v, err := Of(t.Context(), at.Target, at.Nest, at.Options); err != nil || !strings.Contains(v.Text, "classes {S0 S1} {S2}") {
			t.Errorf("%v: %v\n%s", at.Nest, err, v.Text)
		}
	}
}

// Where other memory is too hard to find, temporaries stay where they are, and that is no error.
func TestMemoryIsGivenUp(t *testing.T) {
	usual := limit.Memory
	defer func() { limit.Memory = usual }()
	for operations, want := range map[uint64]bool{10: false, usual.Operations: true} {
		limit.Memory.Operations = operations
		targets, err := (&pipeline.Options{Bench: "polybench/ludcmp", Privatize: true}).All(nil)
		if err != nil {
			t.Fatal(err)
		}
		placed, err := targets[0].Placed()
		if err != nil || len(placed.Whole.Placements) > 0 != want {
			t.Errorf("with %d operations: %d temporaries in elements, %v", operations, len(placed.Whole.Placements), err)
		}
	}
}

// An array that a stencil copies back at the end of each step is not expanded where hexagonal tiles are
// asked for, which have the loop over time.
func TestNoArraysBesideHexagons(t *testing.T) {
	machine := runner.Machine{
		Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 512 << 10}},
		Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16},
	}
	for _, edge := range []string{"", "for (int j = 1; j < n - 1; j++) B[0][j] = B[1][j];"} {
		source := `void heat(int T, int n, double A[n][n], double B[n][n])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        ` + edge + `
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = B[i][j];
    }
#pragma endscop
}
`
		o := pipeline.Options{Privatize: true}
		targets := []*pipeline.Target{targettext.Of(t, source)}
		model := pipeline.SessionModel
		model.Hexagon = true
		err := ExpandWherePays(t.Context(), &o, io.Discard, targets, &model, machine)
		if expands := len(targets[0].Whole.Expansions) > 0; err != nil || expands {
			t.Errorf("edge %q: expanded %v: %v", edge, expands, err)
		}
	}
}
