package transform

import (
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/depend"
	"polytune/space"
)

// Typed fusion fuses what max does but for loops that are parallel apart alone; hybrid fusion has the
// same classes, and says what is fused inside. All of them belong to the space.
func TestTyped(t *testing.T) {
	for _, test := range []struct{ kernel, max, typed, hybrid string }{
		{"polybench/gemver", "0-0-0-0", "0-0-0-1", "0-0-0-1/0-0-1-0"},
		{"polybench/atax", "0-0-0-0", "0-0-0-1", "0-0-0-1/0-0-0-0"},
		{"polybench/2mm", "0-0-0-0", "0-0-0-0", "0-0-0-0/0-0-0-0"},
		{"polybench/mvt", "0-0", "0-0", "0-0/0-0"},
		{"polybench/jacobi-1d", "0-0", "0-0", "0-0/0-0"},
		{"polybench/gemm", "0-0", "0-0", "0-0/0-0"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		s, err := space.New(g, space.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for word, want := range map[string]string{"max": test.max, "typed": test.typed, "hybrid": test.hybrid} {
			nests, err := ChooseNests(s, g, word, 1)
			if err != nil {
				t.Errorf("%s: %s: %v", test.kernel, word, err)
				continue
			}
			if got := nests[0].String(); got != want {
				t.Errorf("%s: %s is %s, not %s", test.kernel, word, got, want)
			}
			again, err := ChooseNests(s, g, nests[0].String(), 1)
			if err != nil || again[0].String() != nests[0].String() {
				t.Errorf("%s: %s, as it is printed, is %v (%v)", test.kernel, word, again, err)
			}
			if word != "typed" {
				continue
			}
			for _, class := range nests[0].Partition().Classes() {
				checkTyped(t, g, s.None().Classes(), class)
			}
		}
	}
}

// checkTyped checks that a class has a parallel loop if one of its components has one alone.
func checkTyped(t *testing.T, g *depend.Graph, components [][]int, class []int) {
	t.Helper()
	together, err := hasParallelLoop(g, class)
	if err != nil {
		t.Fatal(err)
	}
	for _, component := range components {
		if !slices.Contains(class, component[0]) {
			continue
		}
		if alone, err := hasParallelLoop(g, component); err != nil || alone && !together {
			t.Errorf("%s: %v has no parallel loop, and %v has (%v)", g.Model.Program.Name, class, component, err)
		}
	}
}
