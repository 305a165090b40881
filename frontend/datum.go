package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// A subscript that depends on data may be any number. Whoever chooses the data has to know how
// large it may be:
//
//	x[column[k]], p[3 * next[i] + 1], y[rank[i] - 1]
//	for (k = start[i]; k < start[i + 1]; k++) … value[k]

// mostDatum bounds the factor and the offset of a subscript that is made of data.
const mostDatum = 64

// datumSearch bounds how many variables pass a value on.
const datumSearch = 4

// datumOf is how a subscript depends on integers of arrays that the region only reads; the zero
// value where it may depend on anything else.
func (x *extractor) datumOf(n cc.ExpressionNode, most int) scop.Datum {
	if n == nil || most == 0 {
		return scop.Datum{}
	}
	switch e := unwrap(n).(type) {
	case *cc.CastExpression:
		if e.Case == cc.CastExpressionCast && cc.IsIntegerType(e.Type()) && cc.IsIntegerType(e.CastExpression.Type()) {
			return x.datumOf(e.CastExpression, most)
		}
		return scop.Datum{}
	case *cc.AdditiveExpression:
		if e.Case == cc.AdditiveExpressionAdd {
			return x.scaledDatum(e.AdditiveExpression, e.MultiplicativeExpression, most, func(d *scop.Datum, c int) { d.Offset += c })
		}
		if _, isConstant := constantValue(e.MultiplicativeExpression); isConstant {
			return x.scaledDatum(e.AdditiveExpression, e.MultiplicativeExpression, most, func(d *scop.Datum, c int) { d.Offset -= c })
		}
		return scop.Datum{}
	case *cc.MultiplicativeExpression:
		if e.Case == cc.MultiplicativeExpressionMul {
			return x.scaledDatum(e.MultiplicativeExpression, e.CastExpression, most, func(d *scop.Datum, c int) { d.Factor, d.Offset = d.Factor*c, d.Offset*c })
		}
		return scop.Datum{}
	}
	v, ok := resolve(n)
	switch {
	case !ok || !cc.IsIntegerType(n.Type()):
	case len(v.members)+len(v.subscripts) == 0:
		return x.datumIn(v.variable, most)
	case !x.facts.local[v.variable] && x.changeOf(v) == nil:
		return scop.Datum{Factor: 1}
	}
	return scop.Datum{}
}

// scaledDatum is a datum on one side of an operator that has a small constant on the other side.
func (x *extractor) scaledDatum(a, b cc.ExpressionNode, most int, scale func(d *scop.Datum, constant int)) scop.Datum {
	if _, isConstant := constantValue(a); isConstant {
		a, b = b, a
	}
	constant, isConstant := constantValue(b)
	d := x.datumOf(a, most)
	if !isConstant || constant < 0 || constant > mostDatum || d.Factor == 0 {
		return scop.Datum{}
	}
	if scale(&d, int(constant)); d.Factor == 0 || d.Factor > mostDatum || d.Offset > mostDatum || d.Offset < -mostDatum {
		return scop.Datum{}
	}
	return d
}

// datumIn is how a variable's values in the region depend on data: all of them are data, or small
// constants, or those of a for that counts upwards to a datum.
func (x *extractor) datumIn(d *cc.Declarator, most int) (all scop.Datum) {
	if !cc.IsIntegerType(d.Type()) || d.AddressTaken() || isFileScope(d) || d.IsParam() {
		return scop.Datum{}
	}
	known, isFirst := true, true
	add := func(value cc.ExpressionNode) {
		datum := scop.Datum{}
		if constant, ok := constantValue(value); ok && constant >= 0 && constant <= mostDatum {
			datum.Offset = int(constant)
		} else {
			datum = x.datumOf(value, most-1)
			known = known && datum.Factor > 0
		}
		if isFirst {
			all, isFirst = datum, false
			return
		}
		before := max(all.Factor, datum.Factor)
		all = together(all, datum)
		known = known && all.Factor == before
	}
	counted := map[cc.Node]bool{}
	for _, item := range x.items {
		visit(item, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.IterationStatement:
				if bound, step := countsTo(n, d); bound != nil {
					counted[step] = true
					add(bound)
				}
			case *cc.InitDeclarator:
				if n.Declarator == d && n.Initializer != nil {
					add(n.Initializer.AssignmentExpression)
				}
			case *cc.AssignmentExpression:
				if n.Case != cc.AssignmentExpressionCond && variableOf(n.UnaryExpression) == d {
					known = known && n.Case == cc.AssignmentExpressionAssign
					add(n.AssignmentExpression)
				}
			case *cc.PostfixExpression:
				isStep := n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec
				known = known && !(isStep && variableOf(n.PostfixExpression) == d && !counted[n])
			case *cc.UnaryExpression:
				isStep := n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec
				known = known && !(isStep && variableOf(n.UnaryExpression) == d && !counted[n])
			}
		})
	}
	if !known || all.Factor == 0 {
		return scop.Datum{}
	}
	return all
}

// countsTo is what a for counts a variable up to, one after the other, and the expression that
// does; nil for other loops.
func countsTo(n *cc.IterationStatement, d *cc.Declarator) (bound, step cc.ExpressionNode) {
	var condition cc.ExpressionNode
	switch n.Case {
	case cc.IterationStatementFor:
		condition, step = n.ExpressionList2, n.ExpressionList3
	case cc.IterationStatementForDecl:
		condition, step = n.ExpressionList, n.ExpressionList2
	default:
		return nil, nil
	}
	if condition == nil || step == nil {
		return nil, nil
	}
	comparison, ok := unwrap(condition).(*cc.RelationalExpression)
	if !ok || comparison.Case != cc.RelationalExpressionLt || variableOf(comparison.RelationalExpression) != d {
		return nil, nil
	}
	switch e := unwrap(step).(type) {
	case *cc.PostfixExpression:
		if e.Case == cc.PostfixExpressionInc && variableOf(e.PostfixExpression) == d {
			return comparison.ShiftExpression, e
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionInc && variableOf(e.UnaryExpression) == d {
			return comparison.ShiftExpression, e
		}
	}
	return nil, nil
}

// datumWith is how a reference depends on data with one more subscript, the one in dimension k,
// that does.
func (c *collector) datumWith(r reference, array *arrayInfo, subscripts []cc.ExpressionNode, k int) scop.Datum {
	isFirst := !slices.ContainsFunc(r.subscripts, func(s subscript) bool { return !s.known })
	if array.rows != nil || k >= len(subscripts) || !isFirst && r.datum.Factor == 0 && r.datum.Below == 0 {
		return scop.Datum{}
	}
	d := c.x.datumOf(subscripts[k], datumSearch)
	d.Below = c.x.belowOf(subscripts[k])
	if isFirst {
		return d
	}
	if d.Factor == 0 || r.datum.Factor == 0 {
		d.Factor, d.Offset, r.datum.Factor, r.datum.Offset = 0, 0, 0, 0
	}
	return together(d, r.datum)
}

// together is how subscripts depend on data of which each does so in one of two ways; the zero
// value where these have no least integer in common from which on all are at least 0.
func together(a, b scop.Datum) (both scop.Datum) {
	if a.Below > 0 && b.Below > 0 {
		both.Below = max(a.Below, b.Below)
	}
	a.Below, b.Below = 0, 0
	if a == b || min(a.Offset, b.Offset) >= 0 {
		both.Factor, both.Offset = max(a.Factor, b.Factor), max(a.Offset, b.Offset)
	}
	return both
}
