package loopir

import (
	"errors"
	"slices"
)

// Vectors says how the elements of a box's rows are loaded several at once. The rows of an array
// are cut into vectors of as many elements, the first of which has a multiple of their number for a
// subscript: those that have elements of the box are loaded where all of theirs are to be copied.
// Of others the elements that are to be copied are loaded one by one.
type Vectors struct {
	// Length is the number of elements of a vector, Count that of the vectors around a row of the
	// box. The first one begins so many places in front of the row.
	Length, Count, Before int64
	// Fits is the condition, by the variables around the box, under which vectors begin at multiples
	// of their size, nil where they always do: else there are no vectors. Rows says that the length
	// of the array's rows has to be a multiple of Length, besides.
	Fits *Expr
	Rows bool
	// Whole is the condition that all elements of a vector are to be copied, by FirstSubscript and
	// the other subscripts of its first element (Subscript); nil where it holds for all.
	Whole *Expr
	// If is the condition that an element of another vector is to be copied, by its subscripts: 0
	// where none is, nil where all are.
	If *Expr
}

// FirstSubscript is the last subscript of a vector's first element.
func FirstSubscript() *Expr { return Named("tune_first") }

var errNotAligned = errors.New("a vector of elements begins at a subscript that is no multiple of their number")

// transferVectors copies the elements of a copy by vectors, which threads have in turns.
func (m *Machine) transferVectors(t *Transfer, b *boxHere) {
	all := t.Vectors.Count
	for _, side := range b.Of.Sides[:len(b.Of.Sides)-1] {
		all *= side.Extent
	}
	for number := range all {
		if number%int64(m.team) == int64(m.number) {
			m.transferVector(t, b, number)
		}
	}
}

// transferVector copies those elements of a vector, by its number, that are to be copied.
func (m *Machine) transferVector(t *Transfer, b *boxHere, number int64) {
	v, last := t.Vectors, len(b.origin)-1
	place, subscripts := make([]int64, last+1), slices.Clone(b.origin)
	first := v.Length*(number%v.Count) - v.Before
	number /= v.Count
	for d, side := range slices.Backward(b.Of.Sides[:last]) {
		place[d], number = number%side.Extent, number/side.Extent
		subscripts[d] += side.Stride * place[d]
		defer m.set(Subscript(d).Name, subscripts[d])()
	}
	defer m.set(FirstSubscript().Name, b.origin[last]+first)()
	isWhole := v.Whole == nil || m.value(v.Whole) != 0
	if isWhole && (b.origin[last]+first)%v.Length != 0 {
		m.err = errNotAligned
	}
	for k := range v.Length {
		place[last], subscripts[last] = first+k, b.origin[last]+first+k
		restore := m.set(Subscript(last).Name, subscripts[last])
		if isWhole || v.If == nil || m.value(v.If) != 0 {
			m.transferElement(t, b, place, subscripts)
		}
		restore()
	}
}
