package frontend

import (
	"math"

	"modernc.org/cc/v4"
)

// Sizes of pictures are often unsigned, so that their rows are counted in arithmetic that wraps
// around:
//
//	unsigned w, h;
//	out[y * w + x] = in[y * w + x - 1];
//
// C takes the index modulo 2^32. That is the index itself where it is from 0 to less than that,
// whatever wraps on the way to it. The code asks for sizes so small when it runs.

// isCountedModulo says that an index is as a whole a value of 32 bits without sign, perhaps as one
// of 64, or a variable that stands for such. Sums and products in it may be taken modulo 2^32 as
// well, in all types of as many bits or more.
func (e *evaluator) isCountedModulo(index cc.ExpressionNode) bool {
	if _, isSum := index.(*indexSum); isSum || index == nil {
		return false
	}
	n := unwrap(index)
	if b := e.bindingOf(variableOf(n)); b != nil && b.copy != nil && b.copy.modulo {
		return true
	}
	if x, ok := n.(*cc.CastExpression); ok && x.Case == cc.CastExpressionCast && x.Type().Size() == 8 {
		n = unwrap(x.CastExpression)
	}
	return isUnsigned(n.Type()) && n.Type().Size() == 4
}

// indexEvaluator evaluates an index of rows. One that is counted modulo 2^32 has to be shown small
// enough.
func (c *collector) indexEvaluator(index cc.ExpressionNode) *evaluator {
	e := c.evaluator()
	e.ignoresWrapping = e.isCountedModulo(index)
	return e
}

// isBelowModulus says that rows and columns, these less than the rows are long, count elements from
// 0 to less than 2^32, or do where parameters are small enough, which is assumed then: each length
// that is no number, and the number of rows.
func (e *evaluator) isBelowModulus(subscripts []subscript, lengths rowLengths) bool {
	constant, others := int64(1), 1
	for _, l := range lengths {
		if l.value.isConstant() {
			constant *= l.value.constant
		} else {
			others++
		}
	}
	limit := int64(math.Pow(float64(math.MaxUint32)/float64(constant), 1/float64(others)))
	if limit < 1 {
		return false
	}
	isSmall := e.holdsOrIsAssumed(compare(subscripts[0].value, ">=", single(constantForm(0)))) &&
		e.holdsOrIsAssumed(compare(subscripts[0].value, "<", single(constantForm(limit))))
	for _, l := range lengths {
		isSmall = isSmall && (l.value.isConstant() || e.holdsOrIsAssumed(compare(single(l.value), "<=", single(constantForm(limit)))))
	}
	return isSmall
}
