package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// condition evaluates an expression as a truth value.
func (e *evaluator) condition(n cc.ExpressionNode) (formula, error) {
	n = unwrap(n)
	if value, ok := constantValue(n); ok {
		return comparison{constantForm(value), "!=", constantForm(0)}, nil
	}
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		l, err := e.condition(x.LogicalAndExpression)
		if err != nil {
			return nil, err
		}
		r, err := e.under(l).condition(x.InclusiveOrExpression)
		return and(l, r), err
	case *cc.LogicalOrExpression:
		l, err := e.condition(x.LogicalOrExpression)
		if err != nil {
			return nil, err
		}
		r, err := e.under(l.negated()).condition(x.LogicalAndExpression)
		if err != nil {
			return nil, err
		}
		return or(l, r), nil
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			inner, err := e.condition(x.CastExpression)
			if err != nil {
				return nil, err
			}
			return inner.negated(), nil
		}
	}
	if left, op, right, ok := comparisonOf(n); ok {
		return e.comparison(left, op, right)
	}
	value, err := e.affine(n)
	if err != nil {
		return nil, err
	}
	return compare(value, "!=", single(constantForm(0))), nil
}

// comparisonOf takes a relational or equality expression apart.
func comparisonOf(n cc.ExpressionNode) (left cc.ExpressionNode, op string, right cc.ExpressionNode, ok bool) {
	switch x := n.(type) {
	case *cc.RelationalExpression:
		op := map[cc.RelationalExpressionCase]string{
			cc.RelationalExpressionLt: "<", cc.RelationalExpressionGt: ">",
			cc.RelationalExpressionLeq: "<=", cc.RelationalExpressionGeq: ">="}[x.Case]
		return x.RelationalExpression, op, x.ShiftExpression, op != ""
	case *cc.EqualityExpression:
		op := map[cc.EqualityExpressionCase]string{
			cc.EqualityExpressionEq: "=", cc.EqualityExpressionNeq: "!="}[x.Case]
		return x.EqualityExpression, op, x.RelationalExpression, op != ""
	}
	return nil, "", nil, false
}

func (e *evaluator) comparison(left cc.ExpressionNode, op string, right cc.ExpressionNode) (formula, error) {
	e = e.ofBound()
	l, err := e.affine(left)
	if err != nil {
		return nil, err
	}
	r, err := e.affine(right)
	if err != nil {
		return nil, err
	}
	if err := e.converted(left, l, right, r); err != nil {
		return nil, err
	}
	if len(l.pieces)*len(r.pieces) > maxPieces {
		return nil, e.x.errorAt(left, "condition", fmt.Sprintf("the comparison has more than %d cases", maxPieces),
			"split it into several conditions")
	}
	return compare(l, op, r), nil
}
