package scop

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
)

// Named are a statement's references to an array as its text has them, where the text names the
// array in no other way: each of them has all subscripts, and each is one access, so that the name
// may stand for other memory there. ok is false elsewhere, as where an address is taken, a row is an
// argument, or a macro has a reference several times.
func (p *Program) Named(s *Statement, array *Array) (references []*Ref, ok bool) {
	name := array.InTexts()
	if a := p.Assignment(s); a != nil {
		isOther := func(r *Ref) bool { return r.Name != name }
		return slices.DeleteFunc(a.Operands, isOther), !array.Linear
	}
	if s.Value == nil || array.Linear || array.Path != "" || name == "" || !p.isOnlyOne(name) {
		return nil, false
	}
	ok = true
	Walk(s.Value, func(e Expr) bool {
		switch e := e.(type) {
		case *Unary:
			ref, is := Unwrapped(e.X).(*Ref)
			ok = ok && !(is && ref.Name == name && (e.Operator == "&" || e.Operator == "sizeof"))
		case *Ref:
			if e.Name == name {
				references = append(references, e)
				ok = ok && len(e.Subscripts) == len(array.Extents) && strings.Trim(e.Selected, "[]") == ""
			}
		}
		return true
	})
	mentions, accesses := 0, 0
	for _, word := range ctext.Words(s.Source) {
		if word == name {
			mentions++
		}
	}
	for _, a := range s.Accesses {
		if a.Array == array.Name {
			accesses++
		}
	}
	return references, ok && mentions == len(references) && accesses == len(references)
}

// isOnlyOne says whether texts call one array alone by a name.
func (p *Program) isOnlyOne(name string) bool {
	count := 0
	for k := range p.Arrays {
		if p.Arrays[k].InTexts() == name {
			count++
		}
	}
	isIterator := func(s Statement) bool { return slices.Contains(s.Iterators(), name) }
	return count == 1 && !slices.ContainsFunc(p.Statements, isIterator)
}
