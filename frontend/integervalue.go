package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// integerValue is the value of an integer expression: an affine one, or an index of rows, such as i
// * m + j, which is a sum of products.
type integerValue struct {
	value affine
	// index is nil for an affine value.
	index polynomial
}

func affineInteger(value affine) integerValue { return integerValue{value: value} }

// integer evaluates an integer expression.
func (e *evaluator) integer(n cc.ExpressionNode) (integerValue, error) {
	value, err := e.affine(n)
	if err == nil {
		return integerValue{value: value}, nil
	}
	if index, ok := e.polynomial(n); ok {
		return integerValue{index: index}, nil
	}
	return integerValue{}, err
}

// asPolynomial is a value as a sum of products, in which variables stand for piecewise values.
func (x *extractor) asPolynomial(q integerValue) polynomial {
	if q.index != nil {
		return q.index
	}
	if form, ok := q.value.linear(); ok {
		return polynomialOf(form)
	}
	return polynomialOf(x.standInFor(q.value))
}

// sumOf is a + factor·b for a factor of 1 or -1.
func (x *extractor) sumOf(a, b integerValue, factor int64) integerValue {
	if a.index == nil && b.index == nil {
		return integerValue{value: a.value.plus(b.value, factor)}
	}
	return asInteger(x.asPolynomial(a).plus(x.asPolynomial(b), factor))
}

// productOf is a·b.
func (x *extractor) productOf(a, b integerValue) integerValue {
	if a.index == nil && b.index == nil {
		if factor, ok := a.value.constant(); ok {
			return integerValue{value: b.value.times(factor)}
		}
		if factor, ok := b.value.constant(); ok {
			return integerValue{value: a.value.times(factor)}
		}
	}
	return asInteger(x.asPolynomial(a).times(x.asPolynomial(b)))
}

// asInteger is a sum of products, which may be a linear form.
func asInteger(p polynomial) integerValue {
	if form, ok := p.linear(); ok {
		return integerValue{value: single(form)}
	}
	return integerValue{index: p}
}

// tooLarge says that the numbers or cases of a value are more than the model can hold.
func (q integerValue) tooLarge() bool {
	if q.index != nil {
		return q.index.tooLarge()
	}
	return q.value.tooLarge()
}

// choice is condition ? yes : no. Indices of rows that differ by sums of parameters' multiples are
// one of them and these sums, each times a piecewise number:
//
//	x == 0 ? c : c - nx   -->   c - nx * (x == 0 ? 0 : 1)
func (e *evaluator) choice(condition formula, yes, no integerValue) integerValue {
	switch {
	case yes.index == nil && no.index == nil:
		return affineInteger(e.chosen(condition, yes.value, no.value))
	case e.holds(condition):
		return yes
	case e.holds(condition.negated()):
		return no
	}
	result := e.x.asPolynomial(yes)
	for _, g := range e.x.byParameters(e.x.asPolynomial(no).plus(result, -1)) {
		part, ok := g.rest.linear()
		if !ok {
			return integerValue{index: append(result, product{factors: make([]term, maxRowLengths+2)})}
		}
		amount := choose(condition, single(constantForm(0)), single(part))
		result = result.plus(polynomialOf(e.x.standInFor(amount)).times(polynomial{{g.parameters, 1}}), 1)
	}
	return asInteger(result)
}

// multiples are those of one product of parameters in a sum.
type multiples struct {
	parameters []term
	rest       polynomial
}

// byParameters takes a sum apart by the parameters in its products.
func (x *extractor) byParameters(p polynomial) (groups []multiples) {
	for _, summand := range p {
		var parameters, others []term
		for _, t := range summand.factors {
			if x.isParameterName(t.text) {
				parameters = append(parameters, t)
			} else {
				others = append(others, t)
			}
		}
		key := product{factors: parameters}.key()
		k := slices.IndexFunc(groups, func(g multiples) bool { return product{factors: g.parameters}.key() == key })
		if k < 0 {
			k = len(groups)
			groups = append(groups, multiples{parameters: parameters})
		}
		groups[k].rest = groups[k].rest.plus(polynomial{{others, summand.coefficient}}, 1)
	}
	return groups
}

// keepsAs says that a variable of the second type holds a value of the first type that it gets:
// unsigned ones do not wrap around, and narrower ones lose nothing. Where parameters decide that,
// the code checks it when it runs.
func (e *evaluator) keepsAs(value affine, from, to cc.Type) bool {
	if value.tooLarge() {
		return false
	}
	if isUnsigned(to) && !e.holdsOrIsAssumed(compare(value, ">=", single(constantForm(0)))) {
		return false
	}
	least, greatest, _ := typeRange(to)
	if greatest == 0 || !isUnsigned(to) && from.Size() <= to.Size() && !(isUnsigned(from) && from.Size() == to.Size()) {
		return true
	}
	within := e.withinTypes()
	if value.hasLargeConstant() && !within.holds(compare(value, "<=", single(constantForm(greatest)))) {
		return false
	}
	return within.holdsOrIsAssumed(compare(value, "<=", single(constantForm(greatest)))) && within.holdsOrIsAssumed(compare(value, ">=", single(constantForm(least))))
}

// withinTypes is the evaluator that knows how large the parameters' types let them be.
func (e *evaluator) withinTypes() *evaluator {
	var known []formula
	for _, p := range e.x.parameters {
		if least, most, _ := typeRange(p.typ); most > 0 {
			known = append(known, between(least, variableForm(p.name), most))
		}
	}
	return e.under(and(known...))
}
