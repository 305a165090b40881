package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// isMadeOfIndices says that an expression is no affine one only because variables in it stand for
// indices of rows.
func (c *collector) isMadeOfIndices(n cc.ExpressionNode) bool {
	if n == nil {
		return false
	}
	_, ok := c.evaluator().polynomial(n)
	return ok
}

// dependsOnData says that the value of an expression can only be
// over-approximated: it reads memory that the region may change or that is no
// plain variable, or comes from a call. Other expressions that are not affine
// are mistakes worth an error.
func (c *collector) dependsOnData(n cc.ExpressionNode) bool {
	found := false
	visit(n, func(n cc.Node) {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionCall:
				found = true
			}
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref
		case *cc.PrimaryExpression:
			d := variableOf(x)
			found = found || d != nil && c.x.facts.assigned[d] != nil && (c.inner != nil || !c.x.facts.isIterator(d))
		}
	})
	return found
}

// isMadeOfParameters says that an expression reads parameters and iterators alone, of what memory
// holds and by the functions of the file that it calls: data do not decide its value.
func (c *collector) isMadeOfParameters(n cc.ExpressionNode) bool {
	if n == nil || isFloating(n) {
		return false
	}
	are, e := true, c.evaluator()
	visit(n, func(n cc.Node) {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				_, err := e.affine(x)
				are = are && err == nil
			case cc.PostfixExpressionCall:
				d := calledBy(x)
				are = are && d != nil && c.x.definitions[d.Name()] != nil
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionDeref {
				_, err := e.affine(x)
				are = are && err == nil
			}
		case *cc.PrimaryExpression:
			d := variableOf(x)
			are = are && (d == nil || c.x.facts.assigned[d] == nil || c.inner == nil && c.x.facts.isIterator(d))
		}
	})
	return are
}

// namesLocal says that an expression whose value is known names a variable that the region declares
// and that has no known value, as in a choice that is never taken. The text needs its declaration.
func (c *collector) namesLocal(n cc.ExpressionNode) bool {
	return slices.ContainsFunc(namedIn(n), func(d *cc.Declarator) bool {
		b := c.bindingOf(d)
		return c.x.facts.local[d] && !c.inner[d] && (b == nil || b.copy == nil && b.loop < 0)
	})
}
