package transform

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// sweepKind is how a statement walks through a matrix, row by row in memory.
type sweepKind int

const (
	// noSweep is none of the others.
	noSweep sweepKind = iota
	// sumsOfRows adds up each row: its target stays the same along a row.
	sumsOfRows
	// sumOfRows adds the rows up: its target moves along a row, and is the same for
	// all rows.
	sumOfRows
)

// walk is how a statement walks through a matrix.
type walk struct {
	kind sweepKind
	// matrix is the name of the matrix, rows the iterator that goes from one of
	// its rows to the next.
	matrix string
	rows   int
}

// sweepApart says whether some statement of one group sums up rows and one of the
// other adds up whole rows, each of a matrix, and they cannot share strips of one. In
// loops of their own both walk through the matrix as it lies in memory, and on several threads: the
// one by blocks of rows, the other one by blocks of columns. Loops that they share
// do so for one of them.
func sweepApart(g *depend.Graph, first, second []int) (bool, error) {
	kinds := map[sweepKind]bool{}
	for _, s := range slices.Concat(first, second) {
		kinds[walkOf(g.Model, s).kind] = true
	}
	if !kinds[sumsOfRows] || !kinds[sumOfRows] {
		return false, nil
	}
	strips, err := stripsOf(g, slices.Concat(first, second))
	return strips == nil, err
}

// walkOf is how a statement in two loops walks through a matrix.
func walkOf(model *scop.Model, s int) walk {
	statement := &model.Statements[s]
	if statement.Depth() != 2 || model.Program.Assignment(statement.Statement) == nil {
		return walk{}
	}
	target, err := scop.Subscripts(statement.Accesses[0])
	if err != nil || rankOf(target, 2) != 1 {
		return walk{}
	}
	for k, access := range statement.Accesses[1:] {
		matrix, err := scop.Subscripts(access)
		if err != nil || rankOf(matrix, 2) < 2 {
			continue
		}
		w := walk{matrix: statement.Statement.Accesses[k+1].Array, rows: 1 - alongRow(matrix)}
		switch {
		case w.rows > 1:
			continue
		case isConstantAlong(target, 1-w.rows):
			w.kind = sumsOfRows
			return w
		case isConstantAlong(target, w.rows):
			w.kind = sumOfRows
			return w
		}
	}
	return walk{}
}

// rankOf is the dimension of the data that an access with such subscripts touches.
func rankOf(subscripts []scop.Row, depth int) int {
	var rows [][]int64
	for _, row := range subscripts {
		rows = append(rows, row.Iterators)
	}
	return scop.Rank(rows, depth)
}

// alongRow is the one of two iterators that moves an access by one element, or -1.
func alongRow(subscripts []scop.Row) int {
	for k := range 2 {
		last := subscripts[len(subscripts)-1].Iterators
		if (last[k] == 1 || last[k] == -1) && isConstantAlong(subscripts[:len(subscripts)-1], k) {
			return k
		}
	}
	return -1
}

// isConstantAlong says whether subscripts do not depend on an iterator.
func isConstantAlong(subscripts []scop.Row, iterator int) bool {
	for _, row := range subscripts {
		if row.Iterators[iterator] != 0 {
			return false
		}
	}
	return true
}
