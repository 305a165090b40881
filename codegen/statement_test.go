package codegen

import (
	"slices"
	"testing"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

func TestStatementText(t *testing.T) {
	i := &loopir.Expr{Kind: isl.AstID, Name: "c0"}
	n := &loopir.Expr{Kind: isl.AstID, Name: "N"}
	values := map[string]*loopir.Expr{
		"variable": i,
		"sum":      loopir.Operation(isl.OpSub, i, loopir.Int(1)),
		"negated":  loopir.Operation(isl.OpMinus, i),
		"product":  loopir.Operation(isl.OpMul, loopir.Int(2), i),
		"constant": loopir.Int(3),
		"minus":    loopir.Int(-3),
		"size":     loopir.Operation(isl.OpSub, n, loopir.Int(1)),
	}
	for _, test := range []struct{ source, value, want string }{
		{"A[i] = 0;", "variable", "A[c0] = 0;"},
		{"A[ i ] = 0;", "sum", "A[ c0 - 1 ] = 0;"},
		{"A[i + 1] = 0;", "sum", "A[c0 - 1 + 1] = 0;"},
		{"A[1 - i] = 0;", "sum", "A[1 - (c0 - 1)] = 0;"},
		{"A[1 - i] = 0;", "negated", "A[1 - (-c0)] = 0;"},
		{"A[-i] = 0;", "product", "A[-2 * c0] = 0;"},
		{"A[2*i] = 0;", "sum", "A[2*(c0 - 1)] = 0;"},
		{"A[2*i] = 0;", "product", "A[2*(2 * c0)] = 0;"},
		{"A[i*n] = 0;", "sum", "A[(c0 - 1)*n] = 0;"},
		{"A[i*n+j] = 0;", "variable", "A[c0*n+j] = 0;"},
		{"A[(i)] = 0;", "sum", "A[(c0 - 1)] = 0;"},
		{"A[k + i] = 0;", "negated", "A[k + (-c0)] = 0;"},
		{"A[i] = 0;", "constant", "A[3] = 0;"},
		{"A[1 - i] = 0;", "minus", "A[1 - (-3)] = 0;"},
		{"A[s.n + i] = 0;", "variable", "A[s.n + c0] = 0;"},
		{"A[p->n + i] = 0;", "variable", "A[p->n + c0] = 0;"},
		{"A[B[i / 2] + i] = 0;", "variable", "A[B[c0 / 2] + c0] = 0;"},
		{"A[(i + 1) / 4] = 0;", "sum", "A[(c0 - 1 + 1) / 4] = 0;"},
		{"A[3 * i / 8] = 0;", "product", "A[3 * (2 * c0) / 8] = 0;"},
		{"A[i / 3] = 0;", "variable", "A[(int) c0 / 3] = 0;"},
		{"A[i / 08] = 0;", "variable", "A[(int) c0 / 08] = 0;"},
		{"A[i / 2u] = 0;", "variable", "A[(int) c0 / 2u] = 0;"},
		{"A[i / n] = 0;", "variable", "A[(int) c0 / n] = 0;"},
		{"A[i /* half */ / 2] = 0;", "variable", "A[(int) c0 /* half */ / 2] = 0;"},
		{"A[f(i)] = 0;", "sum", "A[f((int) (c0 - 1))] = 0;"},
		{"A[f(0)[i]] = 0;", "sum", "A[f(0)[c0 - 1]] = 0;"},
		{"A[(long) i] = 0;", "variable", "A[(long) (int) c0] = 0;"},
		{"A[i + 1u] = 0;", "variable", "A[(int) c0 + 1u] = 0;"},
		{"A[i + 0x10] = 0;", "variable", "A[(int) c0 + 0x10] = 0;"},
		{"A[sizeof i] = 0;", "variable", "A[sizeof ((int) c0)] = 0;"},
		{"x = i;", "variable", "x = (int) c0;"},
		{"x = i * i;", "sum", "x = (int) (c0 - 1) * (int) (c0 - 1);"},
		{"x = -i;", "negated", "x = -(int) -c0;"},
		{"x = i;", "constant", "x = 3;"},
		{"x = -i;", "minus", "x = -(-3);"},
		{"x = i * 2;", "size", "x = (N - 1) * 2;"},
		{"i[A] = 0;", "sum", "((int) (c0 - 1))[A] = 0;"},
		{`x = f("[", ']', i) /* [ */ + i; // [ i`, "variable", `x = f("[", ']', (int) c0) /* [ */ + (int) c0; // [ (int) c0`},
		{`x = "unfinished [ i`, "variable", `x = "unfinished [ (int) c0`},
		{"A[i", "variable", "A[(int) c0"},
		{"x] = i", "variable", "x] = (int) c0"},
	} {
		s := &scop.Statement{Source: test.source, Loops: []scop.Loop{{Iterator: "i"}}, Uses: usesOf(test.source, []string{"i"})}
		p := &expressions{parameters: map[string]width{"N": narrow}}
		if got := statementText(s, slices.Repeat([]text{p.expression(values[test.value])}, len(s.Uses))); got != test.want {
			t.Errorf("%s with the %s: got %s, want %s", test.source, test.value, got, test.want)
		}
	}
}
