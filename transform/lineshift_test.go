package transform

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	inmemory "polytune/scop/boxes"
	"polytune/transform/facts"
)

// What a hexagonal tile loads of a row behind the columns of the tile before begins with a cache
// line, where rows and tiles have whole lines.
func TestAlignedTiles(t *testing.T) {
	for _, test := range []struct {
		kernel string
		sizes  []int64
		line   int64
		is     bool
		isLong bool
	}{
		{"hex/heat-2d", []int64{4, 8, 32}, 32, true, true},
		{"hex/heat-2d", []int64{4, 8, 24}, 32, false, false},
		{"polybench/jacobi-2d", []int64{4, 8, 32}, 16, true, false},
		{"hex/gradient-2d", []int64{3, 4, 64}, 32, true, true},
	} {
		if test.isLong && !kerneltest.Long() {
			continue
		}
		g := kerneltest.Graph(t, test.kernel)
		recipe, err := shaped(g, Stencil{Shape: HexagonShape, Sizes: test.sizes})
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range inmemory.Kernels(proven.Tree.Root(), proven.Marks) {
			found, err := inmemory.In(g.Model, proven.Marks, kernel)
			if err != nil || len(found) == 0 {
				t.Fatalf("%s has no boxes: %v", test.kernel, err)
			}
			columns := found[0].Sides[len(found[0].Sides)-1]
			width := columns.Origin.Iterators[len(columns.Origin.Iterators)-1]
			if is := width%test.line == 0 && (columns.Origin.Constant+columns.Extent)%test.line == 0; is != test.is {
				t.Errorf("%s at %v: columns of %s begin at %v, %d of them; aligned %v, want %v", test.kernel, test.sizes, found[0].Array, columns.Origin, columns.Extent, is, test.is)
			}
		}
	}
}

// Tiles of rows that are no whole lines stay where they are.
func TestUnalignedRows(t *testing.T) {
	for length, want := range map[string]bool{"512": true, "500": false, "n": true} {
		source := "void f(int T, int n, float a[2][64][" + length + "])\n{\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 1; i < 63; i++) for (int j = 1; j < 499; j++) a[(t + 1) % 2][i][j] = a[t % 2][i - 1][j] + a[t % 2][i][j + 1];\n#pragma endscop\n}\n"
		file, err := kerneltest.Parse("rows.c", source, "")
		if err != nil {
			t.Fatal(err)
		}
		g := kerneltest.Analyze(t, file.Regions[0].Program)
		p := &planner{graph: g, options: Options{Device: &Device{}}}
		f, err := stencilOf(p.graph, []int{0}, facts.DependencesOf(p.graph, []int{0}))
		if err != nil {
			t.Fatal(err)
		}
		sizes := []int64{4, 8, 32}
		moved := onLines(p.graph, f, sizes)
		if is := moved != f; is != want {
			t.Errorf("rows of %s: moved %v", length, is)
		}
		if again, ok := alignment(p.graph, f, sizes, 1); ok && want && moved.space[1][0].Plus(schedule.Row{Constant: -again}, 1).Constant != f.space[1][0].Constant {
			t.Errorf("rows of %s: moved by %v, want %d", length, moved.space[1][0], again)
		}
	}
}
