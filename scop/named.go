package scop

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
)

// Named are a statement's references to an array as its text has them, where the text names the
// array's variable in no other way than by single elements, each of them an access: other memory may
// stand there. ok is false elsewhere, as where an address is taken, a row is an argument, or a macro
// has a reference several times.
func (p *Program) Named(s *Statement, array *Array) (references []*Ref, ok bool) {
	if a := p.Assignment(s); a != nil {
		isOther := func(r *Ref) bool { return r.Name != array.InTexts() }
		return slices.DeleteFunc(slices.Clone(a.Operands), isOther), !array.Linear && array.Path == ""
	}
	variable, path := array.variable()
	if s.Value == nil || array.Linear {
		return nil, false
	}
	ok = true
	mentions, accesses := 0, 0
	Walk(s.Value, func(e Expr) bool {
		switch e := e.(type) {
		case *Unary:
			ref, is := Unwrapped(e.X).(*Ref)
			ok = ok && !(is && ref.Name == variable && (e.Operator == "&" || e.Operator == "sizeof"))
		case *Ref:
			if e.Name != variable {
				break
			}
			mentions++
			if ok = ok && e.Loop < 0 && p.isElement(e); e.Selected == path {
				references = append(references, e)
			}
		}
		return true
	})
	for _, word := range ctext.Words(s.Source) {
		if word == variable {
			mentions--
		}
	}
	for _, a := range s.Accesses {
		if a.Array == array.Name {
			accesses++
		}
	}
	return references, ok && mentions == 0 && accesses == len(references)
}

// variable is the C variable that holds the array, and what stands behind its name in an element.
func (a *Array) variable() (name, path string) {
	whole := a.path()
	end := strings.IndexAny(whole, "[.-")
	if end < 0 {
		return whole, ""
	}
	return whole[:end], whole[end:]
}

// isElement says whether a reference names an element of one array alone.
func (p *Program) isElement(r *Ref) bool {
	count := 0
	for k := range p.Arrays {
		if name, path := p.Arrays[k].variable(); name == r.Name && path == r.Selected {
			count++
		}
	}
	return count == 1
}
