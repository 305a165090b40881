package transform

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// Statements that pass values on through an expanded array share the outermost loop where three
// loops are left inside, which carry what they carried before; otherwise they are apart.
func TestWebLoop(t *testing.T) {
	options := Options{CacheBytes: 32 << 10, SecondCacheBytes: 512 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}}
	const product = `
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < N; k++) {
      w[k] = 0.0;
      for (int l = 0; l < N; l++)
        w[k] += x[i][j][l] * y[l][k];
    }
    for (int k = 0; k < N; k++)
      x[i][j][k] = w[k];
  }`
	const rows = `
for (int i = 0; i < N; i++) {
  for (int k = 0; k < N; k++) {
    w[k] = 0.0;
    for (int l = 0; l < N; l++)
      w[k] += y[i][l] * x[0][l][k];
  }
  for (int k = 0; k < N; k++)
    y[i][k] = w[k];
}`
	const blocks = "registers c0_0.2 c0_0.3 by 6 8"
	for _, test := range []struct {
		about, body string
		want        []string
	}{
		{"products of rows", product, []string{"classes {S0 S1 S2 S3}\n", "-> [i]; S1", "split c0 {S0 S1} {S2} {S3}\n", "parallel c0.1\n", blocks}},
		{"the outermost loop carries a dependence", strings.Replace(product, "x[i][j][k] = w", "x[i + 1][j][k] = w", 1), []string{"classes {S0} {S1"}},
		{"three loops", rows, []string{"classes {S0} {S1}"}},
	} {
		source := "void f(int N, double x[N][N][N], double y[N][N], double w[N])\n{\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := expandedGraph(t, "f", []byte(source))
		text := recipeOf(t, g, chosen(t, g, "smart"), options)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", test.about, want, text)
			}
		}
	}
}

// Statements of one loop of the source share it where its iterations have rows of expanded arrays
// each, and carry nothing; in tiles of as many iterations as have their sums in lanes, where
// nothing else can be their lanes and the second cache holds what they keep.
func TestWebRows(t *testing.T) {
	const filter = `
for (int i = 0; i < N; i++) {
  for (int j = 0; j < N; j++)
    w[j] = y[i][j] * 2;
  for (int j = 1; j < N; j++)
    y[i][j] = w[j] + w[j - 1];
}`
	const norm = `
for (int i = 0; i < N; i++) {
  s = 0;
  for (int j = 0; j < N; j++)
    s += y[i][j];
  for (int j = 0; j < N; j++)
    w[j] = y[i][j] - s;
  for (int j = 0; j < N; j++)
    y[i][j] = w[j] * w[N - 1 - j];
}`
	const batch = `
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++) {
    s = 0;
    for (int k = 0; k < N; k++) {
      w[k] = x[i][j][k] * 3;
      s += w[k];
    }
    for (int k = 0; k < N; k++)
      x[i][j][k] = w[k] / s;
  }`
	const product = `
for (int i = 0; i < N; i++) {
  for (int k = 0; k < N; k++) {
    w[k] = 0;
    for (int l = 0; l < N; l++)
      w[k] += y[i][l] * x[%s][l][k];
  }
  for (int k = 0; k < N; k++)
    y[i][k] = w[k];
}`
	caches := Options{CacheBytes: 32 << 10, SecondCacheBytes: 512 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}}
	run := func(n, threads int) Options {
		o := caches
		o.Run = Run{Parameters: map[string]int{"N": n}, Threads: threads}
		return o
	}
	oneThread := caches
	oneThread = oneThread.WithOff(parallelAxis)
	const alone = "classes {S0} "
	for _, test := range []struct {
		about, body string
		options     Options
		want        []string
	}{
		{"rows", filter, caches, []string{"classes {S0 S1 S2}\n", "S1[i, j] -> [i]; S2", "parallel c0.1\n", "vectorize c0_1.2\n", "contract w_1 at c0.1\n"}},
		{"fewer rows than threads", filter, run(7, 8), []string{"band c0 permutable S0[i, j] -> [i, j]"}},
		{"the loop carries a dependence", strings.Replace(filter, "y[i][j] = w", "y[i + 1][j] = w", 1), caches, []string{"wavefront c0.1t c0.2t\n"}},
		{"sums", norm, caches, []string{"by 16\n", "parallel c0.1t\n", "registers c0_1.2 by 16", "vectorize c0_2.3\n", "contract s_1 at c0.1t\n", "contract w_1 at c0.1t\n"}},
		{"sums on one thread", norm, oneThread, []string{"by 16\n", "registers c0_1.2 by 16", "contract w_1 at c0.1t\n"}},
		{"sums of rows that no cache holds", norm, run(10000, 2), []string{"S4[i, element_1] -> [i]\nsplit", "contract w_1 at c0.1\n"}},
		{"too few rows for tiles", norm, run(40, 4), []string{"S4[i, element_1] -> [i]\nsplit", "contract w_1 at c0.1\n"}},
		{"sums in two loops", batch, caches, []string{"-> [i]\nblocks c0 S0[i, j] -> [j]", "parallel c0.1\n", "registers c0_2.3 by 16", "contract w_1 at c0.2t\n"}},
		{"products with one matrix", fmt.Sprintf(product, "0"), caches, []string{alone}},
		{"products with a matrix each", fmt.Sprintf(product, "i"), caches, []string{"parallel c0.1\n", "contract w_1 at c0.1\n"}},
	} {
		source := "void f(int N, double x[N][N][N], double y[N + 1][N], double w[N])\n{\ndouble s;\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := expandedGraph(t, "f", []byte(source))
		text := recipeOf(t, g, chosen(t, g, "smart"), test.options)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", test.about, want, text)
			}
		}
	}
}

// expandedGraph has the dependences of a program whose temporaries have elements for each
// iteration.
func expandedGraph(t *testing.T, name string, source []byte) *depend.Graph {
	t.Helper()
	ctx := isl.NewContext()
	t.Cleanup(ctx.Close)
	m, err := programOf(t, name, source).Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	program, err := depend.Expand(m, nil, scop.Room{Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return kerneltest.Analyze(t, program)
}
