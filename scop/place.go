package scop

import (
	"fmt"
	"slices"
)

// Placement keeps the values that some statements have in a temporary scalar in the elements of
// another array of the program instead, in one for each iteration of the loops that they share.
type Placement struct {
	// Array is the temporary.
	Array string
	// Loops is the number of loops each iteration of which has an element.
	Loops int
	// Statements are those that use the element in the place of the temporary, as indices in the
	// program that has it.
	Statements []int
	// Host is the array that has the elements, and Element the text of one in C, in which Uses are
	// the places of iterators, and which says Value: the target of the assignment From.
	Host, Element string
	Uses          []Use
	Value         *Ref
	From          int
}

// String says what has been put where.
func (l Placement) String() string { return fmt.Sprintf("%s has its values in %s", l.Array, l.Element) }

// Places are the placements by which an array's elements could have the values that the statements
// have in a temporary: the elements that they are assigned to in the end. In a text that other
// statements can have too there are only the array, iterators of the first loops, parameters and
// numbers.
func (p *Program) Places(temporary string, loops int, statements []int) (places []Placement) {
	for _, index := range statements {
		s := &p.Statements[index]
		a := p.Assignment(s)
		if a == nil || s.Accesses[0].Array == temporary || !s.Names(temporary) {
			continue
		}
		host, type_ := p.Array(s.Accesses[0].Array), p.Array(temporary).Type
		place := Placement{Array: temporary, Loops: loops, Statements: statements, Host: host.Name, From: index}
		shared := host.Renamable && p.PrivateLoops(host.Name) == 0
		if shared && host.Type == type_ && len(host.Extents) > 0 && p.readElement(s, a.Operands[0], &place) {
			places = append(places, place)
		}
	}
	return places
}

// readElement takes an element with the places of its iterators out of a statement, or
// answers false where it could mean something else in another statement.
func (p *Program) readElement(s *Statement, element *Ref, place *Placement) bool {
	place.Element = s.Source[element.Start:element.End]
	for _, u := range s.Uses {
		if u.Offset < element.Start || u.Offset >= element.End {
			continue
		}
		if u.Loop >= place.Loops || !u.Subscript {
			return false
		}
		u.Offset -= element.Start
		place.Uses = append(place.Uses, u)
	}
	here := func(at Place) Place { return Place{at.Start - element.Start, at.End - element.Start} }
	place.Value = change(element, here, func(*Ref) Expr { return nil }).(*Ref)
	return !slices.ContainsFunc(element.Subscripts, func(subscript Expr) bool {
		return Has(subscript, func(e Expr) bool {
			switch e := e.(type) {
			case *Ref:
				return e.Loop < 0 && !p.isParameter(e.Name) || e.Selected != ""
			case *Binary, *Number:
				return false
			case *Unary:
				return e.Operator != "-" && e.Operator != "+" && e.Operator != Parentheses
			}
			return true
		})
	})
}

// isParameter says whether a word names a parameter wherever it stands in the region.
func (p *Program) isParameter(word string) bool {
	isLocal := slices.ContainsFunc(p.Locals, func(l Local) bool { return l.Name == word })
	isSpelled := func(parameter string) bool { return p.Spelling(parameter) == word }
	return slices.ContainsFunc(p.Parameters, isSpelled) && !isLocal
}

// Place is the program in which the statements use the elements that the placement says: another
// program with the same statements in the same places. relations are those of their references, in
// their order. It does not ask whether both compute the same.
func (p *Program) Place(l Placement, relations []string) *Program {
	q := *p
	q.Arrays, q.Statements = slices.Clone(p.Arrays), slices.Clone(p.Statements)
	q.Locals = slices.Clone(p.Locals)
	q.Placements = append(slices.Clip(p.Placements), l)
	for _, s := range l.Statements {
		n := q.Statements[s].references(l.Array)
		q.Statements[s] = q.Statements[s].placed(l, relations[:n])
		relations = relations[n:]
	}
	q.dropUnused(l.Array)
	return &q
}

// placed is the statement with an element in the place of a temporary. It is no reduction where it
// has other references to the array, as for the front end.
func (s Statement) placed(l Placement, relations []string) Statement {
	hosts := s.Names(l.Host)
	s.Accesses = slices.Clone(s.Accesses)
	for k := range s.Accesses {
		if a := &s.Accesses[k]; a.Array == l.Array {
			a.Array, a.Relation = l.Host, relations[0]
			relations = relations[1:]
		}
	}
	s.Reduction = s.Reduction.of(l.Array, l.Host)
	if hosts {
		s.Reduction = nil
	}
	mentions, shift := []Mention{}, 0
	for _, m := range s.Mentions {
		at := m.Offset + shift
		if m.Array == l.Array {
			m.Array, shift = l.Host, shift+len(l.Element)-s.nameLength(m)
		}
		mentions = append(mentions, Mention{at, m.Array})
	}
	s = s.replaced(l.Array, element{l.Element, l.Uses, l.Value})
	s.Mentions = mentions
	return s
}

// WithoutCopies is the program without the statements that give an element the value that it has: x
// = x, as they are where a temporary that is read from an array, or assigned to it, is in its
// place.
func (p *Program) WithoutCopies() *Program {
	q := *p
	q.Statements = slices.DeleteFunc(slices.Clone(p.Statements), func(s Statement) bool {
		if len(s.Accesses) != 2 || s.Accesses[0].Array != s.Accesses[1].Array {
			return false
		}
		a := p.Assignment(&s)
		return a != nil && a.Operator == "=" && SameExpr(a.Operands[0], Unwrapped(a.Sum), func(k, l int) bool { return k == l })
	})
	return &q
}
