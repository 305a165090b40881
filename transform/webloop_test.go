package transform

import (
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

// expandedGraph has the dependences of a program whose temporaries have elements for each iteration.
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
