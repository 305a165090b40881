package transform

import (
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/scop"
)

// Steps whose updates need sums over whole columns run in panels, where these pay, and the recipe is legal.
func TestPanels(t *testing.T) {
	const body = "for (k = 0; k < N; k++) {\n" +
		"for (i = 0; i < M; i++) Q[i][k] = A[i][k] / R[k][k];\n" +
		"for (j = k + 1; j < N; j++) {\n" +
		"for (i = 0; i < M; i++) R[k][j] += Q[i][k] * A[i][j];\n" +
		"for (i = 0; i < M; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];\n} }\n"
	size := func(rows, columns int) Run {
		return Run{Parameters: map[string]int{"M": rows, "N": columns}, Threads: 2}
	}
	for _, test := range []struct {
		about, body string
		run         Run
		change      func(*Options)
		want        bool
	}{
		{about: "nobody knows the run", body: body, want: true},
		{about: "a large matrix", body: body, run: size(1200, 1000), want: true},
		{about: "few panels", body: body, run: size(1200, 100)},
		{about: "rows a power of two apart", body: body, run: size(512, 512)},
		{about: "columns that no cache holds", body: body, run: size(100000, 1000)},
		{about: "no phases", body: body, change: func(o *Options) { o.NoPhases = true }},
		{about: "one thread asked for", body: body, change: func(o *Options) { o.NoParallel = true }},
		{about: "no vectors", body: body, change: func(o *Options) { o.Vector = VectorUnit{} }},
		{about: "updates of different columns depend", body: strings.Replace(body, "* R[k][j];\n} }", "* R[k][j - 1];\n} }", 1)},
		{about: "earlier columns change", body: strings.Replace(body, "j = k + 1", "j = 0", 1)},
		{about: "rows instead of columns", body: strings.ReplaceAll(body, "A[i][j]", "A[j][i]")},
		{about: "one update", body: strings.Replace(body, "R[k][j] += Q[i][k] * A[i][j]", "B[i] = A[i][k]", 1)},
	} {
		source := "void f(int M, int N, double A[M][N], double Q[M][N], double R[N][N], double B[M])\n{\nint i, j, k;\n#pragma scop\n" +
			test.body + "#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		options := fixed
		options.Vector, options.SecondCacheBytes, options.Run = VectorUnit{256, 16}, 512<<10, test.run
		if test.change != nil {
			test.change(&options)
		}
		recipe, err := Transform(g, chosen(t, g, "smart"), options)
		if err != nil {
			t.Fatalf("%s: %v", test.about, err)
		}
		if _, _, err := recipe.Prove(g); err != nil {
			t.Errorf("%s: %v", test.about, err)
		}
		if got := hasPanels(recipe, g.Model.Program); got != test.want {
			t.Errorf("%s: panels %v, want %v in\n%s", test.about, got, test.want, recipe.Text(g.Model.Program))
		}
	}
}

// hasPanels says whether a recipe has blocks of columns in phases, and a copy of the panel that both updates read.
func hasPanels(recipe schedule.Recipe, program *scop.Program) bool {
	text := recipe.Text(program)
	for _, part := range []string{"blocks c0 ", "phases c0.1t", "parallel c0p1.2t", "pack S1 Q[i][k] around c0p1.2t", "pack S2 Q[i][k] around c0p1.2t"} {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
