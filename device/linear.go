package device

import (
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// linear is a sum of multiples of expressions, by their keys, and a constant.
type linear struct {
	factors  map[string]int64
	of       map[string]*loopir.Expr
	constant int64
}

func newLinear() *linear { return &linear{factors: map[string]int64{}, of: map[string]*loopir.Expr{}} }

// linearOf is an expression as a sum.
func linearOf(e *loopir.Expr) *linear {
	sum := newLinear()
	sum.add(e, 1)
	return sum
}

// add adds a multiple of an expression.
func (l *linear) add(e *loopir.Expr, factor int64) {
	switch {
	case factor == 0:
	case e.Kind == isl.AstInt:
		l.constant += factor * e.Value
	case e.Is(isl.OpMinus) && len(e.Args) == 1:
		l.add(e.Args[0], -factor)
	case e.Is(isl.OpAdd):
		for _, a := range e.Args {
			l.add(a, factor)
		}
	case e.Is(isl.OpSub):
		l.add(e.Args[0], factor)
		for _, a := range e.Args[1:] {
			l.add(a, -factor)
		}
	case e.Is(isl.OpMul) && e.Args[0].Kind == isl.AstInt:
		l.add(e.Args[1], factor*e.Args[0].Value)
	case e.Is(isl.OpMul) && e.Args[1].Kind == isl.AstInt:
		l.add(e.Args[0], factor*e.Args[1].Value)
	default:
		key := e.Key()
		l.of[key] = e
		if l.factors[key] += factor; l.factors[key] == 0 {
			delete(l.factors, key)
		}
	}
}

// isConstant says whether the sum is a number.
func (l *linear) isConstant() bool { return len(l.factors) == 0 }

// isZero says whether it is 0 whatever its variables are.
func (l *linear) isZero() bool { return l.isConstant() && l.constant == 0 }

// divided is the sum's quotient, nil where it is not known to be one without a rest.
func (l *linear) divided(by int64) *linear {
	quotient := newLinear()
	if l.constant%by != 0 {
		return nil
	}
	quotient.constant = l.constant / by
	for key, factor := range l.factors {
		if factor%by != 0 {
			return nil
		}
		quotient.factors[key], quotient.of[key] = factor/by, l.of[key]
	}
	return quotient
}

// expression is the sum as an expression, positive multiples first.
func (l *linear) expression() *loopir.Expr {
	var sum *loopir.Expr
	keys := slices.Sorted(maps.Keys(l.factors))
	slices.SortStableFunc(keys, func(a, b string) int {
		return map[bool]int{l.factors[a] < 0: 1}[true] - map[bool]int{l.factors[b] < 0: 1}[true]
	})
	for _, key := range keys {
		factor, term := l.factors[key], l.of[key]
		size := max(factor, -factor)
		if size != 1 {
			term = loopir.Operation(isl.OpMul, loopir.Int(size), term)
		}
		switch {
		case sum == nil && factor < 0:
			sum = loopir.Operation(isl.OpMinus, term)
		case sum == nil:
			sum = term
		case factor < 0:
			sum = loopir.Operation(isl.OpSub, sum, term)
		default:
			sum = loopir.Operation(isl.OpAdd, sum, term)
		}
	}
	switch {
	case sum == nil:
		return loopir.Int(l.constant)
	case l.constant < 0:
		return loopir.Operation(isl.OpSub, sum, loopir.Int(-l.constant))
	case l.constant > 0:
		return loopir.Operation(isl.OpAdd, sum, loopir.Int(l.constant))
	}
	return sum
}

// mostTurns is the largest number of iterations of a loop that is unrolled for the sake of
// constants.
const mostTurns = 64

// giveTurns gives a loop a constant number of iterations that it has at most, where one is known:
// those of a thread of the loop's, or all.
func giveTurns(l *loopir.For) {
	count := int64(1)
	if l.Share != nil {
		count = l.Share.Count
	}
	if l.Share != nil && !l.Share.Threads || !l.Step.IsInt(1) || !l.While.Is(isl.OpLe) && !l.While.Is(isl.OpLt) || l.While.Args[0].Name != l.Var {
		return
	}
	base, _ := alignedStart(l.From, count)
	if base == nil {
		return
	}
	ends := []*loopir.Expr{l.While.Args[1]}
	if ends[0].Is(isl.OpMin) {
		ends = ends[0].Args
	}
	for _, end := range ends {
		length := linearOf(loopir.Operation(isl.OpSub, end, base))
		if l.While.Is(isl.OpLt) {
			length.constant--
		}
		if !length.isConstant() || length.constant < 0 || length.constant/count >= mostTurns {
			continue
		}
		if turns := length.constant/count + 1; l.Turns == 0 || turns < l.Turns {
			l.Turns, l.Unrolled = turns, true
		}
	}
}
