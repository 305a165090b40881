package scop

import (
	"cmp"
	"slices"
	"strings"
)

// splice is a piece of a statement's text that another one has replaced.
type splice struct {
	Place
	// at is where the other one begins in the new text, and length how long it is.
	at, length int
}

// spliced is the statement with others in the place of some references, to the renamable array of
// that name, and everything else where it is in the text then.
func (s Statement) spliced(others map[*Ref]*Ref, name string) Statement {
	var source strings.Builder
	var splices []splice
	var uses []Use
	done := 0
	var mentions []Mention
	written := map[*Ref]Expr{}
	for _, ref := range inText(others) {
		source.WriteString(s.Source[done:ref.Start])
		w := exprWriter{loops: s.Loops}
		value := w.write(others[ref], tightest)
		at := source.Len()
		written[ref] = change(value, func(p Place) Place { return Place{p.Start + at, p.End + at} }, func(*Ref) Expr { return nil })
		mentions = append(mentions, Mention{at, name})
		for _, use := range w.uses {
			use.Offset += at
			uses = append(uses, use)
		}
		source.WriteString(w.text.String())
		splices = append(splices, splice{ref.Place, at, w.text.Len()})
		done = ref.End
	}
	source.WriteString(s.Source[done:])
	place := func(offset int) int { return movedBy(splices, offset) }
	isInside := func(offset int) bool {
		return slices.ContainsFunc(splices, func(p splice) bool { return p.Start <= offset && offset < p.End })
	}
	for _, use := range s.Uses {
		if !isInside(use.Offset) {
			use.Offset = place(use.Offset)
			uses = append(uses, use)
		}
	}
	slices.SortFunc(uses, func(a, b Use) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, m := range s.Mentions {
		if !isInside(m.Offset) {
			mentions = append(mentions, Mention{place(m.Offset), m.Array})
		}
	}
	slices.SortFunc(mentions, func(a, b Mention) int { return cmp.Compare(a.Offset, b.Offset) })
	s.Value = change(s.Value, func(p Place) Place { return Place{place(p.Start), place(p.End)} }, func(r *Ref) Expr { return written[r] })
	s.Source, s.Uses, s.Mentions, s.Reduction = source.String(), uses, mentions, s.Reduction.moved(place)
	return s
}

// inText are references in the order of the text.
func inText(others map[*Ref]*Ref) (refs []*Ref) {
	for ref := range others {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b *Ref) int { return cmp.Compare(a.Start, b.Start) })
	return refs
}

// movedBy is where a place is in the new text; it is not inside of what has been replaced.
func movedBy(splices []splice, offset int) int {
	moved := offset
	for _, p := range splices {
		if p.End <= offset {
			moved = offset - p.End + p.at + p.length
		}
	}
	return moved
}
