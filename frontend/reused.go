package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// A variable may be the iterator of one loop and hold data elsewhere:
//
//	for (j = 0; j < n; j++) h[j] = 0;      { int j_1; for (j_1 = 0; j_1 < n; j_1++) h[j_1] = 0; j = j_1; }
//	for (k = 0; k < m; k++) { j = x[k]; h[j]++; }
//
// Each loop over it then has an iterator of its own, and leaves the variable what that has in the
// end, unless nobody reads it.

// usedOutside is why an iterator is refused that is used outside of the loops over it. Where these
// have iterators of their own already, what one leaves in its iterator is known only when it has
// run: it is one statement, and the region is read again.
func (x *extractor) usedOutside(n cc.ExpressionNode, d *cc.Declarator) *Error {
	if x.separated[d.Name()] {
		x.reading.scalars[d], x.again = true, true
		return nil
	}
	if x.reused == nil {
		x.reused = map[*cc.Declarator]bool{}
	}
	x.reused[d] = true
	if jump := x.breakOf(d); jump != nil {
		return x.errorAt(n, "iterator", fmt.Sprintf("the iterator %s is used behind its loop, which the break at line %d may end", d.Name(), x.positionOf(jump).Line),
			"set a variable of its own where the loop breaks")
	}
	return x.errorAt(n, "iterator", fmt.Sprintf("the iterator %s is used outside of its loop", d.Name()), "use a variable of its own")
}

// useOutside is a use of an iterator in a statement with control flow of its own, outside of loops
// over it there.
type useOutside struct {
	at       cc.ExpressionNode
	iterator *cc.Declarator
}

// refuseUsesOutside refuses uses of iterators in statements with control flow of their own, where
// the model has loops over these: such loops leave the variable nothing.
func (x *extractor) refuseUsesOutside() {
	for _, use := range x.usesOutside {
		if !x.entered[use.iterator] {
			continue
		}
		if problem := x.usedOutside(use.at, use.iterator); problem != nil {
			x.problems = append(x.problems, problem)
		}
	}
}

// breakOf is a break that ends a loop of the region over a variable, or nil.
func (x *extractor) breakOf(d *cc.Declarator) (jump *cc.JumpStatement) {
	for _, item := range x.items {
		visit(item, func(n cc.Node) {
			loop, ok := n.(*cc.IterationStatement)
			own := newFacts()
			if ok {
				own.lookAtLoop(loop)
			}
			if own.iterators[d] && jump == nil {
				if first := jumpIn(loop.Statement); first != nil && first.Case == cc.JumpStatementBreak {
					jump = first
				}
			}
		})
	}
	return jump
}

// warnAboutLeft tells that a loop is one statement for the sake of what it leaves in its iterator.
func (x *extractor) warnAboutLeft(loop *cc.Statement, d *cc.Declarator) {
	if x.separated[d.Name()] {
		x.warnings = append(x.warnings, x.errorAt(loop, "iterator", "what this loop leaves in its iterator is used behind it, and known only when the loop has run, so this is one statement with everything inside it",
			"set a variable where the loop breaks, or give the loop an affine bound"))
	}
}

// separate gives the loops over iterators that are used outside of them iterators of their own.
func (r *rewriter) separate() {
	if r.hasDirectives() {
		return
	}
	end := map[*cc.Declarator]int{}
	var lists [][]replacement
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			loop, ok := n.(*cc.IterationStatement)
			if !ok {
				return
			}
			for d := range r.x.reused {
				s, ok := spanOf(loop)
				if !ok || s.start < end[d] {
					continue
				}
				if list := r.separateLoop(loop, d); list != nil {
					end[d] = s.last
					lists = append(lists, list)
				}
			}
		})
	}
	// Inner loops end first.
	slices.Reverse(lists)
	r.list = append(r.list, slices.Concat(lists...)...)
}

// hasDirectives says that there are directives in the region, or those of OpenMP in front of its
// first loop: they may ask for a loop where they stand, or name its iterator.
func (r *rewriter) hasDirectives() bool {
	isInFront := func(p pragma) bool {
		return p.counts() && p.start >= r.x.bounds.pragmaStart && p.start < r.x.bounds.front
	}
	return slices.ContainsFunc(r.x.allPragmas(), isInFront) || slices.ContainsFunc(r.x.between(r.x.bounds.start, r.x.bounds.end), func(l lexeme) bool { return l.kind == directive })
}

// separateLoop gives a loop an iterator of its own; there are no replacements where it is none over
// the variable, or is left by a goto.
func (r *rewriter) separateLoop(loop *cc.IterationStatement, d *cc.Declarator) (list []replacement) {
	first := r.firstValue(loop, d)
	if first == nil || d.AddressTaken() || !isSteppable(d) || isFileScope(d) || r.x.separated[d.Name()] || hasGoto(loop) {
		return nil
	}
	_, start, end, ok := r.textOf(loop)
	_, firstStart, firstEnd, okFirst := r.textOf(first)
	uses, okUses := r.usesOf(d)
	if !ok || !okFirst || !okUses {
		return nil
	}
	name := r.freshName(d.Name())
	list = append(list, replacement{start, start, fmt.Sprintf("{ %s %s; ", typeName(d.Type()), name)})
	for _, offset := range uses {
		if offset >= start && offset < end && (offset < firstStart || offset >= firstEnd) {
			list = append(list, replacement{offset, offset + len(d.Name()), name})
		}
	}
	behind := ""
	if r.isReadBehind(loop, d, end) {
		behind = fmt.Sprintf("\n%s = %s;", d.Name(), name)
	}
	return append(list, replacement{end, end, behind + " }"})
}

// firstValue is what a for sets a variable to in front of its first iteration, where that is one
// that it steps; nil for others.
func (r *rewriter) firstValue(loop *cc.IterationStatement, d *cc.Declarator) cc.ExpressionNode {
	if loop.Case != cc.IterationStatementFor || loop.ExpressionList2 == nil {
		return nil
	}
	if !slices.Contains(setBy(commaParts(loop.ExpressionList3)), d) && (stepIn(loop.ExpressionList2) == nil || variableOf(targetOf(stepIn(loop.ExpressionList2))) != d) {
		return nil
	}
	return firstValueOf(loop, d)
}

// firstValueOf is what the first part of a for sets a variable to, where it does nothing else; nil
// for others.
func firstValueOf(loop *cc.IterationStatement, d *cc.Declarator) cc.ExpressionNode {
	list := commaParts(loop.ExpressionList)
	if len(list) != 1 {
		return nil
	}
	a, ok := unwrap(list[0]).(*cc.AssignmentExpression)
	if !ok || a.Case != cc.AssignmentExpressionAssign || variableOf(a.UnaryExpression) != d || hasAssignment(a.AssignmentExpression) {
		return nil
	}
	return a.AssignmentExpression
}

// isReadBehind says that what a loop of the region which ends at an offset leaves in a variable may
// be read.
func (r *rewriter) isReadBehind(loop *cc.IterationStatement, d *cc.Declarator, end int) (is bool) {
	r.x.visitFunction(func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		is = is || ok && variableOf(p) == d && (!r.x.inFile(p) || p.Token.Position().Offset >= end)
	})
	is = is || r.isInLoop(end) || r.x.jumps()
	r.x.visitFunction(func(n cc.Node) {
		if block, ok := n.(*cc.CompoundStatement); ok {
			is = is && !r.isSetNext(itemsOf(block), loop, d)
		}
	})
	return is
}

// isSetNext says that a loop is among the items of a block, and that the first one behind it that
// names a variable begins with setting that.
func (r *rewriter) isSetNext(items []*cc.BlockItem, loop *cc.IterationStatement, d *cc.Declarator) bool {
	k := slices.IndexFunc(items, func(item *cc.BlockItem) bool {
		return item.Case == cc.BlockItemStmt && item.Statement.Case == cc.StatementIteration && item.Statement.IterationStatement == loop
	})
	for _, item := range items[k+1:] {
		if k < 0 || item.Case != cc.BlockItemStmt {
			return false
		}
		named := false
		visit(item, func(n cc.Node) {
			p, ok := n.(*cc.PrimaryExpression)
			named = named || ok && variableOf(p) == d
		})
		if !named {
			continue
		}
		var value cc.ExpressionNode
		switch s := item.Statement; s.Case {
		case cc.StatementIteration:
			value = r.firstValue(s.IterationStatement, d)
		case cc.StatementExpr:
			if set, to := assignmentOf(s.ExpressionStatement.ExpressionList); set == d {
				value = to
			}
		}
		_, isUpdate := value.(*updateNode)
		return value != nil && !isUpdate && !slices.Contains(namedIn(value), d)
	}
	return false
}

// isInLoop says that a place of the region is in a loop.
func (r *rewriter) isInLoop(offset int) (is bool) {
	r.x.visitFunction(func(n cc.Node) {
		if loop, ok := n.(*cc.IterationStatement); ok {
			s, ok := r.x.keptSpan(loop)
			is = is || ok && s.start < offset && offset <= s.last
		}
	})
	return is
}

// hasGoto says that a statement has a goto in it.
func hasGoto(n cc.Node) (found bool) {
	visit(n, func(n cc.Node) {
		j, ok := n.(*cc.JumpStatement)
		found = found || ok && (j.Case == cc.JumpStatementGoto || j.Case == cc.JumpStatementGotoExpr)
	})
	return found
}

// freshName is a name that nothing in the file has, like another one.
func (r *rewriter) freshName(like string) string {
	if r.x.separated == nil {
		r.x.separated = map[string]bool{}
	}
	names := r.x.names()
	for n := 1; ; n++ {
		if name := fmt.Sprintf("%s_%d", like, n); !names[name] && !r.x.separated[name] {
			r.x.separated[name] = true
			return name
		}
	}
}

// isUsedOutside notes the use of an iterator that is not the one of a loop around; isRefused says
// that there is no reference.
func (c *collector) isUsedOutside(n cc.ExpressionNode, d *cc.Declarator) (isRefused bool) {
	if c.inner == nil {
		if problem := c.x.usedOutside(n, d); problem != nil {
			c.problems = append(c.problems, problem)
		}
		return true
	}
	if !slices.Contains(c.own, d) {
		c.x.usesOutside = append(c.x.usesOutside, useOutside{n, d})
	}
	return false
}
