package frontend

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"modernc.org/cc/v4"
)

// checkLoopsAround refuses a region that changes the iterator of a loop around
// it.
func (x *extractor) checkLoopsAround() {
	for _, loop := range x.around() {
		x.checkLoopAround(loop)
	}
}

// readLater is a place where the value that the region leaves in a variable
// may be read: behind the region, in front of it or in the region where control
// comes back to that, in another function, or anywhere through a pointer. It is
// nil when there is none.
func (x *extractor) readLater(d *cc.Declarator) *cc.PrimaryExpression {
	body := x.function.CompoundStatement
	if p := x.readFirst(body, d, x.bounds.end, len(x.source)); p != nil {
		return p
	}
	if again := x.comesBackTo(d); again < x.bounds.start {
		if p := x.readFirst(body, d, again, x.bounds.end); p != nil {
			return p
		}
	}
	if d.AddressTaken() {
		return x.firstUse(d)
	}
	if d.StorageDuration() == cc.Static {
		return x.readElsewhere(d)
	}
	return nil
}

// comesBackTo is the first offset in front of the region at which control may
// come by with the value that the region leaves in a variable: that of the
// outermost loop around it, or the function's start for a function with labels
// and for variables that outlive a call.
func (x *extractor) comesBackTo(d *cc.Declarator) int {
	again := x.bounds.start
	for _, loop := range x.around() {
		if s, ok := spanOf(loop); ok && !x.isDeclaredIn(d, s) {
			again = min(again, s.start)
		}
	}
	if d.StorageDuration() == cc.Static || x.jumps() {
		return 0
	}
	return again
}

// isDeclaredIn says that a variable is declared in a loop: each iteration has another one.
func (x *extractor) isDeclaredIn(d *cc.Declarator, loop span) bool {
	at := d.Position().Offset
	return x.inFile(d) && at >= loop.start && at <= loop.last
}

// jumps says that the function has a goto.
func (x *extractor) jumps() (found bool) {
	x.visitFunction(func(n cc.Node) {
		jump, ok := n.(*cc.JumpStatement)
		found = found || ok && (jump.Case == cc.JumpStatementGoto || jump.Case == cc.JumpStatementGotoExpr)
	})
	return found
}

// readElsewhere is the first use of a variable in another function that may
// read the value from before it.
func (x *extractor) readElsewhere(d *cc.Declarator) *cc.PrimaryExpression {
	for _, name := range slices.Sorted(maps.Keys(x.definitions)) {
		if f := x.definitions[name]; f != x.function {
			if p := x.readFirst(f.CompoundStatement, d, 0, len(x.source)); p != nil {
				return p
			}
		}
	}
	return nil
}

// firstUse is the first place in the function that names a variable.
func (x *extractor) firstUse(d *cc.Declarator) (first *cc.PrimaryExpression) {
	x.visitFunction(func(n cc.Node) {
		if p, ok := n.(*cc.PrimaryExpression); ok && first == nil && variableOf(p) == d {
			first = p
		}
	})
	return first
}

// loopsAround are the loops of the function around the region.
func (x *extractor) loopsAround() []*cc.IterationStatement {
	var loops []*cc.IterationStatement
	x.visitFunction(func(n cc.Node) {
		if loop, ok := n.(*cc.IterationStatement); ok {
			if s, ok := x.keptSpan(loop); ok && s.start < x.bounds.start && s.last >= x.bounds.end {
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

// readFirst is the first use of a variable in the range of offsets of a body
// that may read the value from before it. What follows an assignment in the branch of
// an if, or in the body of a loop, reads that one's value up to the end of the
// branch, unless a jump may lead past the assignment.
func (x *extractor) readFirst(body *cc.CompoundStatement, d *cc.Declarator, start, end int) (first *cc.PrimaryExpression) {
	settled, set, skipped := start, namesSetIn(body), 0
	visit(body, func(n cc.Node) {
		if jump, ok := n.(*cc.JumpStatement); ok && jump.Token.Position().Offset >= start {
			skipped = max(skipped, landing(body, jump))
		}
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || first != nil || variableOf(p) != d || !x.inFile(p) {
			return
		}
		offset := p.Token.Position().Offset
		if offset < settled || offset >= end {
			return
		}
		switch {
		case !set[p]:
			first = p
		case offset >= skipped:
			settled = x.branchEnd(body, p.Token, end)
		}
	})
	return first
}

// landing is the first offset behind a jump that is not skipped by it: that of a label, or of the
// end of the loop or switch that the jump leads out of. It is 0 for a return.
func landing(body *cc.CompoundStatement, jump *cc.JumpStatement) (to int) {
	if jump.Case == cc.JumpStatementGotoExpr {
		return math.MaxInt
	}
	visit(body, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.LabeledStatement:
			if jump.Case == cc.JumpStatementGoto && n.Case == cc.LabeledStatementLabel && n.Token.SrcStr() == jump.Token2.SrcStr() {
				to = n.Token.Position().Offset
			}
		case *cc.IterationStatement:
			if jump.Case == cc.JumpStatementBreak || jump.Case == cc.JumpStatementContinue {
				to = endAround(n, jump, to)
			}
		case *cc.SelectionStatement:
			if jump.Case == cc.JumpStatementBreak && n.Case == cc.SelectionStatementSwitch {
				to = endAround(n, jump, to)
			}
		}
	})
	return to
}

// endAround is the end of a statement that a jump is in, or else the value given.
func endAround(n cc.Node, jump *cc.JumpStatement, otherwise int) int {
	offset := jump.Token.Position().Offset
	if extent, ok := spanOf(n); ok && extent.start <= offset && offset <= extent.last {
		return extent.last
	}
	return otherwise
}

// branchEnd is the offset from which on the value that an assignment sets at a token is no more
// what is read for sure, up to the end given: the end of the innermost piece of code around it that
// runs on some condition only and that the region is not in, or the next label of a switch around
// it.
func (x *extractor) branchEnd(body *cc.CompoundStatement, set cc.Token, end int) int {
	look := func(pieces ...cc.Node) {
		for _, piece := range pieces {
			extent, ok := spanOf(piece)
			if ok && extent.contains(set) && (extent.start >= x.bounds.end || extent.last < x.bounds.start) {
				end = min(end, extent.last+1)
			}
		}
	}
	visit(body, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.SelectionStatement:
			look(n.Statement, n.Statement2)
			if n.Case == cc.SelectionStatementSwitch {
				end = min(end, x.nextCase(n.Statement, set))
			}
		case *cc.IterationStatement:
			look(n.Statement, advanceOf(n))
		case *cc.LogicalAndExpression:
			look(n.InclusiveOrExpression)
		case *cc.LogicalOrExpression:
			look(n.LogicalAndExpression)
		case *cc.ConditionalExpression:
			look(n.ExpressionList, n.ConditionalExpression)
		}
	})
	return end
}

// nextCase is the offset of the next label behind a token in the body of a switch around it, to
// which control may come without the token's statement. What is behind the region in its own switch
// is reached through the region only.
func (x *extractor) nextCase(body *cc.Statement, set cc.Token) int {
	extent, ok := spanOf(body)
	offset, next := set.Position().Offset, math.MaxInt
	if !ok || !extent.contains(set) || extent.start < x.bounds.start && offset >= x.bounds.end {
		return next
	}
	visit(body, func(n cc.Node) {
		l, ok := n.(*cc.LabeledStatement)
		if ok && l.Case != cc.LabeledStatementLabel && l.Token.Position().Offset > offset {
			next = min(next, l.Token.Position().Offset)
		}
	})
	return next
}

// advanceOf is the part of a for that runs behind its body, nil where it has none.
func advanceOf(n *cc.IterationStatement) cc.ExpressionNode {
	switch n.Case {
	case cc.IterationStatementFor:
		return n.ExpressionList3
	case cc.IterationStatementForDecl:
		return n.ExpressionList2
	}
	return nil
}

// isUsedBehind says whether a variable is named behind the region.
func (x *extractor) isUsedBehind(d *cc.Declarator) (used bool) {
	x.visitFunction(func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		used = used || ok && variableOf(p) == d && x.inFile(p) && p.Token.Position().Offset >= x.bounds.end
	})
	return used
}

// isLast says that the function does nothing behind the region but return a value that it computes
// from what is there: the region is in no loop, and no other statement is behind it or may jump
// back.
func (x *extractor) isLast() bool {
	last := len(x.around()) == 0 && !x.jumps()
	x.visitFunction(func(n cc.Node) {
		s, isStatement := n.(*cc.Statement)
		d, isDeclaration := n.(*cc.Declaration)
		switch {
		case isStatement && !isReturn(s):
			extent, ok := x.keptSpan(s)
			last = last && ok && extent.start < x.bounds.end
		case isDeclaration:
			extent, ok := x.keptSpan(d)
			last = last && ok && extent.start < x.bounds.end
		}
	})
	return last
}

// leadsElsewhere says that the elements of an array may be parts of another variable: they lie
// behind a pointer that is a member or a variable, unless the function has taken the memory for
// itself, or behind an argument that the function may have changed.
func (x *extractor) leadsElsewhere(a *arrayInfo) bool {
	d := a.declarator
	isPointer := d.Type().Kind() == cc.Ptr
	return a.origin != "" || isPointer && x.allocated(d) == nil && (!d.IsParam() || d.AddressTaken() || x.changes(d))
}

// changes says that the function gives a variable another value.
func (x *extractor) changes(d *cc.Declarator) (found bool) {
	x.visitFunction(func(n cc.Node) { found = found || isChange(n, d) })
	return found
}

// changesIn says that a piece of code gives a variable another value than its first one, as inline
// assembly may that names it.
func changesIn(body cc.Node, d *cc.Declarator) (found bool) {
	visit(body, func(n cc.Node) { found = found || isChange(n, d) })
	return found
}

// isChange says of a node by itself what changesIn says of a piece of code.
func isChange(n cc.Node, d *cc.Declarator) bool {
	switch n := n.(type) {
	case *cc.Asm:
		return slices.Contains(namedIn(n), d)
	case *cc.AssignmentExpression:
		return n.Case != cc.AssignmentExpressionCond && variableOf(n.UnaryExpression) == d
	case *cc.UnaryExpression:
		return (n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec) && variableOf(n.UnaryExpression) == d
	case *cc.PostfixExpression:
		return (n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec) && variableOf(n.PostfixExpression) == d
	}
	return false
}

// isReturn says that a statement is a return that changes nothing.
func isReturn(s *cc.Statement) bool {
	if s.Case != cc.StatementJump || s.JumpStatement.Case != cc.JumpStatementReturn {
		return false
	}
	changes := false
	visit(s.JumpStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.AssignmentExpression:
			changes = changes || n.Case != cc.AssignmentExpressionCond
		case *cc.UnaryExpression:
			changes = changes || n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec
		case *cc.PostfixExpression:
			changes = changes || n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec || n.Case == cc.PostfixExpressionCall
		}
	})
	return !changes
}

// namesSetIn are the places of a body where a plain assignment sets a variable.
func namesSetIn(body *cc.CompoundStatement) map[*cc.PrimaryExpression]bool {
	set := map[*cc.PrimaryExpression]bool{}
	visit(body, func(n cc.Node) {
		if a, ok := n.(*cc.AssignmentExpression); ok && a.Case == cc.AssignmentExpressionAssign {
			if p, ok := unwrap(a.UnaryExpression).(*cc.PrimaryExpression); ok {
				set[p] = true
			}
		}
	})
	return set
}
