package frontend

import "slices"

// affine is a piecewise linear integer expression: the value is that of the
// piece whose condition holds; exactly one does.
type affine struct {
	pieces []piece
	// extremum is -1 for the minimum and 1 for the maximum of the operands,
	// which say the same as pieces; comparisons with an extremum become plain
	// conjunctions where they can. It is 0 otherwise.
	extremum int
	operands []affine
}

type piece struct {
	// when is nil for "always".
	when  formula
	value linear
}

// maxPieces bounds the case distinctions of one expression.
const maxPieces = 64

func single(value linear) affine { return affine{pieces: []piece{{nil, value}}} }

// linear is the form of an affine expression of one piece.
func (a affine) linear() (linear, bool) {
	if len(a.pieces) != 1 {
		return linear{}, false
	}
	return a.pieces[0].value, true
}

// constant is the value of an expression that has no variables.
func (a affine) constant() (int64, bool) {
	l, ok := a.linear()
	return l.constant, ok && l.isConstant()
}

// dependsOn says whether the value changes with the variable.
func (a affine) dependsOn(name string) bool {
	for _, p := range a.pieces {
		if p.value.dependsOn(name) {
			return true
		}
		if p.when == nil {
			continue
		}
		for _, v := range p.when.variables() {
			if v == name {
				return true
			}
		}
	}
	return false
}

func (a affine) tooLarge() bool {
	if len(a.pieces) > maxPieces {
		return true
	}
	for _, p := range a.pieces {
		if p.value.tooLarge() {
			return true
		}
	}
	return false
}

// hasLargeConstant says that a constant in one of the pieces is in the upper half of what 32 bits
// hold.
func (a affine) hasLargeConstant() bool {
	return slices.ContainsFunc(a.pieces, func(p piece) bool { return p.value.constant >= 1<<31 })
}

// mapValues applies an operation to the value of each piece.
func (a affine) mapValues(operation func(linear) linear) affine {
	mapped := affine{}
	for _, p := range a.pieces {
		mapped.pieces = append(mapped.pieces, piece{p.when, operation(p.value)})
	}
	return mapped
}

// combine applies an operation to the values of all pairs of pieces.
func combine(a, b affine, operation func(x, y linear) linear) affine {
	result := affine{}
	for _, p := range a.pieces {
		for _, q := range b.pieces {
			result.pieces = append(result.pieces, piece{both(p.when, q.when), operation(p.value, q.value)})
		}
	}
	return result
}

func both(a, b formula) formula {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return and(a, b)
}

// plus is a + factor·b for a factor of 1 or -1.
func (a affine) plus(b affine, factor int64) affine {
	sum := combine(a, b, func(x, y linear) linear { return x.plus(y, factor) })
	if _, shift := b.linear(); shift && a.extremum != 0 {
		return sum.withOperands(a, a.extremum, func(o affine) affine { return o.plus(b, factor) })
	}
	if _, shift := a.linear(); shift && b.extremum != 0 {
		return sum.withOperands(b, b.extremum*int(factor), func(o affine) affine { return a.plus(o, factor) })
	}
	return sum
}

// times is factor·a.
func (a affine) times(factor int64) affine {
	product := a.mapValues(func(l linear) linear { return l.times(factor) })
	if a.extremum == 0 || factor == 0 {
		return product
	}
	extremum := a.extremum
	if factor < 0 {
		extremum = -extremum
	}
	return product.withOperands(a, extremum, func(o affine) affine { return o.times(factor) })
}

func (a affine) withOperands(from affine, extremum int, operation func(affine) affine) affine {
	a.extremum = extremum
	for _, o := range from.operands {
		a.operands = append(a.operands, operation(o))
	}
	return a
}

// compare is the condition left op right.
func compare(left affine, op string, right affine) formula {
	if op != "=" && op != "!=" {
		if right.extremum != 0 {
			return spread(right, (right.extremum < 0) == (op[0] == '<'), func(o affine) formula { return compare(left, op, o) })
		}
		if left.extremum != 0 {
			return spread(left, (left.extremum > 0) == (op[0] == '<'), func(o affine) formula { return compare(o, op, right) })
		}
	}
	var cases []formula
	for _, p := range left.pieces {
		for _, q := range right.pieces {
			cases = append(cases, and(p.when, q.when, comparison{p.value, op, q.value}))
		}
	}
	return or(cases...)
}

// spread compares with every operand of an extremum; all says that every
// comparison must hold rather than one.
func spread(extremum affine, all bool, comparison func(affine) formula) formula {
	parts := make([]formula, len(extremum.operands))
	for i, o := range extremum.operands {
		parts[i] = comparison(o)
	}
	if all {
		return and(parts...)
	}
	return or(parts...)
}

// choose is condition ? yes : no.
func choose(condition formula, yes, no affine) affine {
	result := affine{}
	for _, p := range yes.pieces {
		result.pieces = append(result.pieces, piece{both(condition, p.when), p.value})
	}
	for _, p := range no.pieces {
		result.pieces = append(result.pieces, piece{both(condition.negated(), p.when), p.value})
	}
	result.extremum = extremumOf(condition, yes, no)
	if result.extremum != 0 {
		result.operands = []affine{yes, no}
	}
	return result
}

// extremumOf recognises a < b ? a : b and its variants.
func extremumOf(condition formula, yes, no affine) int {
	c, ok := condition.(comparison)
	a, okYes := yes.linear()
	b, okNo := no.linear()
	if !ok || !okYes || !okNo || c.op == "=" || c.op == "!=" {
		return 0
	}
	difference := c.left.plus(c.right, -1).plus(a.plus(b, -1), -1)
	opposite := c.left.plus(c.right, -1).plus(b.plus(a, -1), -1)
	less := c.op[0] == '<'
	switch {
	case isZero(difference) && less, isZero(opposite) && !less:
		return -1
	case isZero(difference), isZero(opposite):
		return 1
	}
	return 0
}

func isZero(l linear) bool { return l.isConstant() && l.constant == 0 }
