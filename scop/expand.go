package scop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Expansion makes an array of its own out of the part that some statements use
// a temporary for, with elements for each iteration of the loops that they
// share.
type Expansion struct {
	Privatization
	// First is, for each of these loops, the least value that the iterator
	// can have: it has subscript 0.
	First []int64
	// Extents are those of all dimensions, those of the loops before those of
	// the temporary and none below one, as piecewise affine expressions over the parameters in
	// isl's notation: "[N] -> { [(N)] : N > 0; [(1)] : N <= 0 }".
	Extents []string
	// Spelled are the extents for people, as C expressions with min and max;
	// where they are negative, nothing runs.
	Spelled []string
}

// Expand is the program in which the statements access the expanded arrays,
// with relations[k] the references of the statements, in their order, to that
// of list[k], and at most limit bytes for all arrays: another program with the same statements in the same places. It
// does not ask whether both compute the same. An array that no statement
// accesses any more is not part of it.
func (p *Program) Expand(list []Expansion, relations [][]string, limit int64) *Program {
	q := *p
	q.Arrays, q.Statements = slices.Clone(p.Arrays), slices.Clone(p.Statements)
	q.Locals = slices.Clone(p.Locals)
	q.Expansions, q.ExpansionLimit = list, limit
	for k, e := range list {
		array := *p.Array(e.Array)
		array.Name, array.Variable, array.Extents = e.Name, e.Name, e.Spelled
		array.Local, array.Argument, array.Temporary = true, false, false
		q.Arrays = append(q.Arrays, array)
		rest := relations[k]
		for _, s := range e.Statements {
			n := q.Statements[s].references(e.Array)
			q.Statements[s] = q.Statements[s].expanded(e, rest[:n])
			rest = rest[n:]
		}
	}
	for _, e := range list {
		q.dropUnused(e.Array)
	}
	return &q
}

// references is how many of the statement's accesses are to the array.
func (s *Statement) references(array string) (count int) {
	for _, a := range s.Accesses {
		if a.Array == array {
			count++
		}
	}
	return count
}

// expanded is the statement with an expanded array in the place of a
// temporary: in its text each name of the temporary gets a subscript for each
// loop.
func (s Statement) expanded(e Expansion, relations []string) Statement {
	s.Accesses = slices.Clone(s.Accesses)
	for k := range s.Accesses {
		if a := &s.Accesses[k]; a.Array == e.Array {
			a.Array, a.Relation = e.Name, relations[0]
			relations = relations[1:]
		}
	}
	s.Reduction = s.Reduction.of(e.Array, e.Name)
	name, uses := s.element(e)
	return s.replaced(e.Array, name, uses)
}

// element is the text of the part of an expanded array that belongs to an
// instance, and the iterators that it names.
func (s *Statement) element(e Expansion) (string, []Use) {
	var text strings.Builder
	var uses []Use
	text.WriteString(e.Name)
	for k, first := range e.First {
		text.WriteString("[")
		uses = append(uses, Use{Offset: text.Len(), Loop: k, Subscript: true})
		text.WriteString(s.Loops[k].Iterator)
		switch {
		case first > 0:
			fmt.Fprintf(&text, " - %d", first)
		case first < 0:
			text.WriteString(" + " + strings.TrimPrefix(strconv.FormatInt(first, 10), "-"))
		}
		text.WriteString("]")
	}
	return text.String(), uses
}

// ExpandedBytes is the memory that expanded arrays take when the parameters
// have these values.
func (p *Program) ExpandedBytes(values map[string]int) (int64, error) {
	f := Function{Name: "the expanded program"}
	for _, e := range p.Expansions {
		f.Arguments = append(f.Arguments, Argument{Name: e.Name, Role: Pointer, Extents: e.Spelled})
	}
	return f.Bytes(p, values)
}
