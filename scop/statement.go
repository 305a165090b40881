package scop

import (
	"maps"
	"slices"
)

// Statement is one textual statement; its instances are the integer points
// of its domain.
type Statement struct {
	Name string
	// Spelled is the name for people where it is another one, "" where it is not.
	Spelled string
	// Piece says what part of a statement this is; nil for a whole one.
	Piece *Piece
	// Source is the statement's C text as the user wrote it, with its
	// semicolon.
	Source string
	// Value is what the text says, with places in it: the assignment, or Opaque for what is more
	// than an expression. A statement that is made without a text gets it by Write. nil says
	// nothing.
	Value Expr
	// Uses are the places in Source that name a loop iterator, in order.
	Uses []Use
	// Mentions are the places in Source that name a renamable array, or its rows, in order.
	Mentions []Mention
	// Loops are the loops around the statement, outermost first.
	Loops []Loop
	// Position holds the statement's textual position among its siblings
	// at each depth, outermost first: len(Loops)+1 numbers. Two statements
	// share their first k loops exactly when the first k positions agree.
	Position []int
	// Domain is the iteration domain, an isl set whose tuple has the
	// statement's name: "[N] -> { S0[i, j] : 0 <= i < N and 0 <= j < N }".
	Domain string
	// Accesses are in the order of the text, the written one of an
	// assignment first.
	Accesses []Access
	// Reduction says that the statement is a reduction; nil for others.
	Reduction *Reduction
	// UnknownWork says that the statement calls a function, or has a loop of its own, so that its
	// accesses do not tell how long it takes.
	UnknownWork bool
	// Serial says what of the statement keeps clang from running several instances at once in the
	// lanes of vectors.
	Serial Serial
	// Line and Column are the place of the statement in the file, from 1.
	Line, Column int
}

// Loop is one loop around a statement.
type Loop struct {
	// Iterator is the name the loop variable has in the source.
	Iterator string
	// Type is the iterator's C type; "" means int.
	Type string
	// Descending says that the loop counts down: later instances have
	// smaller values of the iterator.
	Descending bool
}

// Use is one place in the source of a statement that names an iterator.
type Use struct {
	// Offset is the place in bytes; the text there is the iterator's name.
	Offset int
	// Loop is the index of the iterator in Statement.Loops.
	Loop int
	// Subscript says that the use stands in a subscript whose value the model
	// knows: an iterator of any wider integer type gives the same element.
	Subscript bool
	// Argument says that the use stands in an argument that a macro puts into sums in brackets
	// alone, which are the same numbers with any wider type.
	Argument bool
}

// Mention is one place in the source of a statement that names a renamable array.
type Mention struct {
	// Offset is the place in bytes; the text there is the array's name, or that of its rows.
	Offset int
	Array  string
}

// Access is one reference of a statement to an array.
type Access struct {
	Array string
	// Read and Write say what the reference does; both for the left side of
	// a compound assignment such as +=, which is one reference.
	Read, Write bool
	// May says that the relation is an over-approximation: a write that
	// may not happen, or may touch less. It never kills an earlier value.
	May bool
	// Relation is an isl map from instances to elements:
	// "[N] -> { S0[i, j] -> A[i, j] }"; a scalar's tuple has no dimension.
	Relation string
	// Datum says how subscripts that may be any depend on data.
	Datum Datum
	// Line and Column are the place of the reference in the file, from 1.
	Line, Column int
}

// Datum says of subscripts that they are at least 0, and at most Factor times an integer of the
// data that the program only reads, plus Offset. That may be negative: no integer is so small that
// the subscript were. A Factor of 0 says nothing. Below is a number that they are less than by
// their own arithmetic, 0 where that is not known.
type Datum struct{ Factor, Offset, Below int }

// Depth is the number of loops around the statement.
func (s *Statement) Depth() int { return len(s.Loops) }

// LeaveOut takes loops out of the statement, whose text names no iterator of theirs.
func (s *Statement) LeaveOut(gone []bool) {
	place, left := make([]int, len(gone)), []Loop(nil)
	for k, loop := range s.Loops {
		if place[k] = len(left); !gone[k] {
			left = append(left, loop)
		}
	}
	s.Loops, s.Uses = left, slices.Clone(s.Uses)
	for k := range s.Uses {
		s.Uses[k].Loop = place[s.Uses[k].Loop]
	}
	s.Value = change(s.Value, func(at Place) Place { return at }, func(r *Ref) Expr {
		if r.Loop < 0 {
			return nil
		}
		return &Ref{Place: r.Place, Name: r.Name, Loop: place[r.Loop], Selected: r.Selected}
	})
}

// WritesPerhaps says whether data decide what the statement writes, or whether it writes at all.
func (s *Statement) WritesPerhaps() bool {
	return slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.Write && a.May })
}

// CommonLoops is the number of loops that s and t share in the source.
func (s *Statement) CommonLoops(t *Statement) int {
	n := min(s.Depth(), t.Depth())
	for k := range n {
		if s.Position[k] != t.Position[k] {
			return k
		}
	}
	return n
}

// ByPosition groups some statements of a list by their textual positions at a depth, in the order of
// these.
func ByPosition(all []Statement, some []int, depth int) [][]int {
	positions := map[int][]int{}
	for _, s := range some {
		position := all[s].Position[depth]
		positions[position] = append(positions[position], s)
	}
	var groups [][]int
	for _, position := range slices.Sorted(maps.Keys(positions)) {
		groups = append(groups, positions[position])
	}
	return groups
}

// Before says whether s precedes t in the text. A statement does not precede
// itself.
func (s *Statement) Before(t *Statement) bool {
	for k := range min(len(s.Position), len(t.Position)) {
		if s.Position[k] != t.Position[k] {
			return s.Position[k] < t.Position[k]
		}
	}
	return false
}

// Iterators are the source names of the loops around s, outermost first.
func (s *Statement) Iterators() []string {
	names := make([]string, len(s.Loops))
	for k, l := range s.Loops {
		names[k] = l.Iterator
	}
	return names
}
