package codegen_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/scop/depend"
)

// bentRows are loops whose subscripts bend at rims; inside is text of the code for most iterations,
// "" where there is none of its own.
var bentRows = []struct{ name, body, recipe, inside string }{
	{"a clamp", both + "p[i][j][0] = a[i][j < 2 ? 0 : j - 2] + a[i][j + 1 < m ? j + 1 : m - 1];", "original\n", "p[c0][c1][0] = a[c0][c1 - 2] + a[c0][c1 + 1];"},
	{"a period", both + "p[i][j][0] = a[i][(j + 1) % m] + a[i][(j + m - 2) % m];", "original\n", "p[c0][c1][0] = a[c0][c1 + 1] + a[c0][c1 - 2];"},
	{"a choice", both + "p[i][j][0] = a[i == 0 ? n - 1 : i - 1][j == m - 1 ? 0 : j + 1];", "original\n", "p[c0][c1][0] = a[c0 - 1][c1 + 1];"},
	{"a filter", both + "for (int k = 0; k < 5; k++) p[i][j][0] += a[i][j + k < 2 ? 0 : j + k - 2 < m ? j + k - 2 : m - 1];", "original\n", "+= a[c0][c1 + c2 - 2];"},
	{"tiles on threads", both + "p[i][j][0] = a[i < 1 ? 0 : i - 1][j] + a[i][j < 1 ? 0 : j - 1];", "original\ntile S0.i S0.j by 3 4\nparallel S0.it\nvectorize S0.j\n", "p[c2][c3][0] = a[c2 - 1][c3] + a[c2][c3 - 1];"},
	{"full tiles, and others", both + "p[i][j][0] = a[i][j < 1 ? 0 : j - 1];", "original\ntile S0.i S0.j by 2 20\nseparate S0.jt\n", "p[c2][c3][0] = a[c2][c3 - 1];"},
	{"backwards", both + "p[i][j][0] = a[i][j < 1 ? 0 : j - 1];", "original\nreverse S0.j\n", "p[c0][-c1][0] = a[c0][-c1 - 1];"},
	{"two passes", both + "p[i][j][0] = a[i][j < 1 ? 0 : j - 1];" + both + "q[i][j][0] = p[i < 1 ? 0 : i - 1][j][0];", "original\nfuse S0.i S1.i\nfuse S0.j S1.j\n", "q[c0][c1][0] = p[c0 - 1][c1][0];"},
	{"colours", both + "for (int c = 0; c < 3; c++) p[i][j][c] = q[i][j < 1 ? 0 : j - 1][c];", "original\n", "(&p[c0][0][0])[c1] = (&q[c0][0][0])[c1 - 3];"},
	{"one loop alone", "for (int j = 0; j < m; j++) p[0][j][0] = a[0][j + 1 < m ? j + 1 : m - 1];", "original\n", "p[0][c0][0] = a[0][c0 + 1];"},
	{"one loop among others, in place", "for (int j = 0; j < m; j++) q[0][j][0] = a[0][j];for (int j = 0; j < m; j++) p[0][j + 1 < m ? j + 1 : m - 1][0] += p[0][j < 1 ? 0 : j - 1][0] / 2;for (int j = 0; j < m; j++) q[1][j][0] = a[0][j];",
		"original\n", "p[0][c0 + 1][0] += p[0][c0 - 1][0] / 2;"},
	{"rows alone", both + "p[i][j][0] = a[i < 1 ? 0 : i - 1][j];", "original\n", ""},
	{"half of the columns", both + "p[i][j][0] = a[i][2 * j < m ? j : m / 2];", "original\n", ""},
	{"a triangle", both + "p[i][j][0] = a[0][i < j ? i : j];", "original\n", ""},
	{"what data say", both + "p[i][j][0] = a[i][k[i] % 2];", "original\n", ""},
	{"threads along the rim", "for (int j = 0; j < m; j++) p[0][j][0] = a[0][j < 1 ? 0 : j - 1];", "original\nparallel S0.j\n", ""},
}

// Loops are parted where subscripts bend, and nowhere else; what they do is the same for all sizes,
// also for those that have no inside.
func TestInteriors(t *testing.T) {
	without := slices.DeleteFunc(slices.Clone(codegen.Passes), func(p codegen.Pass) bool { return p.Name == "interiors" })
	for _, c := range bentRows {
		t.Run(c.name, func(t *testing.T) {
			_, graph, recipe := written(t, c.body, c.recipe)
			tree, proven, err := recipe.Prove(graph)
			if err != nil {
				t.Fatal(err)
			}
			options := codegen.Options{Tree: tree, Original: "original"}
			text, err := codegen.Generate(graph.Model, proven, options)
			if err != nil {
				t.Fatal(err)
			}
			text = strings.Join(strings.Fields(text), " ")
			parted, err := codegen.Lower(graph.Model, proven, options, nil)
			if err != nil {
				t.Fatal(err)
			}
			options.Passes = without
			whole, err := codegen.Lower(graph.Model, proven, options, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.inside == "" && parted.String() != whole.String() || !strings.Contains(text, c.inside) {
				t.Errorf("want %q in\n%s", c.inside, text)
			}
			for k, n := range []int64{0, 1, 2, 3, 4, 7} {
				for l, m := range []int64{1, 2, 3, 4, 5, 9, 43} {
					if n*m > 100 || (k+l)%3 != 0 && !kerneltest.Long() {
						continue
					}
					if !maps.Equal(leftBy(t, graph, parted.Code, n, m), leftBy(t, graph, whole.Code, n, m)) {
						t.Errorf("n = %d, m = %d: something else is computed by\n%s", n, m, parted)
					}
				}
			}
			if c.inside == "" {
				return
			}
			broken := false
			err = loopir.Rewrite(parted.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
				run, is := s.(*loopir.Run)
				if is && run.Statement.Straight == nil {
					// The rims are taken for the inside.
					if straight, err := graph.Model.Straight(run.Statement.Index); straight != nil && err == nil {
						broken, run.Statement = true, straight.At(run.Statement)
					}
				}
				return s, nil
			})
			if err != nil || !broken {
				t.Fatalf("nothing to break (%v) in\n%s", err, parted)
			}
			if maps.Equal(leftBy(t, graph, parted.Code, 7, 9), leftBy(t, graph, whole.Code, 7, 9)) {
				t.Errorf("the same is computed by\n%s", parted)
			}
		})
	}
}

// leftBy is what some code leaves for these sizes, in one way of running it.
func leftBy(t *testing.T, graph *depend.Graph, code loopir.Code, n, m int64) map[string]uint64 {
	t.Helper()
	machine, err := loopir.NewMachine(graph.Model, map[string]int64{"n": n, "m": m})
	if err != nil {
		t.Fatal(err)
	}
	left, err := machine.Run(code)
	if err != nil {
		t.Fatal(fmt.Errorf("n = %d, m = %d: %w", n, m, err))
	}
	return left
}
