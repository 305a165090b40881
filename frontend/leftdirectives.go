package frontend

import "slices"

// A region means what it means without the directives of its loops. Where it is refused as it
// stands, they may be in the way of what is said in another way: a pointer that walks, or changes
// places with another one, would have to be another one in them, too. So they are left out then,
// once nothing else can be rewritten.

// neutralPragma takes the place of a directive in front of #pragma scop, so that the region still
// begins there. The model reads nothing in it, and compilers that check the text no more: it need
// not stand in front of a loop for them.
const neutralPragma = "ivdep"

// leaveOutDirectives leaves out the directives of the region's loops. They stay where one of them is
// refused, or lets updates run in another order.
func (r *rewriter) leaveOutDirectives() {
	if r.x.refusesDirective || len(r.x.permissions) > 0 {
		return
	}
	for _, p := range r.x.allPragmas() {
		switch {
		case !p.isOfLoops() || p.start < r.x.bounds.pragmaStart || p.start >= r.x.bounds.end:
		case p.start >= r.x.bounds.front:
			r.replace(p.start, p.end, "")
		case p.counts() && r.x.source[p.start] == '#':
			r.replace(p.start, p.end, "#pragma "+neutralPragma)
		case p.counts():
			r.replace(p.start, p.end, `_Pragma("`+neutralPragma+`")`)
		}
	}
	r.leaveOutConditionals()
	if len(r.list) > 0 {
		if r.x.inLeftOut == nil {
			r.x.inLeftOut = map[int]map[string]bool{}
		}
		r.x.inLeftOut[r.x.bounds.number] = r.x.inClauses
	}
}

// leaveOutConditionals leaves out every #if to #endif of the region that has nothing but such
// directives in it.
func (r *rewriter) leaveOutConditionals() {
	for i, l := range r.x.lexemes {
		isEnd := l.kind == directive && l.start >= r.x.bounds.start && l.start < r.x.bounds.end && slices.Equal(r.x.directiveWords(l), []string{"endif"})
		if !isEnd {
			continue
		}
		if first := r.x.conditionalBefore(i + 1); first <= i && r.x.lexemes[first].start >= r.x.bounds.start {
			r.replace(r.x.lexemes[first].start, l.end, "")
		}
	}
}
