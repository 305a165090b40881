package frontend

import "modernc.org/cc/v4"

// updateNode is an assignment that changes a variable's value by another one, such as w += 1 or
// w++, as the expression that is assigned: w + 1. The node that it stands for is embedded.
type updateNode struct {
	cc.ExpressionNode
	Variable cc.ExpressionNode
	// Second is nil for 1.
	Second   cc.ExpressionNode
	operator string
}

// assignmentOf is the variable that an expression sets, and the expression whose value it gets; nil
// where it is no assignment to a variable alone.
func assignmentOf(n cc.ExpressionNode) (*cc.Declarator, cc.ExpressionNode) {
	switch x := unwrap(n).(type) {
	case *cc.AssignmentExpression:
		d := variableOf(x.UnaryExpression)
		if x.Case == cc.AssignmentExpressionAssign {
			return d, x.AssignmentExpression
		}
		operator := map[cc.AssignmentExpressionCase]string{
			cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-", cc.AssignmentExpressionMul: "*"}[x.Case]
		if operator != "" && d != nil {
			return d, &updateNode{x, x.UnaryExpression, x.AssignmentExpression, operator}
		}
	case *cc.PostfixExpression:
		operator := map[cc.PostfixExpressionCase]string{cc.PostfixExpressionInc: "+", cc.PostfixExpressionDec: "-"}[x.Case]
		if operator != "" {
			return variableOf(x.PostfixExpression), &updateNode{x, x.PostfixExpression, nil, operator}
		}
	case *cc.UnaryExpression:
		operator := map[cc.UnaryExpressionCase]string{cc.UnaryExpressionInc: "+", cc.UnaryExpressionDec: "-"}[x.Case]
		if operator != "" {
			return variableOf(x.UnaryExpression), &updateNode{x, x.UnaryExpression, nil, operator}
		}
	}
	return nil, nil
}

// targetOf is the variable that an assignment sets, as an expression; nil for others.
func targetOf(n cc.ExpressionNode) cc.ExpressionNode {
	switch x := unwrap(n).(type) {
	case *cc.AssignmentExpression:
		return x.UnaryExpression
	case *cc.PostfixExpression:
		return x.PostfixExpression
	case *cc.UnaryExpression:
		return x.UnaryExpression
	}
	return nil
}

// updated is the value of an update.
func (e *evaluator) updated(x *updateNode) (affine, error) {
	l, err := e.affine(x.Variable)
	if err != nil {
		return l, err
	}
	r := single(constantForm(1))
	if x.Second != nil {
		if r, err = e.affine(x.Second); err != nil {
			return r, err
		}
		if err := e.converted(x.Variable, l, x.Second, r); err != nil {
			return r, err
		}
	}
	switch x.operator {
	case "+":
		return l.plus(r, 1), nil
	case "-":
		return l.plus(r, -1), nil
	}
	if _, ok := r.constant(); !ok {
		l, r = r, l
	}
	factor, ok := r.constant()
	if !ok {
		return affine{}, e.notAffine(x, "the product of two variables is not affine")
	}
	return l.times(factor), e.scaledWithin(x, l, factor)
}

// updatedIndex is the value of an update of an index of rows.
func (e *evaluator) updatedIndex(x *updateNode) (value polynomial, ok bool) {
	l, ok := e.polynomial(x.Variable)
	r := polynomial{{nil, 1}}
	if ok && x.Second != nil {
		r, ok = e.polynomial(x.Second)
	}
	switch {
	case !ok:
		return nil, false
	case x.operator == "+":
		return l.plus(r, 1), true
	case x.operator == "-":
		return l.plus(r, -1), true
	}
	return l.times(r), true
}

// isSteppable says whether the values of a variable can be followed from one assignment to the
// next: it is an integer as wide as int at least, and nothing but its name leads to it.
func isSteppable(d *cc.Declarator) bool {
	t := d.Type()
	return cc.IsIntegerType(t) && t.Size() >= 4 && t.Kind() != cc.Bool && !d.IsVolatile() && !d.IsAtomic() && !d.AddressTaken() &&
		(d.StorageDuration() == cc.Automatic || d.IsParam()) && !d.IsExtern()
}
