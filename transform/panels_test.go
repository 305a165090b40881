package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/schedule"
	"polytune/scop"
)

// Steps whose updates need sums over whole columns run in panels, where these pay, and the recipe
// is legal.
func TestPanels(t *testing.T) {
	const body = "for (k = 0; k < N; k++) {\n" +
		"for (i = 0; i < M; i++) Q[i][k] = A[i][k] / R[k][k];\n" +
		"for (j = k + 1; j < N; j++) {\n" +
		"for (i = 0; i < M; i++) R[k][j] += Q[i][k] * A[i][j];\n" +
		"for (i = 0; i < M; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];\n} }\n"
	const reflections = "for (k = 0; k < N; k++) {\n" +
		"for (i = k + 1; i < M; i++) A[i][k] = A[i][k] / R[k][k];\n" +
		"for (j = k + 1; j < N; j++) {\n" +
		"Q[k][j] = A[k][j];\n" +
		"for (i = k + 1; i < M; i++) Q[k][j] += A[i][k] * A[i][j];\n" +
		"Q[k][j] *= B[k];\n" +
		"for (i = k + 1; i < M; i++) A[i][j] -= A[i][k] * Q[k][j];\n} }\n"
	size := func(rows, columns int) Run {
		return Run{Parameters: map[string]int{"M": rows, "N": columns}, Threads: 2}
	}
	for _, test := range []struct {
		about, body string
		run         Run
		change      func(*Options)
		want        string
	}{
		{about: "nobody knows the run", body: body, want: inPairs},
		{about: "a large matrix", body: body, run: size(1200, 1000), want: inPairs},
		{about: "each update in its step", body: body, change: func(o *Options) { *o = o.WithOff(delayAxis) }, want: inTurns},
		{about: "a sum from the end on", body: strings.Replace(body, "* A[i][j];", "* A[M - 1 - i][j];", 1), want: inTurns},
		{about: "reflections", body: reflections, want: withFactors},
		{about: "reflections by the factor of the column before", body: strings.Replace(reflections, "Q[k][j] *= B[k]", "Q[k][j] *= Q[k][j - 1]", 1)},
		{about: "few panels", body: body, run: size(1200, 100)},
		{about: "rows a power of two apart", body: body, run: size(512, 512), want: inPairs},
		{about: "columns that no cache holds", body: body, run: size(100000, 1000), want: inPairs},
		{about: "no phases", body: body, change: func(o *Options) { *o = o.WithOff(phasesAxis) }},
		{about: "one thread asked for", body: body, change: func(o *Options) { *o = o.WithOff(parallelAxis) }},
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
		if got := panelsIn(recipe, g.Model.Program); got != test.want {
			t.Errorf("%s: panels %q, want %q in\n%s", test.about, got, test.want, recipe.Text(g.Model.Program))
		}
	}
}

// How updates run in blocks of other columns: each in its step, with a copy of the panel that both
// read, or the one in the other's next step. With factors between them they take turns, and the
// matrix is the operand, too, so that it is not copied.
const inTurns, inPairs, withFactors = "in turns", "in pairs", "with factors"

// panelsIn says how the updates of a recipe with panels run; "" for others.
func panelsIn(recipe schedule.Recipe, program *scop.Program) string {
	text := recipe.Text(program)
	has := func(parts ...string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
	}
	switch {
	case has("phases c0.1t", "parallel c0p1.2t", "vectorize c0p1_1.4", "registers c0p1_2.4 by 32", "registers c0p1_4.4 by 32", "pack S4 A[i][k] around c0p1.2t"):
		return withFactors
	case !has("blocks c0 ", "phases c0.1t", "parallel c0p1.2t", "copy A at c0p1.2t", "copy A at c0p0.2t", "copy Q at c0p0.2t"):
		return ""
	case has("shift c0p1.3 S2 by 1", "fuse c0p1_2 c0p1_1", "registers c0p1_2.4 by 16 lanes 4"):
		return inPairs
	case has("pack S1 Q[i][k] around c0p1.2t", "pack S2 Q[i][k] around c0p1.2t"):
		return inTurns
	}
	return ""
}
