package scop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Privatization makes a variable of its own out of the part that some
// statements use an array for, with an object for each iteration of the loops
// that they share.
type Privatization struct {
	// Array is the array that the statements access in the source.
	Array string
	// Name is the private variable's.
	Name string
	// Loops is the number of loops each iteration of which has an object.
	Loops int
	// Statements are those that access the private variable.
	Statements []int
}

// Privatize is the program in which the statements access the private
// variables: another program with the same statements in the same places. It
// does not ask whether both compute the same. An array that no statement
// accesses any more is not part of it.
func (p *Program) Privatize(list []Privatization) *Program {
	q := *p
	q.Arrays, q.Statements = slices.Clone(p.Arrays), slices.Clone(p.Statements)
	q.Locals = slices.Clone(p.Locals)
	for _, private := range list {
		array := *p.Array(private.Array)
		array.Name, array.Variable, array.Linear, array.Rows = private.Name, private.Name, false, ""
		array.Local, array.Argument, array.Temporary, array.Renamable = true, false, false, false
		q.Arrays = append(q.Arrays, array)
		q.Locals = append(q.Locals, Local{Name: private.Name, Declaration: array.declaration(), Loops: private.Loops})
		for _, s := range private.Statements {
			q.Statements[s] = q.Statements[s].renamed(private.Array, private.Name)
		}
	}
	for _, private := range list {
		q.dropUnused(private.Array)
	}
	return &q
}

// declaration is the C text that declares the array by its type and extents.
func (a *Array) declaration() string {
	text := a.Type + " " + a.Name
	for _, extent := range a.Extents {
		text += "[" + extent + "]"
	}
	return text
}

// Bytes is the size of the array, or false where an extent is no number.
func (a *Array) Bytes() (int, bool) {
	bytes := a.Size
	for _, extent := range a.Extents {
		n, err := strconv.Atoi(extent)
		if err != nil || n <= 0 || bytes > 1<<40/n {
			return 0, false
		}
		bytes *= n
	}
	return bytes, true
}

// dropUnused takes an array out of the program that no statement accesses.
func (p *Program) dropUnused(name string) {
	for i := range p.Statements {
		if slices.ContainsFunc(p.Statements[i].Accesses, func(a Access) bool { return a.Array == name }) {
			return
		}
	}
	p.Arrays = slices.DeleteFunc(p.Arrays, func(a Array) bool { return a.Name == name })
	p.Locals = slices.DeleteFunc(p.Locals, func(l Local) bool { return l.Name == name })
}

// renamed is the statement with another name for a temporary.
func (s Statement) renamed(from, to string) Statement {
	s.Accesses = slices.Clone(s.Accesses)
	for k := range s.Accesses {
		a := &s.Accesses[k]
		if a.Array == from {
			a.Array, a.Relation = to, strings.ReplaceAll(a.Relation, fmt.Sprintf("-> %s[", from), fmt.Sprintf("-> %s[", to))
		}
	}
	s.Reduction = s.Reduction.of(from, to)
	return s.replaced(from, element{text: to, value: &Ref{Place: Place{0, len(to)}, Name: to, Loop: -1}})
}

// element is the text of a variable or of its element, the places of iterators in it, and what it
// says.
type element struct {
	text  string
	uses  []Use
	value *Ref
}

// replaced is the statement with an element in the places that name a temporary.
func (s Statement) replaced(from string, to element) Statement {
	var source strings.Builder
	done := 0
	copyUntil := func(end int) {
		source.WriteString(s.Source[done:end])
		done = end
	}
	var moved []Use
	rest := s.Uses
	moveUntil := func(end int) {
		for len(rest) > 0 && rest[0].Offset < end {
			use := rest[0]
			use.Offset += source.Len() - done
			moved, rest = append(moved, use), rest[1:]
		}
	}
	mentions := s.Mentions
	s.Mentions = nil
	// What is behind a place has moved by so many bytes.
	type shift struct{ behind, by int }
	var shifts []shift
	grown := 0
	for _, m := range mentions {
		moveUntil(m.Offset)
		if m.Array != from {
			m.Offset += source.Len() - done
			s.Mentions = append(s.Mentions, m)
			continue
		}
		copyUntil(m.Offset)
		for _, use := range to.uses {
			use.Offset += source.Len()
			moved = append(moved, use)
		}
		source.WriteString(to.text)
		done = m.Offset + s.nameLength(m)
		grown += len(to.text) - (done - m.Offset)
		shifts = append(shifts, shift{m.Offset, grown})
	}
	moveUntil(len(s.Source))
	copyUntil(len(s.Source))
	place := func(offset int) int {
		place := offset
		for _, m := range shifts {
			if m.behind < offset {
				place = offset + m.by
			}
		}
		return place
	}
	s.Reduction = s.Reduction.moved(place)
	isMention := func(offset int) bool {
		return slices.ContainsFunc(mentions, func(m Mention) bool { return m.Offset == offset && m.Array == from })
	}
	s.Value = to.inPlaceOf(s.Value, isMention, place)
	s.Source, s.Uses = source.String(), moved
	return s
}

// inPlaceOf is a tree with the element in the places of some names, whose subscripts follow its
// own. place is where what was at an offset is now.
func (e element) inPlaceOf(value Expr, isMention func(offset int) bool, place func(offset int) int) Expr {
	at := func(p Place) Place { return Place{place(p.Start), place(p.End)} }
	var other func(*Ref) Expr
	other = func(r *Ref) Expr {
		if !isMention(r.Start) {
			return nil
		}
		start := place(r.Start)
		name := change(e.value, func(p Place) Place { return Place{start + p.Start, start + p.End} }, func(*Ref) Expr { return nil }).(*Ref)
		name.Place, name.Selected = at(r.Place), name.Selected+r.Selected
		for _, subscript := range r.Subscripts {
			name.Subscripts = append(name.Subscripts, change(subscript, at, other))
		}
		return name
	}
	return change(value, at, other)
}

// nameLength is the length of the name at a mention in bytes.
func (s *Statement) nameLength(m Mention) (length int) {
	Walk(s.Value, func(e Expr) bool {
		if ref, is := e.(*Ref); is && ref.Start == m.Offset {
			length = len(ref.Name)
		}
		return true
	})
	return length
}
