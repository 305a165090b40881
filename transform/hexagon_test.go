package transform

import (
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// Hexagonal tiles have those arrays in shared memory that fit, in boxes as small as PPCG's, and the
// recipes are legal.
func TestHexagonCopies(t *testing.T) {
	for _, test := range []struct {
		kernel string
		sizes  []int64
		bytes  int64
		arrays []string
	}{
		{"hex/heat-2d", []int64{4, 8, 32}, 5248, []string{"A"}},
		{"polybench/jacobi-2d", []int64{4, 8, 32}, 10240, []string{"A", "B"}},
	} {
		g := kerneltest.Graph(t, test.kernel)
		recipe, err := shaped(g, Stencil{Shape: HexagonShape, Sizes: test.sizes})
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		kernels := inmemory.Kernels(proven.Tree.Root(), proven.Marks)
		if len(kernels) != 2 {
			t.Errorf("%s has %d kernels", test.kernel, len(kernels))
		}
		for _, kernel := range kernels {
			found, err := inmemory.In(g.Model, proven.Marks, kernel)
			if err != nil {
				t.Fatal(err)
			}
			var bytes int64
			var arrays []string
			for _, box := range found {
				if box.Memory != mark.Shared || len(box.Sides) == 0 {
					t.Errorf("%s: %v", test.kernel, box)
				}
				bytes += inmemory.Bytes(box.Box, int64(g.Model.Program.Array(box.Array).Size))
				arrays = append(arrays, box.Array)
				checkLoaded(t, box, g.Model)
			}
			slices.Sort(arrays)
			if !slices.Equal(arrays, test.arrays) || bytes > inmemory.MostShared || test.bytes > 0 && bytes > test.bytes {
				t.Errorf("%s at %v: %d bytes of %v in shared memory", test.kernel, test.sizes, bytes, arrays)
			}
		}
	}
}

// checkLoaded checks that a box of a stencil is loaded with few conditions: one convex set, which
// has what is read, and nothing outside of the array.
func checkLoaded(t *testing.T, box *inmemory.Box, m *scop.Model) {
	t.Helper()
	loaded, err := box.Loaded(m)
	if err != nil {
		t.Fatal(err)
	}
	if parts := len(loaded.Coalesce().BasicMaps()); parts != 1 {
		t.Errorf("%v: what is loaded has %d parts", box, parts)
	}
	if has, err := box.HasAllRead(m, loaded); err != nil || !has {
		t.Errorf("%v: what is read is not loaded: %v", box, err)
	}
	all, _ := m.Declared(box.Array)
	if inside, err := loaded.Range().IsSubset(all); err != nil || !inside {
		t.Errorf("%v: what is loaded is not in the array: %v", box, err)
	}
}
