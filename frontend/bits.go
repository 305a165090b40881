package frontend

import (
	"math/bits"

	"modernc.org/cc/v4"
)

// mostBits bounds how many bits of a mask are told apart.
const mostBits = 3

// toggled is x ^ c or x | c for a constant c with few bits: each of them is turned over, or set,
// which adds or subtracts its value by what it is in x. That is its value times (1 - 2b), or (1 -
// b), where b is the bit, x / 2^k modulo 2. So it is for negative numbers in two's complement.
func (e *evaluator) toggled(n cc.ExpressionNode) (affine, error) {
	var left, right cc.ExpressionNode
	turned := int64(1)
	switch x := n.(type) {
	case *cc.InclusiveOrExpression:
		left, right = x.InclusiveOrExpression, x.ExclusiveOrExpression
	case *cc.ExclusiveOrExpression:
		left, right, turned = x.ExclusiveOrExpression, x.AndExpression, 2
	}
	l, mask, ok, err := e.withConstant(n, left, right)
	if err != nil {
		return affine{}, err
	}
	if !ok || mask < 0 || mask > maxCoefficient || bits.OnesCount64(uint64(mask)) > mostBits {
		return affine{}, e.x.errorAt(n, "non-affine expression", "^ and | are not affine, unless they are with a constant of at most 3 bits, as i ^ 1 and i | 4",
			"write i + 1 - 2 * (i % 2) for i ^ 1, or give the value a name in front of the region if it is the same in all iterations")
	}
	return l.mapValues(func(v linear) linear {
		value := v
		for k := range bits.Len64(uint64(mask)) {
			if mask>>k&1 == 1 {
				value = value.plus(constantForm(1<<k), 1).plus(v.floorDiv(1<<k).modulo(2), -turned<<k)
			}
		}
		return value
	}), nil
}

// withConstant is the value of one side of an operator whose sides may be exchanged, and the
// constant on the other; ok is false where neither side is one.
func (e *evaluator) withConstant(n, left, right cc.ExpressionNode) (value affine, constant int64, ok bool, err error) {
	l, r, err := e.both(n, left, right)
	if constant, ok = r.constant(); ok || err != nil {
		return l, constant, ok, err
	}
	constant, ok = l.constant()
	return r, constant, ok, nil
}
