package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Where a loop ends may be known in front of the region without being an affine form of anything:
//
//	for (i = 2; i * i < n; i++) …      int i_end = 2; while (i_end * i_end < n) i_end += 1;    for (i = 2; i < i_end; i++) …
//
// The condition is asked of the same values, until it does not hold. The loop has to stand in the
// region itself, so that it runs in any case, its condition has to be the only way out of it, and its
// iterator has to be signed: an unsigned one may wrap around on the way.

// foundEnd has a loop with such a condition run up to where it ends.
func (r *rewriter) foundEnd(loop *cc.IterationStatement) {
	if !r.x.unbounded[loop] || !r.isInBlock() || r.namesIn(loop) || !slices.ContainsFunc(r.items, func(item *cc.BlockItem) bool {
		return item.Case == cc.BlockItemStmt && item.Statement.IterationStatement == loop
	}) {
		return
	}
	h, err := r.x.header(loop, place{})
	if err != nil || h.shift != 0 || len(h.declared)+len(h.before)+len(h.further) > 0 || h.body != loop.Statement || !isSteppable(h.iterator) || isUnsigned(h.iterator.Type()) ||
		leavesLoop(h.body) || h.inIterations().assigned[h.iterator] != nil || !r.isKnownInFront(h.start) || !r.isAskedInFront(h) {
		return
	}
	first, _, _, okFirst := r.textOf(h.start)
	_, start, end, ok := r.textOf(h.test)
	name := r.newName(h.iterator.Name() + "_end")
	asked, okAsked := r.inPlaces(h.test, map[*cc.Declarator]string{h.iterator: name})
	if !ok || !okFirst || !okAsked {
		return
	}
	at := r.x.bounds.pragmaStart
	r.replace(at, at, fmt.Sprintf("%s%s %s = %s; while (%s) %s += %d;\n", r.x.indent(r.x.bounds), typeName(h.iterator.Type()), name, first, asked, name, h.step))
	r.replace(start, end, fmt.Sprintf("%s %s %s", h.iterator.Name(), map[bool]string{true: "<", false: ">"}[h.step > 0], name))
}

// isAskedInFront says that a loop's condition is one of its iterator and of what is known in front
// of the region, and none that compares the iterator with a variable.
func (r *rewriter) isAskedInFront(h loopHeader) bool {
	if left, _, right, ok := comparedBy(h); ok && variableOf(left) == h.iterator && variableOf(right) != nil {
		return false
	}
	isIterator := func(d *cc.Declarator) bool { return d == h.iterator }
	return r.isKnownWith(h.test, isIterator) && slices.ContainsFunc(namedIn(h.test), isIterator)
}

// inPlaces is the text of an expression, as an operand, with other operands in the places of
// variables.
func (r *rewriter) inPlaces(n cc.ExpressionNode, others map[*cc.Declarator]string) (text string, ok bool) {
	_, start, end, ok := r.textOf(n)
	if !ok {
		return "", false
	}
	var list []replacement
	for d, other := range others {
		uses, ok := r.usesOf(d)
		if !ok {
			return "", false
		}
		for _, offset := range uses {
			if offset >= start && offset < end {
				list = append(list, replacement{offset, offset + len(d.Name()), other})
			}
		}
	}
	slices.SortFunc(list, func(a, b replacement) int { return a.start - b.start })
	var b strings.Builder
	for _, l := range list {
		b.Write(r.x.withoutComments(start, l.start))
		b.WriteString(l.text)
		start = l.end
	}
	b.Write(r.x.withoutComments(start, end))
	return asOperand(n, strings.Join(strings.Fields(b.String()), " ")), true
}
