package transform

import (
	"testing"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/mark"
)

// A copy whose elements have no box of constant extents, as B[k][j] and B[i][j] in one, is left out
// before anything is proven: the first recipe that is tried has all the others.
func TestUnboxedCopies(t *testing.T) {
	g := graphOf(t, "f", []byte("void f(int n, double C[n][n], const double A[n][n], const double B[n][n]) {\n#pragma scop\n"+
		"for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nfor (int k = 0; k < n; k++)\nC[i][j] += A[i][k] * (B[k][j] + B[i][j]);\n#pragma endscop\n}\n"))
	recipe, err := command.Parse(g.Model.Program, "classes {S0}\nband c0 permutable S0[i, j, k] -> [i, j, k]\n")
	if err != nil {
		t.Fatal(err)
	}
	shared := func(array string) memoryCopy { return memoryCopy{array: array, at: "c0.3t", memory: mark.Shared} }
	kernel := func(copies ...memoryCopy) *kernelShape {
		return &kernelShape{from: len(recipe), to: len(recipe), name: "c0", rows: make([]map[int]schedule.Row, 3), tiles: []int64{32, 32}, threads: []int64{8, 32}, copies: copies}
	}
	m := &deviceMapper{planner: &planner{graph: g, recipe: recipe}, device: &Device{}, kernels: []*kernelShape{kernel(shared("B"), shared("A"))}}
	all := m.assembled(m.kernels)
	if _, _, err := all.Prove(g); err == nil {
		t.Fatal("a copy without a box is legal")
	}
	want := m.assembled([]*kernelShape{kernel(shared("A"))}).Text(g.Model.Program)
	if got := m.withMemory().Text(g.Model.Program); got != want || m.proofs != 1 {
		t.Errorf("%d proofs for\n%s\nwant one for\n%s", m.proofs, got, want)
	}
	m.kernels = []*kernelShape{kernel(shared("B"))}
	if got := m.withMemory(); len(got) != len(recipe) || m.proofs != 1 {
		t.Errorf("%d proofs for %s", m.proofs, got.Text(g.Model.Program))
	}
}
