package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// A stencil in resident tiles has one kernel for all steps, which is legal and keeps the arrays
// that it writes where they fit; the models' tiles do, and no tile of twice the size does.
func TestResidentTiles(t *testing.T) {
	for _, test := range []struct {
		kernel string
		sizes  []int64
		kept   []string
		bytes  int64
	}{
		{"hex/heat-2d", nil, []string{"A"}, 2 * 130 * 34 * 4},
		{"polybench/jacobi-2d", nil, []string{"A", "B"}, 2 * 66 * 34 * 8},
		{"polybench/jacobi-1d", nil, []string{"A", "B"}, 2 * 2050 * 8},
		{"hex/fdtd-2d", []int64{1, 16, 32}, []string{"ex", "ey", "hz"}, 0},
		{"polybench/jacobi-2d", []int64{1, 64, 64}, []string{"A"}, 66 * 66 * 8},
		{"polybench/jacobi-2d", []int64{1, 128, 128}, nil, 0},
	} {
		g := kerneltest.Graph(t, test.kernel)
		recipe, err := shaped(g, Stencil{Shape: ResidentShape, Sizes: test.sizes})
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		kernels := inmemory.Kernels(proven.Tree.Root(), proven.Marks)
		if len(kernels) != 1 {
			t.Fatalf("%s has %d kernels", test.kernel, len(kernels))
		}
		found, err := inmemory.In(g.Model, proven.Marks, kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		var bytes int64
		for _, box := range found {
			if box.Memory != mark.Kept {
				t.Errorf("%s: %v", test.kernel, box.Box)
			}
			kept, bytes = append(kept, box.Array), bytes+inmemory.Bytes(box.Box, int64(g.Model.Program.Array(box.Array).Size))
		}
		slices.Sort(kept)
		if !slices.Equal(kept, test.kept) || bytes > inmemory.MostShared || test.bytes > 0 && bytes != test.bytes {
			t.Errorf("%s at %v keeps %d bytes of %v", test.kernel, test.sizes, bytes, kept)
		}
	}
}

// What is no stencil has no resident tiles, and the reason is said.
func TestNoResidentTiles(t *testing.T) {
	for kernel, want := range map[string]string{"polybench/seidel-2d": "there is the RAW dependence of A[i-1][j-1] in S0", "polybench/gemm": "no resident tiles"} {
		g := kerneltest.Graph(t, kernel)
		_, err := shaped(g, Stencil{Shape: ResidentShape})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no resident tiles") {
			t.Errorf("%s: %v", kernel, err)
		}
	}
}
