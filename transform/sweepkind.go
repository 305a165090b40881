package transform

import (
	"slices"

	"polytune/scop/depend"
	"polytune/transform/facts"
)

// sweepApart says whether some statement of one group sums up rows and one of the
// other adds up whole rows, each of a matrix, and they cannot share strips of one. In
// loops of their own both walk through the matrix as it lies in memory, and on several threads: the
// one by blocks of rows, the other one by blocks of columns. Loops that they share
// do so for one of them.
func sweepApart(g *depend.Graph, first, second []int) (bool, error) {
	kinds := map[facts.SweepKind]bool{}
	for _, s := range slices.Concat(first, second) {
		kinds[facts.WalkOf(g.Model, s).Kind] = true
	}
	if !kinds[facts.SumsOfRows] || !kinds[facts.SumOfRows] {
		return false, nil
	}
	strips, err := stripsOf(g, slices.Concat(first, second))
	return strips == nil, err
}
