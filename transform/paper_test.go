package transform

import (
	"strings"
	"testing"

	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// paperFigures are programs of the Pluto+ paper, with the rows that it gives, or
// equivalent ones, and those of non-negative coefficients.
var paperFigures = []struct {
	about, region string
	plus, pluto   string
	lazy          bool
}{
	{"figure 1: a dependence of distance (1, 1)", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i + 1][j + 1] = 0.5 * A[i][j];",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i - j, i]\nparallel c0.1\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nvectorize c0.2\n", false},
	{"figure 2: a symmetric consumer", "for (int i = 0; i < N; i++) b[i] = 0.5 * a[i]; for (int i = 0; i < N; i++) c[i] = 2.0 * b[N - 1 - i];",
		"classes {S0 S1}\nband c0 permutable S0[i] -> [i]; S1[i] -> [-i + N - 1]\nsplit c0 {S0} {S1}\nparallel c0.1\nthreads c0.1 from 16384\nvectorize c0.1\n",
		"", false},
	{"figure 3: symmetric dependences in two dimensions", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = 0.5 * B[j][i];\nfor (int i = 0; i < N; i++) for (int j = 0; j < N; j++) C[i][j] = 2.0 * A[N - 1 - i][j];",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [-i + N - 1, j]\nsplit c0 {S0} {S1}\nparallel c0.1\n",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [j]; S1[i, j] -> [j]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [i]\nband c0_1 permutable S1[i, j] -> [i]\nparallel c0.1\n", false},
	{"figure 6: the lazy mode", "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i] = 1.0 * i; a[j] = 2.0 * j; }",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i]; S1[i, j] -> [j]\nband c0 permutable S0[i, j] -> [i]; S1[i, j] -> [i]\n" +
			"band c0 permutable S0[i, j] -> [j]; S1[i, j] -> [i]\nsplit c0 {S0} {S1}\nparallel c0.1\n",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i]; S1[i, j] -> [j]\nband c0 permutable S0[i, j] -> [i]; S1[i, j] -> [i]\n" +
			"band c0 permutable S0[i, j] -> [j]; S1[i, j] -> [i]\nsplit c0 {S0} {S1}\nparallel c0.1\n", true},
}

func figureGraph(t testing.TB, region string) *depend.Graph {
	return graphOf(t, "figure", []byte("void f(int N, double a[N], double b[N], double c[N], double A[N + 1][N + 1], double B[N][N], double C[N][N])\n{\n#pragma scop\n"+
		region+"\n#pragma endscop\n}\n"))
}

// The paper's examples get the paper's rows.
func TestPaperFigures(t *testing.T) {
	for _, figure := range paperFigures {
		g := figureGraph(t, figure.region)
		all := space.Nest{make(space.Partition, len(g.Model.Statements))}
		for model, want := range map[hyperplane.Model]string{hyperplane.PlutoPlus: figure.plus, hyperplane.Pluto: figure.pluto} {
			options := Options{Model: model, Interleave: 1, Tile: Tiling{None: true}, Off: []string{wavefrontAxis}, CacheBytes: fixed.CacheBytes, Space: space.Options{Signed: model == hyperplane.PlutoPlus}}
			recipe, explanation, err := Explain(g, all, options)
			if want == "" {
				if err == nil || !strings.Contains(err.Error(), "the RAW dependence of S1 on S0 through b allows no common row") {
					t.Errorf("%s, %s: %v, fused:\n%s", figure.about, model, err, recipe.Text(g.Model.Program))
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", figure.about, model, err)
				continue
			}
			if got := withoutGrain(recipe.Text(g.Model.Program)); got != want {
				t.Errorf("%s, %s: got\n%swant\n%s", figure.about, model, got, want)
			}
			if _, _, err := recipe.Prove(g); err != nil {
				t.Errorf("%s, %s: %v", figure.about, model, err)
			}
			if explanation.Lazy != figure.lazy || explanation.Original {
				t.Errorf("%s, %s: lazy %v, the order of the source %v", figure.about, model, explanation.Lazy, explanation.Original)
			}
		}
	}
}

// Without the lazy mode figure 6 has no complete transformation: one row is
// found, and no second one.
func TestFigure6NeedsLazyMode(t *testing.T) {
	for model := range hyperplane.Models() {
		g := figureGraph(t, paperFigures[3].region)
		p := &planner{graph: g, options: Options{Model: hyperplane.Model(model)}}
		statements := []int{0, 1}
		active := depend.Distinct(g.Dependences)
		first, err := p.findBand(statements, map[int][][]int64{}, active, facts.Unlimited)
		if err != nil || first == nil || len(first.Rows) != 1 || !first.Coincident[0] {
			t.Fatalf("%s: the first band is %+v, %v", hyperplane.Model(model), first, err)
		}
		found := map[int][][]int64{}
		rest, err := p.appendBand(&nodePlan{name: "c0", statements: statements}, first, found, 0)
		if err != nil {
			t.Fatal(err)
		}
		if groups := facts.ComponentsOf(p.graph, statements, rest, nil); len(groups) != 1 {
			t.Errorf("%s: the statements can be parted: %v", hyperplane.Model(model), groups)
		}
		if second, err := p.findBand(statements, found, rest, facts.Unlimited); second != nil || err != nil {
			t.Errorf("%s: the eager mode finds %+v, %v", hyperplane.Model(model), second, err)
		}
	}
}
