package transform

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/transform/facts"
)

// Parts have vector loops of their own where none of them carries anything
// itself, and none leads back to an earlier one. Statements that share a variable of an iteration
// are in one part.
func TestApartLoop(t *testing.T) {
	const own = "distribute c0.2\nvectorize c0_0.2\nvectorize c0_1.2\n"
	for _, test := range []struct {
		about, first, second string
		apart                bool
	}{
		{"a stencil there and back", "B[i] = A[i - 1] + A[i + 1];", "A[i] = 0.5 * B[i];", true},
		{"a value of the iteration in between", "{ double s = A[i - 1] + A[i + 1]; B[i] = s * s; }", "A[i] = 0.5 * B[i];", true},
		{"values in both places", "{ double s = A[i - 1] + A[i + 1]; B[i] = s * s; }", "{ double r = B[i]; A[i] = r * r; }", true},
		{"a recurrence through a value", "{ double s = B[i - 1] + A[i + 1]; B[i] = s * s; }", "A[i] = 0.5 * B[i];", false},
		{"the first statement is a recurrence", "B[i] = B[i - 1] + A[i + 1];", "A[i] = 0.5 * B[i];", false},
		{"the second statement is a recurrence", "B[i] = A[i - 1] + A[i + 1];", "A[i] = A[i - 1] + B[i];", false},
		{"every other element: not worth vector code", "B[2 * i] = A[2 * i - 2] + A[2 * i + 2];", "A[2 * i] = 0.5 * B[2 * i];", false},
	} {
		source := "void f(int T, int N, double A[2 * N], double B[2 * N])\n{\n#pragma scop\nfor (int t = 0; t < T; t++) {\n" +
			"for (int i = 1; i < N - 1; i++)\n" + test.first + "\nfor (int i = 1; i < N - 1; i++)\n" + test.second + "\n}\n#pragma endscop\n}\n"
		g := graphOf(t, "f", []byte(source))
		got := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if strings.Contains(got, own) != test.apart {
			t.Errorf("%s: want loops of their own: %v; got\n%s", test.about, test.apart, got)
		}
	}
}

// The footprint is that of boxes, worked out by hand.
func TestFootprint(t *testing.T) {
	for _, test := range []struct {
		kernel     string
		statements []int
		sizes      []int64
		elements   int64
	}{
		{"gemm", []int{1}, []int64{64, 128, 32}, 64*128 + 64*32 + 32*128 + 1}, // C, A, B, alpha
		// Rows and columns of A and B move on by two in each of 31 further steps.
		{"jacobi-2d", []int{0, 1}, []int64{32, 64, 96}, 2 * (64 + 2*31) * (96 + 2*31)},
	} {
		g := kerneltest.Graph(t, test.kernel)
		p := &planner{graph: g, options: fixed}
		plan := &nodePlan{name: "c0", statements: test.statements}
		if err := p.nest(plan, map[int][][]int64{}, g.Within(plan.statements), 0); err != nil {
			t.Fatal(err)
		}
		moves, err := facts.Movements(p.graph, plan.bands[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := facts.Footprint(p.graph, moves, test.sizes), float64(8*test.elements); got != want {
			t.Errorf("%s, tiles of %v: %v bytes, want %v", test.kernel, test.sizes, got, want)
		}
	}
}
