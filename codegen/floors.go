package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// withoutFloors is a condition that implies l >= 0, without those quotients in it
// that mention one of the variables; nil when other parts that are not affine do.
// With q = floor(e/d),
//
//	rest + q >= 0  <=>  e + d·rest >= 0
//	rest - q >= 0  <=>  d·rest + d - 1 - e >= 0,
//
// and a multiple k·q is at least k·(e - d + 1)/d, or k·e/d where k is negative.
func (t *fullTile) withoutFloors(l linear, variables map[string]interval) linear {
	for {
		name := t.opaqueIn(l, variables)
		if name == "" {
			return l
		}
		e := t.opaque[name]
		if !isFloor(e) {
			return nil
		}
		d, k := e.Args[1].Value, l[name]
		rest := l.plus(linear{name: 1}, -k)
		l = linear{}.plus(rest, d).plus(t.linearOf(e.Args[0]), k)
		switch {
		case k == -1:
			l = l.plus(linear{"": 1}, d-1)
		case k > 1:
			l = l.plus(linear{"": 1}, -k*(d-1))
		}
	}
}

// isFloor says whether an expression is a quotient by a positive number, rounded
// down.
func isFloor(e *loopir.Expr) bool {
	return (e.Is(isl.OpFdivQ) || e.Is(isl.OpPdivQ) || e.Is(isl.OpDiv)) && e.Args[1].Kind == isl.AstInt && e.Args[1].Value > 0
}

// opaqueIn is a part of l that is not affine and mentions one of the variables, the
// first by name; "" when there is none.
func (t *fullTile) opaqueIn(l linear, variables map[string]interval) string {
	first := ""
	for name := range l {
		if part := t.opaque[name]; part != nil && loopir.Mentions(part, variables) && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// ratio is l/d, rounded down.
func (t *fullTile) ratio(l linear, d int64) linear {
	if d == 1 {
		return l
	}
	return t.linearOf(loopir.Operation(isl.OpFdivQ, t.expressionOf(l), loopir.Int(d)))
}
