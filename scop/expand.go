package scop

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Expansion makes an array of its own out of the part that some statements use
// a temporary for, with elements for each iteration of the loops that they
// share.
type Expansion struct {
	Privatization
	// Shared is how many of the outermost ones of these loops have no dimension: their iterations
	// have the same elements, one after the other.
	Shared int
	// First is, for each of the other loops, the least value that the iterator
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

// Room is what temporaries may have that get elements of their own.
type Room struct {
	// Bytes is how many all their arrays may take together.
	Bytes int64
	// Sums leaves temporaries and variables without subscripts alone that no statement uses often
	// in one iteration of the loops that have values of their own: they may as well be private, and
	// in registers. A program has it where something is left.
	Sums bool
	// Outermost gives elements to iterations of the outermost loop alone, as private variables have
	// them, and leaves what may be private alone: arrays whose last values are needed, and large
	// ones, are used in the order of the source inside of it.
	Outermost bool
	// Sharing are arrays of which iterations of outermost loops share the elements.
	Sharing Sharing
}

// Equal says whether both are the same.
func (r Room) Equal(other Room) bool {
	return r.Bytes == other.Bytes && r.Sums == other.Sums && r.Outermost == other.Outermost && maps.Equal(r.Sharing, other.Sharing)
}

// With is the same room for arrays of which iterations share elements.
func (r Room) With(sharing Sharing) Room {
	r.Sharing = sharing
	return r
}

// Sharing is how many of the outermost loops around expanded arrays share the elements of these, by
// the arrays' names; those whose loops have elements each are not in it.
type Sharing map[string]int

// Sharing is that of the program's expanded arrays.
func (p *Program) Sharing() Sharing {
	sharing := Sharing{}
	for _, e := range p.Expansions {
		if e.Shared > 0 {
			sharing[e.Name] = e.Shared
		}
	}
	return sharing
}

// Dimensions is the number of the array's dimensions that stand for loops.
func (e Expansion) Dimensions() int { return e.Loops - e.Shared }

// Expand is the program in which the statements access the expanded arrays, with relations[k] the
// references of the statements, in their order, to that of list[k], and the room that the arrays
// have: another program with the same statements in the same places, and copies behind them, which
// LastValues makes. It does not ask whether both compute the same. An array that no statement
// accesses any more is not part of it.
func (p *Program) Expand(list []Expansion, relations [][]string, copies []Statement, room Room) *Program {
	q := *p
	q.Arrays, q.Statements = slices.Clone(p.Arrays), slices.Clone(p.Statements)
	q.Locals = slices.Clone(p.Locals)
	q.Expansions, q.Room = list, room
	q.Room.Sharing = q.Sharing()
	for k, e := range list {
		array := *p.Array(e.Array)
		array.Name, array.Variable, array.Extents, array.Linear, array.Rows = e.Name, e.Name, e.Spelled, false, ""
		array.Local, array.Argument, array.Temporary, array.Renamable = true, false, false, false
		q.Arrays = append(q.Arrays, array)
		rest := relations[k]
		for _, s := range e.Statements {
			n := q.Statements[s].references(e.Array)
			q.Statements[s] = q.Statements[s].expanded(e, rest[:n])
			rest = rest[n:]
		}
	}
	q.Statements = append(q.Statements, copies...)
	for _, e := range list {
		q.dropUnused(e.Array)
	}
	return &q
}

// SetsAgain says whether a statement gives elements of a renamable array values, whatever they
// were, in more loops than the array has subscripts: so it sets some again, which could be other
// elements.
func (p *Program) SetsAgain(a *Array) bool {
	return a.Renamable && slices.ContainsFunc(p.Statements, func(s Statement) bool {
		return s.Depth() > len(a.Extents) && slices.ContainsFunc(s.Accesses, func(access Access) bool {
			return access.Array == a.Name && access.Write && !access.Read
		})
	})
}

// LastValues is a statement behind all of the program and count more that brings values of an
// expanded array back: along the loops of the expansion and one for each subscript of an element,
// with these iterators. Its domain, a set of their values in isl's notation whose tuple has the
// statement's name, says which; the original array has them then.
func (p *Program) LastValues(e Expansion, count int, iterators []string, domain string) Statement {
	first := &p.Statements[e.Statements[0]]
	s := Statement{Name: p.StatementBehind(count), Domain: domain, Position: make([]int, len(iterators)+1), Line: first.Line, Column: first.Column}
	s.Position[0] = p.PositionBehind() + count
	for k, iterator := range iterators {
		s.Loops = append(s.Loops, Loop{Iterator: iterator, Type: "long"})
		if k < e.Loops {
			s.Loops[k].Type = first.Loops[k].Type
		}
	}
	from := s.expandedElement(e)
	s.addSubscripts(from, e.Loops)
	to := &Ref{Name: p.Array(e.Array).InTexts(), Loop: -1}
	s.addSubscripts(to, e.Loops)
	s.Value = &Binary{Operator: "=", X: to, Y: from}
	s.Write()
	instance, subscripts := s.Name+"["+strings.Join(iterators, ", ")+"]", []string{}
	for k, start := range e.First {
		subscripts = append(subscripts, fmt.Sprintf("%s - (%d)", iterators[k], start))
	}
	subscripts = append(subscripts, iterators[e.Loops:]...)
	s.Accesses = []Access{
		{Array: e.Array, Write: true, Relation: fmt.Sprintf("{ %s -> %s[%s] }", instance, e.Array, strings.Join(subscripts[e.Loops:], ", "))},
		{Array: e.Name, Read: true, Relation: fmt.Sprintf("{ %s -> %s[%s] }", instance, e.Name, strings.Join(subscripts, ", "))},
	}
	return s
}

// Users are the statements that access an expanded array, by index: its own ones, and one that
// brings last values back.
func (p *Program) Users(e Expansion) (users []int) {
	for k := range p.Statements {
		if p.Statements[k].references(e.Name) > 0 {
			users = append(users, k)
		}
	}
	return users
}

// BringsBack says whether a statement, given by its index, is one that LastValues made.
func (p *Program) BringsBack(s int) bool {
	return slices.ContainsFunc(p.Expansions, func(e Expansion) bool {
		return !slices.Contains(e.Statements, s) && p.Statements[s].Names(e.Name)
	})
}

// Deepest is the number of loops around the statements that have most of them, which have the most
// instances, but for those that bring last values back.
func (p *Program) Deepest() (depth int) {
	for k := range p.Statements {
		if !p.BringsBack(k) {
			depth = max(depth, p.Statements[k].Depth())
		}
	}
	return depth
}

// addSubscripts appends the iterators of the loops from the given one on to a reference.
func (s *Statement) addSubscripts(to *Ref, from int) {
	for k, loop := range s.Loops[from:] {
		to.Selected += "[]"
		to.Subscripts = append(to.Subscripts, &Ref{Name: loop.Iterator, Loop: from + k})
	}
}

// StatementBehind is the name of a further statement behind all of the program and count more.
func (p *Program) StatementBehind(count int) string {
	last, _ := strconv.Atoi(strings.TrimPrefix(p.Statements[len(p.Statements)-1].Name, "S"))
	return fmt.Sprintf("S%d", last+1+count)
}

// PositionBehind is the first position outside of all loops behind all statements.
func (p *Program) PositionBehind() (position int) {
	for i := range p.Statements {
		position = max(position, p.Statements[i].Position[0]+1)
	}
	return position
}

// Names says whether the statement accesses the array.
func (s *Statement) Names(array string) bool { return s.references(array) > 0 }

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
// loop that has a dimension.
func (s Statement) expanded(e Expansion, relations []string) Statement {
	s.Accesses = slices.Clone(s.Accesses)
	for k := range s.Accesses {
		if a := &s.Accesses[k]; a.Array == e.Array {
			a.Array, a.Relation = e.Name, relations[0]
			relations = relations[1:]
		}
	}
	s.Reduction = s.Reduction.of(e.Array, e.Name)
	w := exprWriter{loops: s.Loops}
	value := w.write(s.expandedElement(e), loosest)
	return s.replaced(e.Array, element{w.text.String(), w.uses, value.(*Ref)})
}

// expandedElement is the part of an expanded array that belongs to an instance.
func (s *Statement) expandedElement(e Expansion) *Ref {
	name := &Ref{Name: e.Name, Loop: -1, Selected: strings.Repeat("[]", len(e.First))}
	for k, first := range e.First {
		var subscript Expr = &Ref{Name: s.Loops[e.Shared+k].Iterator, Loop: e.Shared + k}
		switch {
		case first > 0:
			subscript = &Binary{Operator: "-", X: subscript, Y: &Number{Text: strconv.FormatInt(first, 10)}}
		case first < 0:
			subscript = &Binary{Operator: "+", X: subscript, Y: &Number{Text: strings.TrimPrefix(strconv.FormatInt(first, 10), "-")}}
		}
		name.Subscripts = append(name.Subscripts, subscript)
	}
	return name
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
