package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// checkIteratorsAfter refuses regions whose iterators are read after them,
// because transformed loops do not leave the same values. Inside a surrounding
// loop, what stands in front of the region comes after it, too.
func (x *extractor) checkIteratorsAfter() {
	again := x.bounds.start
	for _, loop := range x.loopsAround() {
		x.checkLoopAround(loop)
		if s, ok := spanOf(loop); ok {
			again = min(again, s.start)
		}
	}
	x.checkNextUse(x.bounds.end, len(x.source))
	x.checkNextUse(again, x.bounds.start)
}

// loopsAround are the loops of the function around the region.
func (x *extractor) loopsAround() []*cc.IterationStatement {
	var loops []*cc.IterationStatement
	visit(x.function.CompoundStatement, func(n cc.Node) {
		if loop, ok := n.(*cc.IterationStatement); ok {
			if s, ok := spanOf(loop); ok && s.start < x.bounds.start && s.last >= x.bounds.end {
				loops = append(loops, loop)
			}
		}
	})
	return loops
}

// checkLoopAround refuses a region that changes the iterator of a loop around
// it.
func (x *extractor) checkLoopAround(loop *cc.IterationStatement) {
	around := newFacts()
	around.lookAtLoop(loop)
	for d := range around.iterators {
		if at := x.facts.assigned[d]; at != nil {
			x.refuse(at, "iterator", fmt.Sprintf("%s is the iterator of a loop around the region", d.Name()),
				"use another variable inside the region")
		}
	}
}

// checkNextUse refuses an iterator whose first use in the range of offsets is
// not that it is set.
func (x *extractor) checkNextUse(start, end int) {
	for d := range x.facts.iterators {
		if x.facts.local[d] {
			continue
		}
		if p := x.readFirst(d, start, end); p != nil {
			x.refuse(p, "iterator", fmt.Sprintf("the value that the loops leave in %s is used after the region", d.Name()),
				"compute the value without the iterator; transformed loops do not leave it behind")
		}
	}
}

// readFirst is the first use of a variable in the range of offsets, unless
// that sets it.
func (x *extractor) readFirst(d *cc.Declarator, start, end int) (first *cc.PrimaryExpression) {
	seen := false
	visit(x.function.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || seen || variableOf(p) != d || !x.inFile(p) || p.Token.Position().Offset < start || p.Token.Position().Offset >= end {
			return
		}
		seen = true
		if !x.isSetAt(p) {
			first = p
		}
	})
	return first
}

// isSetAt says that the text goes on with a plain assignment to the name.
func (x *extractor) isSetAt(p *cc.PrimaryExpression) bool {
	i := x.lexemeAt(p.Token.Position().Offset)
	if i < 0 || i+2 >= len(x.lexemes) {
		return false
	}
	return x.of(x.lexemes[i+1]) == "=" && x.of(x.lexemes[i+2]) != "="
}
