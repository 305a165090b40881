package scop

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
)

// Placement keeps the values that some statements have in a temporary scalar in the elements of
// another array of the program instead, in one for each iteration of the loops that they share.
type Placement struct {
	// Array is the temporary.
	Array string
	// Loops is the number of loops each iteration of which has an element.
	Loops int
	// Statements are those that use the element in the place of the temporary, as indices in the program
	// that has it.
	Statements []int
	// Host is the array that has the elements, and Element the text of one in C, in
	// which Uses are the places of iterators: the target of the assignment From.
	Host, Element string
	Uses          []Use
	From          int
}

// String says what has been put where.
func (l Placement) String() string { return fmt.Sprintf("%s has its values in %s", l.Array, l.Element) }

// Places are the placements by which an array's elements could have the values that the statements
// have in a temporary: the elements that they are assigned to in the end. In a text that other statements
// can have too there are only the array, iterators of the first loops, parameters and numbers.
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

// readElement takes the text of an element and the places of its iterators out of a statement's, or
// answers false where it could mean something else in another statement.
func (p *Program) readElement(s *Statement, at Place, place *Placement) bool {
	place.Element = s.Source[at.Start:at.End]
	for i := at.Start; i < at.End; i++ {
		if !ctext.IsWordByte(s.Source[i]) {
			continue
		}
		word := ctext.WordAt(s.Source, i)
		use := slices.IndexFunc(s.Uses, func(u Use) bool { return u.Offset == i })
		switch {
		case use >= 0:
			u := s.Uses[use]
			if u.Loop >= place.Loops || !u.Subscript {
				return false
			}
			u.Offset -= at.Start
			place.Uses = append(place.Uses, u)
		case i > at.Start && !ctext.IsDigit(word[0]) && !p.isParameter(word):
			return false
		}
		i += len(word) - 1
	}
	return true
}

// isParameter says whether a word names a parameter wherever it stands in the region.
func (p *Program) isParameter(word string) bool {
	isLocal := slices.ContainsFunc(p.Locals, func(l Local) bool { return l.Name == word })
	return slices.Contains(p.Parameters, word) && p.Spelling(word) == word && !isLocal
}

// Place is the program in which the statements use the elements that the placement says: another
// program with the same statements in the same places. relations are those of their references, in their order. It does not
// ask whether both compute the same.
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

// placed is the statement with an element in the place of a temporary. It is no reduction where it has other
// references to the array, as for the front end.
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
			m.Array, shift = l.Host, shift+len(l.Element)-len(ctext.WordAt(s.Source, m.Offset))
		}
		mentions = append(mentions, Mention{at, m.Array})
	}
	s = s.replaced(l.Array, l.Element, l.Uses)
	s.Mentions = mentions
	return s
}

// WithoutCopies is the program without the statements that give an element the value that it has:
// x = x, as they are where a temporary that is read from an array, or assigned to it, is in its place.
func (p *Program) WithoutCopies() *Program {
	q := *p
	q.Statements = slices.DeleteFunc(slices.Clone(p.Statements), func(s Statement) bool {
		if len(s.Accesses) != 2 || s.Accesses[0].Array != s.Accesses[1].Array {
			return false
		}
		a := p.Assignment(&s)
		return a != nil && a.Operator == "=" && s.text(a.Operands[0]) == s.text(a.Value)
	})
	return &q
}

// text is a part of a statement's, without blanks around it.
func (s *Statement) text(at Place) string { return strings.TrimSpace(s.Source[at.Start:at.End]) }
