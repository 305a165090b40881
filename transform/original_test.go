package transform

import (
	"cmp"
	"regexp"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
)

// The recipe of a program as it is written runs the instances one by one in the
// order of the source, which some of these programs count down, and its classes
// are the source's outermost loops.
func TestOriginal(t *testing.T) {
	for _, test := range []struct {
		kernel     string
		partition  space.Partition
		parameters []int64
	}{
		{"polybench/2mm", space.Partition{0, 0, 1, 1}, []int64{2, 3, 2, 3}},
		{"polybench/durbin", space.Partition{0, 1, 2, 3, 3, 3, 3, 3, 3, 3}, []int64{4}},
		{"polybench/ludcmp", space.Partition{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2}, []int64{4}},
		{"polybench/trmm", space.Partition{0, 0}, []int64{4, 3}},
	} {
		graph := kerneltest.Graph(t, test.kernel)
		p := graph.Model.Program
		partition, recipe, err := Original(graph.Model)
		if err != nil || !slices.Equal(partition, test.partition) {
			t.Fatalf("%s: partition %v, %v", test.kernel, partition, err)
		}
		tree, err := recipe.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := recipe.Prove(graph); err != nil {
			t.Error(err)
		}
		if text := recipe.Text(p); regexp.MustCompile(`(?m)^(tile|parallel|vectorize|wavefront)`).MatchString(text) {
			t.Errorf("%s: %s", test.kernel, text)
		}
		e := execute(t, p, test.parameters)
		slices.SortFunc(e.instances, func(a, b instance) int { return slices.Compare(a.original, b.original) })
		if len(e.instances) < 20 {
			t.Errorf("%s has only %d instances", test.kernel, len(e.instances))
		}
		if !slices.IsSortedFunc(e.instances, func(a, b instance) int {
			return slices.CompareFunc(e.timeOf(tree, a), e.timeOf(tree, b), func(x, y date) int { return cmp.Compare(x.value, y.value) })
		}) {
			t.Errorf("%s runs in another order:\n%s", test.kernel, recipe.Text(p))
		}
	}
}
