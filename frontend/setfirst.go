package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// isSetFirst says whether the region gives a variable a value in front of each use of it: in the
// block that the use is in, or in one around that, or at the head of a loop around.
func (x *extractor) isSetFirst(d *cc.Declarator) bool {
	s := setting{d, true}
	set := false
	for _, item := range x.items {
		set = s.item(item, set)
	}
	return s.isFirst && !x.jumps()
}

// isSetInside says that a variable of the function is one that the opaque statement sets in front of
// each use that it makes of it: it reads nothing of what was in it.
func (c *collector) isSetInside(d *cc.Declarator) bool {
	if d == nil || c.whole == nil || d.AddressTaken() || d.IsVolatile() || d.IsAtomic() || isFileScope(d) || !d.IsParam() && d.StorageDuration() != cc.Automatic {
		return false
	}
	is, known := c.setInside[d]
	if !known {
		s := setting{d, true}
		s.statement(c.whole, false)
		is = s.isFirst && !hasGoto(c.whole)
		c.setInside[d] = is
	}
	return is
}

// setting is what is known of a variable's values along a region.
type setting struct {
	*cc.Declarator
	isFirst bool
}

// item is whether the variable is set behind an item of a block, if it is so in front of it or not.
func (s *setting) item(item *cc.BlockItem, set bool) bool {
	switch item.Case {
	case cc.BlockItemStmt:
		return s.statement(item.Statement, set)
	case cc.BlockItemDecl:
		for l := item.Declaration.InitDeclaratorList; item.Declaration.Case == cc.DeclarationDecl && l != nil; l = l.InitDeclaratorList {
			if l.InitDeclarator.Initializer != nil {
				s.use(l.InitDeclarator.Initializer, set)
			}
			if l.InitDeclarator.Declarator == s.Declarator {
				set = l.InitDeclarator.Initializer != nil
			}
		}
		return set
	}
	s.use(item, set)
	return set
}

// use notes a node that uses the variable before it is set.
func (s *setting) use(n cc.Node, set bool) {
	s.isFirst = s.isFirst && (set || !slices.Contains(namedIn(n), s.Declarator))
}

// expression is item for an expression.
func (s *setting) expression(n cc.ExpressionNode, set bool) bool {
	for _, part := range commaParts(n) {
		x, ok := unwrap(part).(*cc.AssignmentExpression)
		if ok && x.Case == cc.AssignmentExpressionAssign && variableOf(x.UnaryExpression) == s.Declarator {
			s.use(x.AssignmentExpression, set)
			set = true
			continue
		}
		s.use(part, set)
	}
	return set
}

// statement is item for a statement.
func (s *setting) statement(n *cc.Statement, set bool) bool {
	switch n.Case {
	case cc.StatementCompound:
		for _, item := range itemsOf(n.CompoundStatement) {
			set = s.item(item, set)
		}
	case cc.StatementExpr:
		return s.expression(n.ExpressionStatement.ExpressionList, set)
	case cc.StatementIteration:
		loop := n.IterationStatement
		inside := set
		if loop.Case == cc.IterationStatementFor {
			set = s.expression(loop.ExpressionList, set)
			inside = set
		} else if loop.Case == cc.IterationStatementForDecl {
			inside = s.item(&cc.BlockItem{Case: cc.BlockItemDecl, Declaration: loop.Declaration}, set)
		}
		for _, part := range []cc.ExpressionNode{loop.ExpressionList, loop.ExpressionList2, loop.ExpressionList3} {
			if part != nil && !(loop.Case == cc.IterationStatementFor && part == loop.ExpressionList) {
				s.use(part, inside)
			}
		}
		s.statement(loop.Statement, inside)
	case cc.StatementSelection:
		choice := n.SelectionStatement
		s.use(choice.ExpressionList, set)
		if choice.Case == cc.SelectionStatementSwitch {
			// Its labels lead past what sets the variable.
			s.use(choice.Statement, set)
			return set
		}
		for _, branch := range []*cc.Statement{choice.Statement, choice.Statement2} {
			if branch != nil {
				s.statement(branch, set)
			}
		}
	default:
		s.use(n, set)
	}
	return set
}
