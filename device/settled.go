package device

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// settled is a condition without comparisons that hold, or do not, whatever the variables are: 1 or
// 0 where that is known of all of it.
func settled(e *loopir.Expr) *loopir.Expr {
	if e.Kind != isl.AstOp {
		return e
	}
	switch e.Op {
	case isl.OpAnd, isl.OpAndThen:
		return joinedBy(e, 1)
	case isl.OpOr, isl.OpOrElse:
		return joinedBy(e, 0)
	}
	compare, is := comparisons[e.Op]
	if !is {
		return e
	}
	difference := linearOf(loopir.Operation(isl.OpSub, e.Args...))
	if !difference.isConstant() {
		return e
	}
	if compare(difference.constant) {
		return loopir.Int(1)
	}
	return loopir.Int(0)
}

// joinedBy is an "and" (neutral 1) or an "or" (neutral 0) of what is left of its parts.
func joinedBy(e *loopir.Expr, neutral int64) *loopir.Expr {
	var left []*loopir.Expr
	for _, part := range e.Args {
		part = settled(part)
		if part.IsInt(1 - neutral) {
			return part
		}
		left = append(left, part)
	}
	left = slices.DeleteFunc(left, func(part *loopir.Expr) bool { return part.IsInt(neutral) })
	switch len(left) {
	case 0:
		return loopir.Int(neutral)
	case 1:
		return left[0]
	}
	return loopir.Operation(e.Op, left...)
}

// comparisons say of the difference of two sides whether these compare so.
var comparisons = map[isl.AstOpType]func(difference int64) bool{
	isl.OpEq: func(d int64) bool { return d == 0 },
	isl.OpLe: func(d int64) bool { return d <= 0 },
	isl.OpLt: func(d int64) bool { return d < 0 },
	isl.OpGe: func(d int64) bool { return d >= 0 },
	isl.OpGt: func(d int64) bool { return d > 0 },
}
