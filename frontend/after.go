package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// checkLoopsAround refuses a region that changes the iterator of a loop around
// it.
func (x *extractor) checkLoopsAround() {
	for _, loop := range x.loopsAround() {
		x.checkLoopAround(loop)
	}
}

// readLater is a place where the value that the region leaves in a variable
// may be read: behind the region, or in front of it in the next iteration of a
// loop around it. It is nil when there is none.
func (x *extractor) readLater(d *cc.Declarator) *cc.PrimaryExpression {
	again := x.bounds.start
	for _, loop := range x.loopsAround() {
		if s, ok := spanOf(loop); ok {
			again = min(again, s.start)
		}
	}
	if p := x.readFirst(d, x.bounds.end, len(x.source)); p != nil {
		return p
	}
	return x.readFirst(d, again, x.bounds.start)
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

// readFirst is the first use of a variable in the range of offsets that may
// read the value from before it. What follows an assignment in the branch of
// an if, or in the body of a loop, reads that one's value up to the end of the
// branch.
func (x *extractor) readFirst(d *cc.Declarator, start, end int) (first *cc.PrimaryExpression) {
	settled := start
	visit(x.function.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || first != nil || variableOf(p) != d || !x.inFile(p) {
			return
		}
		offset := p.Token.Position().Offset
		if offset < settled || offset >= end {
			return
		}
		if x.isSetAt(p) {
			settled = x.branchEnd(offset, end)
		} else {
			first = p
		}
	})
	return first
}

// branchEnd is the end of the innermost branch of an if or body of a loop that
// the offset is in and the region is not, or else the end given.
func (x *extractor) branchEnd(offset, end int) int {
	look := func(s *cc.Statement) {
		if extent, ok := spanOf(s); s != nil && ok && extent.start <= offset && offset <= extent.last &&
			(extent.start >= x.bounds.end || extent.last < x.bounds.start) {
			end = min(end, extent.last+1)
		}
	}
	visit(x.function.CompoundStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.SelectionStatement:
			look(n.Statement)
			look(n.Statement2)
		case *cc.IterationStatement:
			look(n.Statement)
		}
	})
	return end
}

// isUsedBehind says whether a variable is named behind the region.
func (x *extractor) isUsedBehind(d *cc.Declarator) (used bool) {
	visit(x.function.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		used = used || ok && variableOf(p) == d && x.inFile(p) && p.Token.Position().Offset >= x.bounds.end
	})
	return used
}

// isSetAt says that the text goes on with a plain assignment to the name.
func (x *extractor) isSetAt(p *cc.PrimaryExpression) bool {
	i := x.lexemeAt(p.Token.Position().Offset)
	if i < 0 || i+2 >= len(x.lexemes) {
		return false
	}
	return x.of(x.lexemes[i+1]) == "=" && x.of(x.lexemes[i+2]) != "="
}
