package facts

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// SweepKind is how a statement walks through a matrix, row by row in memory.
type SweepKind int

const (
	// NoSweep is none of the others.
	NoSweep SweepKind = iota
	// SumsOfRows adds up each row: its target stays the same along a row.
	SumsOfRows
	// SumOfRows adds the rows up: its target moves along a row, and is the same for
	// all rows.
	SumOfRows
)

// walk is how a statement walks through a matrix.
type walk struct {
	Kind SweepKind
	// Matrix is the name of the matrix, rows the iterator that goes from one of
	// its rows to the next.
	Matrix string
	Rows   int
}

// WalkOf is how a statement in two loops walks through a matrix.
func WalkOf(model *scop.Model, s int) walk {
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
		w := walk{Matrix: statement.Statement.Accesses[k+1].Array, Rows: 1 - alongRow(matrix)}
		switch {
		case w.Rows > 1:
			continue
		case isConstantAlong(target, 1-w.Rows):
			w.Kind = SumsOfRows
			return w
		case isConstantAlong(target, w.Rows):
			w.Kind = SumOfRows
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

// LaneOf is the iterator along which a statement writes elements that lie behind each other, -1 for
// none.
func LaneOf(g *depend.Graph, s int) (int, error) {
	rows, err := scop.Subscripts(g.Model.Statements[s].Accesses[0])
	if err != nil || len(rows) == 0 {
		return -1, err
	}
	lane := UnitOf(rows[len(rows)-1])
	if lane < 0 || slices.ContainsFunc(rows[:len(rows)-1], func(row scop.Row) bool { return row.Iterators[lane] != 0 }) {
		return -1, nil
	}
	return lane, nil
}

// UsePrivates says whether some of the statements access a private variable.
func UsePrivates(g *depend.Graph, statements []int) bool {
	return slices.ContainsFunc(g.Model.Program.Privates(), func(private scop.Private) bool {
		return slices.ContainsFunc(private.Statements, func(s int) bool { return slices.Contains(statements, s) })
	})
}
