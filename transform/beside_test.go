package transform

import (
	"fmt"
	"testing"
)

// TestUsesElementsSeldom are nests around an element of an expanded variable, and whether it pays to have one: compilers keep
// the variable in a register in those that they unroll.
func TestUsesElementsSeldom(t *testing.T) {
	for _, test := range []struct {
		rows, columns string
		want          bool
	}{
		{"3", "3", true},
		{"5", "5", true},
		{"7", "9", true},
		{"9", "9", false},
		{"2", "16", false},
		{"N", "3", false},
	} {
		g := expandedGraph(t, "f", fmt.Appendf(nil, "void f(int N, double in[2 * N][2 * N], double out[N][N])\n{\ndouble s;\n#pragma scop\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++) {\ns = 0;\n"+
			"for (int y = 0; y < %s; y++)\nfor (int x = 0; x < %s; x++)\ns = s * in[i + y][j + x];\nout[i][j] = s;\n}\n#pragma endscop\n}\n", test.rows, test.columns))
		if len(g.Model.Program.Expansions) != 1 {
			t.Fatalf("%d expansions", len(g.Model.Program.Expansions))
		}
		if got, err := UsesElementsSeldom(g.Model); err != nil || got != test.want {
			t.Errorf("%s x %s: seldom %v (%v)", test.rows, test.columns, got, err)
		}
	}
}

// Lanes are worth more than threads, but for a few, and threads alone nothing where arrays take memory.
func TestConcurrencyIsBetter(t *testing.T) {
	for _, test := range []struct {
		better, worse Concurrency
		want          bool
	}{
		{Concurrency{Beside: 2}, Concurrency{Beside: 1, Shared: 1}, true},
		{Concurrency{Beside: 2, Whole: true}, Concurrency{Beside: 1, Shared: 9}, true},
		{Concurrency{Beside: 1, Shared: 2}, Concurrency{Beside: 1, Shared: 1}, true},
		{Concurrency{Beside: 1, Shared: 2, Whole: true}, Concurrency{Beside: 1, Shared: 1}, false},
		{Concurrency{Beside: 1, Shared: 1}, Concurrency{Beside: 1, Shared: 1}, false},
		{Concurrency{Beside: 1, Shared: 9}, Concurrency{Beside: 3}, true},
		{Concurrency{Beside: 1, Shared: 8}, Concurrency{Beside: 3}, false},
		{Concurrency{Beside: 1, Shared: 9, Whole: true}, Concurrency{Beside: 3}, false},
	} {
		if got := test.better.IsBetterThan(test.worse); got != test.want {
			t.Errorf("%+v is better than %+v: %v", test.better, test.worse, got)
		}
	}
}
