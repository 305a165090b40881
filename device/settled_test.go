package device

import (
	"testing"

	"polytune/isl"
	"polytune/loopir"
)

// Comparisons whose answer no variable changes are left out of conditions.
func TestSettled(t *testing.T) {
	x, one := loopir.Named("x"), loopir.Int(1)
	op := loopir.Operation
	open := op(isl.OpGe, x, one)
	same := op(isl.OpEq, op(isl.OpAdd, x, one), op(isl.OpAdd, one, x))
	never := op(isl.OpLt, one, loopir.Int(0))
	for k, test := range []struct{ condition, want *loopir.Expr }{
		{op(isl.OpEq, loopir.Int(0), loopir.Int(0)), loopir.Int(1)},
		{same, loopir.Int(1)},
		{never, loopir.Int(0)},
		{open, open},
		{op(isl.OpAnd, op(isl.OpAnd, open, same), same), open},
		{op(isl.OpAnd, open, never), loopir.Int(0)},
		{op(isl.OpOr, open, never), open},
		{op(isl.OpOr, same, open), loopir.Int(1)},
		{op(isl.OpAnd, open, open), op(isl.OpAnd, open, open)},
		{op(isl.OpAnd, same, op(isl.OpLe, one, one)), loopir.Int(1)},
	} {
		if got := settled(test.condition); got.Key() != test.want.Key() {
			t.Errorf("%d: %s, want %s", k, got.Key(), test.want.Key())
		}
	}
}
