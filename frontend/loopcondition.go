package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// goesOn is the condition under which the loop goes on. It must be one that,
// once false, stays false, because only then are the iterations exactly the
// points that meet it.
func (x *extractor) goesOn(h loopHeader, level loopLevel, start affine, inner place, first formula) (formula, error) {
	t := &loopTest{x: x, header: h, level: level, start: start, inner: inner, first: first}
	if h.shift != 0 {
		return t.stepping()
	}
	return t.condition(h.test)
}

// stepping is the condition of a loop whose test does the step: the body runs with the value behind
// it, and what is compared is that, or the one from before.
func (t *loopTest) stepping() (formula, error) {
	compared := single(variableForm(t.level.tuple))
	before := t.start.plus(single(constantForm(t.header.step)), -1)
	first := t.start
	if t.header.late {
		compared, first = compared.plus(single(constantForm(t.header.step)), -1), before
	}
	left, op, right, ok := comparisonOf(unwrap(t.header.test))
	end := single(constantForm(0))
	if !ok {
		op = "!="
	} else {
		e := t.x.evaluatorAt(t.inner).ofBound()
		var err error
		if end, err = e.affine(right); err != nil {
			return nil, err
		}
		if isUnsigned(cc.UsualArithmeticConversions(left.Type(), right.Type())) {
			if err := e.nonNegative(right, end); err != nil {
				return nil, err
			}
		}
		if end.dependsOn(t.level.tuple) {
			op = "?"
		}
	}
	further, reached := ">", ">="
	if t.header.step > 0 {
		further, reached = "<", "<="
	}
	iterator := t.header.iterator.Type()
	// An unsigned iterator may wrap around in its first step, which comes before the comparison.
	isSafe := t.header.late || !isUnsigned(iterator) || t.header.step < 0 && t.x.evaluatorAt(t.inner).holds(compare(first, ">=", single(constantForm(0))))
	switch {
	case op == further && isSafe:
		return compare(compared, further, end), nil
	case op == reached && isSafe && (!isUnsigned(iterator) || t.header.step < 0 && t.x.evaluatorAt(t.inner).holds(compare(end, ">=", single(constantForm(1))))):
		return compare(compared, reached, end), nil
	case op == "!=" && isSafe && (t.cannotPass(end) || t.x.evaluatorAt(t.inner, t.first).holds(compare(first, reached, end))):
		return compare(compared, further, end), nil
	}
	return nil, t.x.errorAt(t.header.test, "for", "the condition of the for does not simply bound "+t.level.name, loopAdvice)
}

// cannotPass says that a loop in steps of one meets an end: an unsigned iterator that counts down,
// whose start is known not to be negative, meets 0, and a signed one that begins behind the end
// would overflow, which C leaves undefined.
func (t *loopTest) cannotPass(end affine) bool {
	iterator := t.header.iterator.Type()
	if !isUnsigned(iterator) {
		return iterator.Size() >= 4
	}
	value, ok := end.constant()
	return ok && value == 0 && t.header.step < 0
}

// loopTest analyses the condition of one loop.
type loopTest struct {
	x      *extractor
	header loopHeader
	level  loopLevel
	start  affine
	inner  place
	first  formula
}

func (t *loopTest) condition(n cc.ExpressionNode) (formula, error) {
	n = unwrap(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		l, err := t.condition(x.LogicalAndExpression)
		if err != nil {
			return nil, err
		}
		r, err := t.condition(x.InclusiveOrExpression)
		return and(l, r), err
	case *cc.LogicalOrExpression:
		l, err := t.condition(x.LogicalOrExpression)
		if err != nil {
			return nil, err
		}
		r, err := t.condition(x.LogicalAndExpression)
		if err != nil {
			return nil, err
		}
		return or(l, r), nil
	}
	left, op, right, ok := comparisonOf(n)
	if !ok && variableOf(n) == t.header.iterator {
		return t.comparison(n, n, "!=", nil)
	}
	if !ok {
		return nil, t.x.errorAt(n, "for", "the condition of the for is no comparison", loopAdvice)
	}
	return t.comparison(n, left, op, right)
}

func (t *loopTest) comparison(n, left cc.ExpressionNode, op string, right cc.ExpressionNode) (formula, error) {
	e := t.x.evaluatorAt(t.inner, t.first).ofBound()
	if isUnsigned(t.header.iterator.Type()) {
		e = e.under(comparison{variableForm(t.level.tuple), ">=", constantForm(0)})
	}
	l, err := e.affine(left)
	if err != nil {
		return nil, err
	}
	r := single(constantForm(0))
	if right != nil {
		if r, err = e.affine(right); err != nil {
			return nil, err
		}
		if err := e.converted(left, l, right, r); err != nil {
			return nil, err
		}
	}
	if r.dependsOn(t.level.tuple) && !l.dependsOn(t.level.tuple) {
		l, op, r = r, swapped(op), l
	}
	if !l.dependsOn(t.level.tuple) && !r.dependsOn(t.level.tuple) {
		return compare(l, op, r), nil
	}
	return t.bound(n, l, op, r)
}

// upToFirst says that a condition holds in an iteration, and in all before it.
func (t *loopTest) upToFirst(condition formula) formula {
	inner := t.inner
	inner.conditions = append(slices.Clone(inner.conditions), t.first)
	if stride := max(t.header.step, -t.header.step); stride != 1 {
		inner.conditions = append(inner.conditions, strideCondition(single(variableForm(t.level.tuple)), t.start, stride))
	}
	return and(condition, t.x.noEarlier(condition.negated(), t.header, inner, t.start))
}

// swapped is the operator with its sides exchanged.
func swapped(op string) string {
	switch op[0] {
	case '<':
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	}
	return op
}

// bound checks that the comparison bounds the iterator in the direction in
// which it runs.
func (t *loopTest) bound(n cc.ExpressionNode, l affine, op string, r affine) (formula, error) {
	whole := compare(l, op, r)
	form, ok := l.linear()
	factor := form.coefficient(t.level.tuple)
	if other, simple := r.linear(); simple && ok {
		factor -= other.coefficient(t.level.tuple)
		r = single(other.without(t.level.tuple))
	}
	form = form.without(t.level.tuple)
	if !ok || factor == 0 || form.dependsOn(t.level.tuple) || r.dependsOn(t.level.tuple) {
		return t.upToFirst(whole), nil
	}
	form = form.plus(variableForm(t.level.tuple), factor)
	scaled := single(form)
	upward := t.header.step > 0
	switch op {
	case "=":
		return t.upToFirst(whole), nil
	case "!=":
		return t.differs(n, form, factor, r)
	}
	if (op[0] == '<') == (factor > 0) == upward {
		return compare(scaled, op, r), nil
	}
	if t.x.evaluatorAt(t.inner, t.first).holds(compare(scaled, op, r)) {
		return conjunction{}, nil
	}
	direction := map[bool]string{true: "up", false: "down"}[upward]
	return nil, t.x.errorAt(n, "for", fmt.Sprintf("the loop counts %s, but its condition does not bound %s from that side", direction, t.level.name),
		loopAdvice)
}

// differs is the condition of a loop that ends when the iterator meets a
// value; the step has to meet it. A start behind the end would overflow,
// which C leaves undefined for signed types.
func (t *loopTest) differs(n cc.ExpressionNode, form linear, factor int64, end affine) (formula, error) {
	refusal := t.x.errorAt(n, "for", fmt.Sprintf("the loop may step over the value at which its != ends it, because %s does not provably meet it", t.level.name),
		"use < or > instead of !=")
	if factor != 1 && factor != -1 || form.without(t.level.tuple).constant != 0 || len(form.terms) != 1 {
		return nil, refusal
	}
	if factor < 0 {
		end = end.times(-1)
	}
	upward, stride := t.header.step > 0, max(t.header.step, -t.header.step)
	e := t.x.evaluatorAt(t.inner)
	op := map[bool]string{true: "<", false: ">"}[upward]
	if stride != 1 && !e.holds(strideCondition(end, t.start, stride)) {
		return nil, refusal
	}
	if (stride != 1 || isUnsigned(t.header.iterator.Type())) && !e.holds(compare(t.start, op+"=", end)) {
		return nil, refusal
	}
	return compare(single(variableForm(t.level.tuple)), op, end), nil
}
