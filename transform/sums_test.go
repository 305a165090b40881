package transform

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// Statements that add up over several loops get register blocks along two of the others, with short
// loops of the sum unrolled from their first iteration on, and those outside shared by threads.
func TestSums(t *testing.T) {
	const filter = `
for (int f = 0; f < N; f++)
  for (int y = 1; y < N - 1; y++)
    for (int x = 1; x < M - 1; x++)
      for (int g = 0; g < N; g++)
        for (int ky = -1; ky <= 1; ky++)
          for (int kx = -1; kx <= 1; kx++)
            out[f][y][x] += in[g][y + ky][x + kx] * w[f][g][ky + 1][kx + 1];`
	const tensors = `
for (int i = 0; i < N; i++)
  for (int j = 0; j < M; j++)
    for (int k = 0; k < N; k++)
      for (int l = 0; l < M; l++)
        c[i][j] += a[i][k][l] * b[k][l][j];`
	run := func(n, m, threads int) Run { return Run{Parameters: map[string]int{"N": n, "M": m}, Threads: threads} }
	for _, test := range []struct {
		about, body string
		run         Run
		want        []string
		no          string
	}{
		{"a filter", filter, Run{}, []string{
			"band c0 permutable S0[f, y, x, g, ky, kx] -> [y]\n", "band c0 S0[f, y, x, g, ky, kx] -> [f, x, g, ky + 1, kx + 1]\n",
			"registers c0.5 c0.6 c0.2 c0.3 by 3 3 6 8 ahead lanes 4\nsink c0.2r\nparallel c0.1\n",
		}, "tile"},
		{"four columns, which are one vector", filter, run(60, 6, 2), []string{"by 3 3 12 4 ahead lanes 4"}, ""},
		{"a long filter", strings.Replace(filter, "kx = -1; kx <= 1", "kx = -1; kx <= 100", 1), Run{}, []string{"registers c0.2 c0.3 by 6 8"}, ""},
		{"tensors", tensors, run(50, 96, 2), []string{"band c0 S0[i, j, k, l] -> [i, j, k, l]\n", "registers c0.1 c0.2 by 5 8 ahead lanes 4\nsink c0.1r\nparallel c0.2r\n"}, ""},
		{"more rows than lanes", tensors, run(960, 8, 2), []string{"registers c0.1 c0.2 by", "lanes 4\nparallel c0.1r\n"}, "sink"},
		{"a sum over one loop", strings.Replace(tensors, "for (int l = 0; l < M; l++)", "for (int l = 0; l < 1; l++)", 1), Run{}, nil, "c0 S0[i, j, k, l] -> [i, j, k, l]"},
		{"the target moves along the sum", strings.Replace(tensors, "c[i][j] += a[i][k][l]", "c[i][j + k] += a[i][k][l]", 1), Run{}, nil, "-> [i, j, k, l]"},
	} {
		source := "void f(int N, int M, double out[N][N][M], double in[N][N][M], double w[N][N][103][103], double c[N][N + M], double a[N][N][M], double b[N][M][M])\n{\n#pragma scop" +
			test.body + "\n#pragma endscop\n}\n"
		g := kerneltest.Analyze(t, programOf(t, "f", []byte(source)))
		text := recipeOf(t, g, chosen(t, g, "smart"), Options{CacheBytes: 32 << 10, SecondCacheBytes: 512 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}, Run: test.run})
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", test.about, want, text)
			}
		}
		if test.no != "" && strings.Contains(text, test.no) {
			t.Errorf("%s: %q in\n%s", test.about, test.no, text)
		}
	}
}

// Sums that count down in the source keep that order.
func TestSumsDown(t *testing.T) {
	const source = "void f(int n, int m, int p, double D[n][p], double E[n][m], double F[m + 2][p])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 2; j < n - 2; j++) for (int k = 0; k < p; k++)\n" +
		"for (int l = m; l-- > 0;) D[i][k] -= 0.125 * E[i][l] * F[l + 2][k];\n#pragma endscop\n}\n"
	g := graphOf(t, "f", []byte(source))
	options := fixed
	options.Vector = VectorUnit{Bits: 256, Registers: 16}
	provenRecipe(t, g, chosen(t, g, "smart"), options)
	up := graphOf(t, "f", []byte(strings.Replace(source, "int l = m; l-- > 0;", "int l = 0; l < m; l++", 1)))
	if recipe, _ := provenRecipe(t, up, chosen(t, up, "smart"), options); !strings.Contains(recipe.Text(up.Model.Program), "registers ") {
		t.Errorf("no blocks of a sum that counts up in\n%s", recipe.Text(up.Model.Program))
	}
}
