package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// What a loop leaves is written as a comparison and a difference of its bounds. C compares and
// subtracts in the type of the bounds, in which n - 3 may wrap around, or -1 < n be false; the
// loop itself compares in that of its iterator as well.

// withRoom converts a bound of a loop to a signed type that holds it and its differences, where
// the types in the header are not all int.
func (h loopHeader) withRoom(text phrase) phrase {
	if !h.needsRoom() || text.source == "0" || text.source == "1" {
		return text
	}
	return plain("(long long) ").join(text.inParentheses())
}

// needsRoom says that a loop compares unsigned values, or values of different sizes.
func (h loopHeader) needsRoom() bool {
	counted := h.iterator.Type()
	parts := []cc.ExpressionNode{h.start}
	if left, _, right, ok := comparisonOf(unwrap(h.test)); ok {
		parts = append(parts, left, right)
	}
	needed := isUnsigned(counted)
	for _, part := range parts {
		_, isConstant := constantValue(part)
		isWider := !isConstant && part.Type().Size() < counted.Size()
		needed = needed || isUnsigned(part.Type()) || isWider
	}
	return needed
}

// firstOf is the text of an iterator's value in the first iteration.
func (x *extractor) firstOf(h loopHeader, at place) (phrase, bool) {
	text, ok := x.phraseOf(h.start, at)
	text = h.withRoom(text)
	if h.shift != 0 {
		text = text.inParentheses().join(plain(byOne(h.shift)))
	}
	return text, ok
}

// byOne is the text that adds 1 or -1.
func byOne(step int64) string {
	if step > 0 {
		return " + 1"
	}
	return " - 1"
}

// isShifted says that an expression is an iterator, plus or minus what does not name it.
func isShifted(n cc.ExpressionNode, iterator *cc.Declarator) bool {
	n = unwrap(n)
	if variableOf(n) == iterator {
		return true
	}
	names := func(n cc.ExpressionNode) bool { return slices.Contains(namedIn(n), iterator) }
	switch n := n.(type) {
	case *cc.CastExpression:
		return cc.IsIntegerType(n.Type()) && n.Type().Size() >= 4 && isShifted(n.CastExpression, iterator)
	case *cc.AdditiveExpression:
		left, right := n.AdditiveExpression, n.MultiplicativeExpression
		if names(left) {
			return !names(right) && isShifted(left, iterator)
		}
		return n.Case == cc.AdditiveExpressionAdd && isShifted(right, iterator)
	}
	return false
}
