package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// selection is an if: with an affine condition its branches are ordinary
// places; otherwise the whole of it is one statement.
func (x *extractor) selection(s *cc.Statement, at place) {
	n := s.SelectionStatement
	if n.Case == cc.SelectionStatementSwitch {
		x.refuse(n, "switch", "switch inside the region", "use if and else with affine conditions")
		return
	}
	condition, err := x.evaluatorAt(at).condition(n.ExpressionList)
	if err != nil {
		x.dataDependent(s, at, err)
		return
	}
	x.body(n.Statement, at.under(condition))
	if n.Statement2 != nil {
		x.body(n.Statement2, at.under(condition.negated()))
	}
}

// under is the place in a branch with that condition.
func (p place) under(condition formula) place {
	p.conditions = append(slices.Clone(p.conditions), condition)
	return p
}

// dataDependent makes one statement of a whole if whose condition depends on
// data. All accesses of its branches may or may not happen.
func (x *extractor) dataDependent(s *cc.Statement, at place, why error) {
	n := s.SelectionStatement
	c := x.newCollector(at)
	if !c.dependsOnData(n.ExpressionList) && !isFloating(n.ExpressionList) {
		x.problems.add(why)
		return
	}
	c.expression(n.ExpressionList)
	c.maybe = true
	c.branch(n.Statement)
	c.branch(n.Statement2)
	if x.accept(c) {
		x.emit(s, s, at, c)
	}
}

// isFloating says that an expression computes with floating-point numbers.
func isFloating(n cc.ExpressionNode) bool {
	found := false
	visit(n, func(n cc.Node) {
		if e, ok := n.(cc.ExpressionNode); ok && cc.IsFloatingPointType(e.Type()) {
			found = true
		}
	})
	return found
}

// branch collects from a branch of a data-dependent if.
func (c *collector) branch(s *cc.Statement) {
	if s == nil {
		return
	}
	switch s.Case {
	case cc.StatementExpr:
		if s.ExpressionStatement.ExpressionList != nil {
			c.expression(s.ExpressionStatement.ExpressionList)
		}
	case cc.StatementCompound:
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			if l.BlockItem.Case != cc.BlockItemStmt {
				c.fail(l.BlockItem, "declaration", "a declaration under a condition that depends on data", "declare the variable in front of the if")
				continue
			}
			c.branch(l.BlockItem.Statement)
		}
	case cc.StatementSelection:
		if s.SelectionStatement.Case == cc.SelectionStatementSwitch {
			c.fail(s, "switch", "switch inside the region", "use if and else with affine conditions")
			return
		}
		c.expression(s.SelectionStatement.ExpressionList)
		c.branch(s.SelectionStatement.Statement)
		c.branch(s.SelectionStatement.Statement2)
	case cc.StatementIteration:
		c.fail(s, "condition", "a loop under a condition that depends on data", "put the condition inside the loop, around single statements")
	default:
		c.fail(s, "jump", "goto, break, continue, return or a label under a condition that depends on data", "use if and else around single statements")
	}
}
