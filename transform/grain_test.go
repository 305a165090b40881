package transform

import "testing"

// Nests that run one after the other in a loop in order have several threads from the same size on,
// but not those of loops in order inside.
func TestAlignGrains(t *testing.T) {
	const relaxation = `
#pragma scop
for (int t = 0; t < T; t++) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      d[i][j] = u[i][j] * u[i][j] + u[i - 1][j] * u[i - 1][j];
  for (int s = 0; s < T; s++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        q[i][j] = p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1] - d[i][j];
    for (int j = 0; j < N; j++)
      q[0][j] = q[N - 2][j];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        p[i][j] = q[i][j];
  }
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      u[i][j] = u[i][j] + p[i][j];
}
#pragma endscop
`
	g := graphOf(t, "f", []byte("void f(int T, int N, double u[N][N], double d[N][N], double p[N][N], double q[N][N])\n{"+relaxation+"}\n"))
	options := Options{CacheBytes: 32 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}}
	recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), options)
	checkTexts(t, "relaxations", recipe.Text(g.Model.Program), []string{
		"threads c0_0.2 from 32768 of N - 2, N - 2\n", "threads c0_2.2 from 32768 of N - 2, N - 2\n",
		"threads c0_1_0.3 from 32768 of N - 2, N - 2\n", "threads c0_1_2.3 from 32768 of N, N\n", "threads c0_1_1.3 from 32768\n",
	}, nil)
}

// A band's rows are as long as the band is wide, which tells when threads pay.
func TestGrainOfBand(t *testing.T) {
	const band = `
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int r, float q[n], float D[n + 1][n + 1])
{
#pragma scop
for (int i = 1; i <= n; i++)
  for (int j = MAX(1, i - r); j <= MIN(n, i + r); j++)
    D[i][j] = q[i - 1] + MIN(D[i - 1][j], D[i][j - 1]);
#pragma endscop
}
`
	g := graphOf(t, "f", []byte("#define MAX(a, b) ((a) > (b) ? (a) : (b))"+band))
	recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), Options{CacheBytes: 32 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}})
	checkTexts(t, "a band", recipe.Text(g.Model.Program), []string{"wavefront ", " of n, 2r + 1\n"}, nil)
}

// The border of a picture is several pieces, some bounds of which fall as the picture grows: none
// of them says how large it is.
func TestGrainOfBorder(t *testing.T) {
	g := graphOf(t, "f", []byte(`
void f(int h, int w, const int in[h][w], int d[h + 2][w + 2])
{
#pragma scop
for (int y = 0; y < h + 2; y++)
  for (int x = 0; x < w + 2; x++)
    if (y == 0 || y == h + 1 || x == 0 || x == w + 1)
      d[y][x] = 1;
    else
      d[y][x] = in[y - 1][x - 1];
#pragma endscop
}
`))
	recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), Options{CacheBytes: 32 << 10, Vector: VectorUnit{Bits: 256, Registers: 16}})
	checkTexts(t, "a border", recipe.Text(g.Model.Program), []string{" of h + 2, w + 2\n"}, []string{"-h"})
}

// A loop alone in its band, with other loops inside, has several threads from some work on, as one
// with others beside it.
func TestGrainOfSingleLoops(t *testing.T) {
	g := graphOf(t, "f", []byte(`
void f(int n, int m, double a[n][m], double b[n][m], double c[n])
{
#pragma scop
for (int i = 0; i < n; i++) {
  for (int j = 1; j < m; j++)
    a[i][j] += a[i][j - 1];
  for (int j = 1; j < m; j++)
    b[i][m - j] += b[i][m - j - 1] * a[i][j];
  c[i] = b[i][0];
}
#pragma endscop
}
`))
	recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), Options{CacheBytes: 32 << 10})
	checkTexts(t, "a single loop", recipe.Text(g.Model.Program), []string{"parallel c0.1\nthreads c0.1 from ", " of n, m - 1\n"}, nil)
}
