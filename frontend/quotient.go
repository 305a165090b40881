package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// quotient is C's division or remainder, which round towards zero: the floor
// where the dividend is not negative, the ceiling elsewhere.
func (e *evaluator) quotient(x *cc.MultiplicativeExpression, l affine, divisor int64) (affine, error) {
	zero := single(constantForm(0))
	up, down := linear.floorDiv, func(v linear, d int64) linear { return v.times(-1).floorDiv(d).times(-1) }
	if x.Case == cc.MultiplicativeExpressionMod {
		up, down = linear.modulo, func(v linear, d int64) linear { return v.times(-1).modulo(d).times(-1) }
	}
	positive := l.mapValues(func(v linear) linear { return up(v, divisor) })
	negative := l.mapValues(func(v linear) linear { return down(v, divisor) })
	switch notNegative := compare(l, ">=", zero); {
	case e.holds(notNegative):
		return positive, nil
	case e.holds(compare(l, "<=", zero)):
		return negative, nil
	default:
		return choose(notNegative, positive, negative), nil
	}
}

// maxTimes bounds how often a divisor that is no constant may be in a dividend.
const maxTimes = 4

// fewTimes is the quotient or the remainder by a divisor that is no constant, such as (i + 1) % n,
// where it is at most a few times in a dividend that is not negative: v < n ? v : v - n. Where only
// parameters decide that, as for (i + shift) % n, the code checks it when it runs.
func (e *evaluator) fewTimes(x *cc.MultiplicativeExpression, l, r affine) (affine, error) {
	within := func(times int64) formula {
		return and(compare(l, ">=", single(constantForm(0))), compare(l, "<", r.times(times)))
	}
	here := e.under(and(e.x.assumptions...))
	for times := int64(1); times <= maxTimes; times++ {
		if here.holds(within(times)) {
			return e.countedOff(x, l, r, times), e.fitsUnsigned(x, l)
		}
	}
	acceptable := func(condition formula) bool { return e.isAboutShift(condition, l, r) && !e.letsFewThrough(condition) }
	for times := int64(2); times <= maxTimes; times++ {
		if e.holdsOrIsAssumedIf(within(times), acceptable) {
			return e.countedOff(x, l, r, times), e.fitsUnsigned(x, l)
		}
	}
	return affine{}, e.x.errorAt(x, "non-affine expression",
		fmt.Sprintf("the divisor is no positive constant, and the dividend is not known to be at least 0 and less than %d times the divisor", maxTimes),
		"add the condition that says so, as for (i + 1) % n with 0 <= i < n, or write what is meant: i == n - 1 ? 0 : i + 1")
}

// isAboutShift says whether a condition on parameters is on those of the dividend and the divisor,
// or the dividend has a parameter of its own, as (i + shift) % n has: t % n, with t from 0 to any
// number of steps, is nothing to assume anything about.
func (e *evaluator) isAboutShift(condition formula, l, r affine) bool {
	isOwn := func(name string) bool { return e.x.isParameterName(name) && l.dependsOn(name) && !r.dependsOn(name) }
	names := slices.DeleteFunc(identifierText.FindAllString(condition.text(false), -1), func(word string) bool { return !e.x.isParameterName(word) })
	return slices.ContainsFunc(e.x.parameters, func(p *parameter) bool { return isOwn(p.name) }) ||
		!slices.ContainsFunc(names, func(name string) bool { return !l.dependsOn(name) && !r.dependsOn(name) })
}

// countedOff is the quotient or the remainder of a dividend that is not negative and less than so
// many times the divisor.
func (e *evaluator) countedOff(x *cc.MultiplicativeExpression, l, r affine, times int64) affine {
	result := func(quotient int64) affine {
		if x.Case == cc.MultiplicativeExpressionDiv {
			return single(constantForm(quotient))
		}
		return l.plus(r.times(quotient), -1)
	}
	value := result(times - 1)
	for quotient := times - 2; quotient >= 0; quotient-- {
		value = e.chosen(compare(l, "<", r.times(quotient+1)), result(quotient), value)
	}
	return value
}

// fitsUnsigned proves that a value of an unsigned type below 64 bits does not wrap around at the
// upper end of it, as i + n - 1 may for an n of 3 000 000 000. Where parameters decide that, it is
// checked when the code runs.
func (e *evaluator) fitsUnsigned(x cc.ExpressionNode, l affine) error {
	_, greatest, _ := typeRange(x.Type())
	if !isUnsigned(x.Type()) || greatest == 0 {
		return nil
	}
	if e.withinTypes().holdsOrIsAssumed(compare(l, "<=", single(constantForm(greatest)))) {
		return nil
	}
	return e.x.errorAt(x, "unsigned arithmetic", fmt.Sprintf("unsigned arithmetic may wrap around: this value of type %s may exceed the type", typeName(x.Type())), "use long or size_t")
}
