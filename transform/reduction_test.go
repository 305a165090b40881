package transform

import (
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// reassociated analyses a program whose reductions may be done in any order.
func reassociated(t *testing.T, name string, source []byte) *depend.Graph {
	t.Helper()
	return kerneltest.Analyze(t, programOf(t, name, source).Reassociated())
}

// clausesOf are the commands of a recipe that have clauses.
func clausesOf(recipe string) string {
	var list []string
	for _, line := range strings.Split(recipe, "\n") {
		if strings.Contains(line, "reduction(") {
			list = append(list, line)
		}
	}
	return strings.Join(list, "; ")
}

// Loops carry reductions where no other loop is parallel, or none has lanes, and
// only there.
func TestReductions(t *testing.T) {
	for _, test := range []struct{ about, body, want string }{
		{"a sum", "for (int i = 0; i < N; i++) s += x[i] * y[i];", "parallel c0.1 reduction(+:s)"},
		{"a sum of short length", "for (int i = 0; i < 20; i++) s += x[i] * y[i];", "vectorize c0.1 reduction(+:s)"},
		{"sums of rows", "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) x[i] += A[i][j] * y[j];", "vectorize c0.2 reduction(+:x)"},
		{"sums of columns", "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) y[j] += A[i][j] * x[i];", ""},
		{"sums of rows and columns", "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { x[i] += A[i][j] * z[j]; y[j] += A[i][j] * x[i]; }", "parallel c0.1t reduction(+:y)"},
		{"the largest element", "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) if (s < A[i][j]) s = A[i][j];", "parallel c0.1 reduction(max:s); vectorize c0.2 reduction(max:s)"},
		{"the sum is read inside", "for (int i = 0; i < N; i++) { s += x[i]; y[i] = s; }", ""},
		{"the array is read inside", "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) y[0] += A[i][j] * y[j + 1];", ""},
		{"as many elements as updates", "for (int i = 0; i < N; i++) y[k[i]] += x[i];", ""},
		{"few elements that data decide", "for (int i = 0; i < N; i++) z[k[i]] += x[i];", "parallel c0.1 reduction(+:z)"},
		{"updates in a loop that data end", "for (int i = 0; i < N; i++) for (int l = 0; l < k[i]; l++) y[k[l]] += x[i];", "parallel c0.1 reduction(+:y)"},
		{"two operators", "for (int i = 0; i < N; i++) { s += x[i]; s *= y[i]; }", ""},
		{"a sum, and a product in an array", "for (int i = 0; i < N; i++) { s += x[i]; z[0] *= y[i]; }", "parallel c0.1 reduction(+:s) reduction(*:z)"},
		{"a sum behind a pointer", "for (int i = 0; i < N; i++) *z -= x[i] * y[i];", "parallel c0.1 reduction(+:z)"},
	} {
		source := "void f(int N, int M, double A[N][M], double x[N], double y[N + M + 1], double z[M], int k[N], double s)\n{\n#pragma scop\n" +
			test.body + "\n#pragma endscop\nx[0] = s;\n}\n"
		g := reassociated(t, "test.c", []byte(source))
		text := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if got := clausesOf(text); got != test.want {
			t.Errorf("%s: got %q, want %q in\n%s", test.about, got, test.want, text)
		}
		plain := recipeOf(t, graphOf(t, "test.c", []byte(source)), chosen(t, g, "max"), fixed)
		if clausesOf(plain) != "" || strings.Contains(plain, "reassociate") {
			t.Errorf("%s: reductions without leave:\n%s", test.about, plain)
		}
	}
}

// The kernels that have reductions where loops need them.
func TestReductionsOfKernels(t *testing.T) {
	for _, test := range []struct{ kernel, partition, want string }{
		{"polybench/atax", "none", "vectorize c2.2 reduction(+:tmp)"},
		{"polybench/bicg", "none", "vectorize c3.2 reduction(+:q)"},
		{"polybench/mvt", "none", "vectorize c0.2 reduction(+:x1)"},
		{"polybench/gesummv", "smart", "vectorize c2.2 reduction(+:tmp) reduction(+:y)"},
		{"polybench/gemver", "max", "parallel c0.1 reduction(+:w)"},
		{"polybench/floyd-warshall", "smart", ""},
		{"polybench/deriche", "smart", ""},
	} {
		b, err := benchmarks.Find(test.kernel)
		if err != nil {
			t.Fatal(err)
		}
		g := reassociated(t, b.Name, b.Source)
		text := recipeOf(t, g, chosen(t, g, test.partition), fixed)
		if got := clausesOf(text); got != test.want {
			t.Errorf("%s: got %q, want %q in\n%s", test.kernel, got, test.want, text)
		}
	}
}

// The order of what is not a reduction is kept: as random programs show when
// all their partitions are proven, relaxed dependences or not.
func TestReductionsInStructures(t *testing.T) {
	source := "void f(int N, double A[N][N], double x[N], double s)\n{\n#pragma scop\n" +
		"for (int i = 0; i < N; i++) { s = 0; for (int j = 0; j < N; j++) s += A[i][j]; for (int j = 0; j < N; j++) s -= A[j][i]; x[i] = s; }\n" +
		"#pragma endscop\n}\n"
	g := reassociated(t, "test.c", []byte(source))
	for p, err := range spaceOf(t, g).All() {
		if err != nil {
			t.Fatal(err)
		}
		for _, options := range []Options{fixed, {Tile: Tiling{Sizes: []int64{3, 4}}}, {Tile: Tiling{None: true}, Original: true}, {Model: hyperplane.PlutoPlus, CacheBytes: 1 << 10, Off: []string{vectorAxis}}} {
			recipeOf(t, g, p, options)
		}
	}
}

// Rows may run against relaxed dependences, which are carried then too.
func TestCarriedBackwards(t *testing.T) {
	g := reassociated(t, "test.c", []byte("void f(int N, double x[N], double s)\n{\n#pragma scop\nfor (int i = 0; i < N; i++) s += x[i];\n#pragma endscop\nx[0] = s;\n}\n"))
	p := &planner{graph: g}
	for _, c := range []int64{-1, 0, 1} {
		row := schedule.Row{Iterators: []int64{c}, Parameters: []int64{0}}
		clauses, err := facts.Carried(facts.DependencesOf(p.graph, []int{0}), map[int]schedule.Row{0: row})
		if err != nil || len(clauses) > 0 != (c != 0) {
			t.Errorf("row %d·i: %v, %v", c, clauses, err)
		}
	}
}
