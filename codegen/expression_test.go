package codegen

import (
	"testing"

	"polytune/isl"
	"polytune/loopir"
)

func TestExpression(t *testing.T) {
	name := func(s string) *loopir.Expr { return &loopir.Expr{Kind: isl.AstID, Name: s} }
	c0, c1, n, m, u, l := name("c0"), name("c1"), name("N"), name("M"), name("U"), name("L")
	op, num := loopir.Operation, loopir.Int
	add := func(a, b *loopir.Expr) *loopir.Expr { return op(isl.OpAdd, a, b) }
	sub := func(a, b *loopir.Expr) *loopir.Expr { return op(isl.OpSub, a, b) }
	mul := func(a, b *loopir.Expr) *loopir.Expr { return op(isl.OpMul, a, b) }
	neg := func(a *loopir.Expr) *loopir.Expr { return op(isl.OpMinus, a) }
	less := func(a, b *loopir.Expr) *loopir.Expr { return op(isl.OpLt, a, b) }
	for _, test := range []struct {
		e    *loopir.Expr
		want string
	}{
		{num(7), "7"},
		{num(-7), "-7"},
		{num(-1 << 63), "(-9223372036854775807 - 1)"},
		{sub(n, num(1)), "N - 1"},
		{add(n, num(-1)), "N - 1"},
		{sub(n, num(1<<20)), "(long) N - 1048576"},
		{add(n, num(1)), "(long) N + 1"},
		{add(l, num(1)), "L + 1"},
		{add(u, num(1)), "(long) U + 1"},
		{less(c0, u), "c0 < (long) U"},
		{less(c0, n), "c0 < N"},
		{less(num(0), n), "0 < N"},
		{add(n, m), "(long) N + M"},
		{sub(sub(n, num(1)), m), "(long) N - 1 - M"},
		{sub(sub(n, c0), num(1)), "N - c0 - 1"},
		{add(neg(c0), n), "N - c0"},
		{sub(c0, neg(c1)), "c0 + c1"},
		{add(c0, neg(sub(c1, num(3)))), "c0 - c1 + 3"},
		{sub(c0, num(-3)), "c0 + 3"},
		{neg(neg(c0)), "-(-c0)"},
		{neg(num(-3)), "-(-3)"},
		{neg(n), "-(long) N"},
		{neg(add(c0, num(1))), "-(c0 + 1)"},
		{add(num(1), neg(c0)), "1 - c0"},
		{sub(neg(c0), c1), "-c0 - c1"},
		{sub(mul(num(-2), n), c0), "-2 * (long) N - c0"},
		{sub(c0, mul(num(-2), c1)), "c0 + 2 * c1"},
		{mul(num(32), c0), "32 * c0"},
		{mul(num(32), n), "32 * (long) N"},
		{mul(n, m), "(long) N * M"},
		{mul(num(2), add(c0, num(1))), "2 * (c0 + 1)"},
		{mul(c0, neg(c1)), "c0 * (-c1)"},
		{mul(c0, mul(num(2), c1)), "c0 * (2 * c1)"},
		{op(isl.OpPdivQ, sub(n, num(1)), num(32)), "(N - 1) / 32"},
		{op(isl.OpPdivR, n, num(32)), "N % 32"},
		{op(isl.OpDiv, add(n, m), num(2)), "((long) N + M) / 2"},
		{op(isl.OpEq, op(isl.OpZdivR, sub(c0, c1), num(4)), num(0)), "(c0 - c1) % 4 == 0"},
		{sub(c0, op(isl.OpPdivR, c1, num(4))), "c0 - c1 % 4"},
		{op(isl.OpFdivQ, neg(n), num(32)), "floor(-(long) N, 32)"},
		{op(isl.OpMin, c0, n), "min(c0, N)"},
		{op(isl.OpMin, c0, op(isl.OpMin, c1, n, m)), "min(min(c0, c1), min(N, M))"},
		{add(op(isl.OpMax, n, m), num(1)), "(long) max(N, M) + 1"},
		{op(isl.OpCond, less(c0, n), c0, n), "c0 < N ? c0 : N"},
		{add(op(isl.OpSelect, less(c0, n), n, m), c0), "(c0 < N ? N : M) + c0"},
		{op(isl.OpAnd, less(c0, n), less(c1, n), less(c0, c1)), "c0 < N && c1 < N && c0 < c1"},
		{op(isl.OpOrElse, op(isl.OpAndThen, less(c0, n), less(c1, n)), less(c0, c1)), "(c0 < N && c1 < N) || c0 < c1"},
		{op(isl.OpAnd, op(isl.OpOr, less(c0, n), less(c1, n)), less(c0, c1)), "(c0 < N || c1 < N) && c0 < c1"},
		{op(isl.OpEq, op(isl.OpGe, c0, n), num(1)), "(c0 >= N) == 1"},
	} {
		p := &expressions{
			helpers:    [helperCount]string{"min", "max", "floor"},
			parameters: map[string]width{"N": narrow, "M": narrow, "L": wide, "U": foreign},
		}
		if got := p.expression(test.e).code; got != test.want || p.err != nil {
			t.Errorf("got %s, want %s (%v)", got, test.want, p.err)
		}
	}
}

func TestExpressionUnknown(t *testing.T) {
	p := &printer{}
	p.expression(loopir.Operation(isl.OpCall, loopir.Int(1), loopir.Int(2)))
	if p.err == nil {
		t.Error("a call was printed")
	}
}
