package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// selection is an if: with an affine condition its branches are ordinary
// places; otherwise the whole of it is one statement.
func (x *extractor) selection(s *cc.Statement, at place) place {
	n := s.SelectionStatement
	if n.Case == cc.SelectionStatementSwitch {
		x.asOne(s, at, x.errorAt(n, "switch", "switch inside the region", "use if and else with affine conditions"))
		return at
	}
	condition, err := x.evaluatorAt(at).condition(n.ExpressionList)
	if err != nil {
		x.dataDependent(s, at, err)
		return at
	}
	yes, no := x.body(n.Statement, at.under(condition)), at
	if n.Statement2 != nil {
		no = x.body(n.Statement2, at.under(condition.negated()))
	}
	return x.merged(at, yes, no, condition, n.ExpressionList)
}

// under is the place in a branch with that condition.
func (p place) under(condition formula) place {
	p.conditions = append(slices.Clone(p.conditions), condition)
	return p
}

// dataDependent makes one statement of a whole if whose condition depends on
// data.
func (x *extractor) dataDependent(s *cc.Statement, at place, why error) {
	n := s.SelectionStatement
	if c := x.newCollector(at); !c.dependsOnData(n.ExpressionList) && !isFloating(n.ExpressionList) {
		x.asOneOr(s, at, why)
		return
	}
	x.opaque(s, at)
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
