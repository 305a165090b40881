package transform

import (
	"testing"
)

// TestWays are classes whose statements have no vectors or no register blocks in loops that they
// share, and what each does.
func TestWays(t *testing.T) {
	const life = `
#pragma scop
for (int t = 0; t < T; t++) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      next[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1] == 3;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) {
      grid[i][j] = next[i][j];
      count[t] += next[i][j];
    }
}
#pragma endscop
`
	const products = `
#pragma scop
for (int i = 0; i < N; i++) {
  for (int l = 0; l < 4; l++)
    for (int j = 0; j < N; j++)
      c[l][i][j] = 0;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) {
      c[0][i][j] += a[i][k] * b[k][j];
      c[1][i][j] += a[i][k] * d[k][j];
      c[2][i][j] += b[i][k] * a[k][j];
      c[3][i][j] += b[i][k] * d[k][j];
    }
}
#pragma endscop
`
	const tensor = `
#pragma scop
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    for (int k = 0; k < N; k++)
      for (int r = 0; r < 16; r++)
        m[i][r] += x[i][j][k] * p[j][r] * q[k][r];
#pragma endscop
`
	const factor = `
#pragma scop
for (int k = 0; k < N; k++) {
  d[k] = a[k][k];
  for (int i = k + 1; i < N; i++)
    w[i] = a[i][k];
  for (int i = k + 1; i < N; i++) {
    a[i][k] = w[i] / d[k];
    for (int j = k + 1; j <= i; j++)
      a[i][j] -= a[i][k] * w[j];
  }
}
#pragma endscop
`
	const columns = `
#pragma scop
for (int i = 0; i < 2 * H; i++)
  for (int j = 0; j < W; j++) {
    t[i][j] = a[i][2 * j] + a[i][2 * j + 1];
    t[i][j + W] = a[i][2 * j] - a[i][2 * j + 1];
  }
for (int i = 0; i < H; i++)
  for (int j = 0; j < 2 * W; j++) {
    a[i][j] = t[2 * i][j] + t[2 * i + 1][j];
    a[i + H][j] = t[2 * i][j] - t[2 * i + 1][j];
  }
#pragma endscop
`
	const sums = `
#pragma scop
for (int p = 0; p < N - 1; p++)
  for (int q = p + 1; q < N; q++) {
    a = 0; b = 0;
    for (int k = 0; k < N; k++) {
      a += u[k][p] * u[k][p];
      b += u[k][p] * u[k][q];
    }
    for (int k = 0; k < N; k++)
      u[k][q] -= b / a * u[k][p];
  }
#pragma endscop
`
	const powers = `
#pragma scop
for (int d = 0; d < T; d++) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      t[i][j] = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        t[i][j] += a[i][k] * e[k][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      e[i][j] = t[i][j];
}
#pragma endscop
`
	const field = `
#pragma scop
for (int t = 0; t < 32; t++) {
  for (int i = 0; i < 47; i++)
    for (int j = 0; j < 47; j++)
      for (int k = 0; k < 64; k++) {
        hx[i][j][k] -= c * (ez[i][j + 1][k] - ez[i][j][k]);
        hy[i][j][k] += c * (ez[i + 1][j][k] - ez[i][j][k]);
      }
  for (int i = 1; i < 47; i++)
    for (int j = 1; j < 47; j++)
      for (int k = 0; k < 64; k++)
        ez[i][j][k] += hy[i][j][k] - hy[i - 1][j][k] - hx[i][j][k] + hx[i][j - 1][k];
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 47; j++)
      for (int k = 0; k < 64; k++) {
        ps[i][j][k] = 0.5 * ps[i][j][k] + hy[i][j][k] - hy[i - 1][j][k];
        ez[47 - i][j][k] += ps[i][j][k];
      }
}
#pragma endscop
`
	const elements = `
#pragma scop
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        for (int c = 0; c < 2; c++)
          for (int d = 0; d < 2; d++)
            m[i + a][j + b][c - a + 1][d - b + 1] += w[i][j] * g[a][b] * g[c][d];
#pragma endscop
`
	const nested = `
#pragma scop
for (int k = 1; k < N; k += 8)
  for (int l = k; l < (k + 8 < N ? k + 8 : N); l += 4)
    for (int m = 1; m < N; m += 3)
      for (int j = l; j < (l + 4 < N ? l + 4 : N); j++) {
        s = 0.5 * s + a[j + 8][j + 8];
        for (int i = m; i <= (m + 2 < N - 1 ? m + 2 : N - 1); i++)
          s += 0.125 * x[j + 8];
      }
#pragma endscop
`
	const integral = `
#pragma scop
for (int i = 1; i <= N; i++) {
  r = 0;
  for (int j = 1; j <= N; j++) {
    r += a[i - 1][j - 1];
    s[i][j] = s[i - 1][j] + r;
  }
}
for (int i = 3; i < N - 3; i++)
  for (int j = 3; j < N - 3; j++)
    b[i][j] = (s[i + 4][j + 4] - s[i - 3][j + 4] - s[i + 4][j - 3] + s[i - 3][j - 3]) / 49;
#pragma endscop
`
	vectors := fixed
	vectors.Vector, vectors.Run.Threads = VectorUnit{Bits: 512, Registers: 32}, 2
	many := vectors
	many.Run.Threads = 16
	joined := vectors
	joined.Fusion = FuseMax
	scalar := vectors
	scalar = scalar.WithOff(vectorAxis)
	for _, test := range []struct {
		name, head, source string
		options            Options
		want, without      []string
	}{
		{"the loops of the source have vectors", "int T, int N, unsigned char grid[N][N], unsigned char next[N][N], int count[T]", life, vectors,
			[]string{"[t]; ", "parallel c0_0.2\n", "vectorize c0_0.3\n"}, []string{"wavefront"}},
		{"nobody asks for vectors", "int T, int N, unsigned char grid[N][N], unsigned char next[N][N], int count[T]", life, scalar,
			[]string{"wavefront"}, []string{"vectorize"}},
		{"the user says what is fused", "int T, int N, unsigned char grid[N][N], unsigned char next[N][N], int count[T]", life, joined,
			[]string{"wavefront"}, []string{"vectorize"}},
		{"products have register blocks apart", "int N, double a[N][N], double b[N][N], double c[4][N][N], double d[N][N]", products, vectors,
			[]string{"classes {S0} {S1} {S2} {S3} {S4}\n", "registers c1.", "registers c4."}, nil},
		{"the loop for vectors is inside of a sum in order", "int N, float x[N][N][N], float p[N][16], float q[N][16], double m[N][16]", tensor, vectors,
			[]string{"parallel c0.1", "vectorize c0.4\n"}, nil},
		{"rows are free where their column is copied before", "int N, double a[N][N], double d[N], double w[N]", factor, vectors,
			[]string{"parallel c0_2.2t\n", "vectorize c0_2.3\n"}, []string{"wavefront"}},
		{"sums wait together", "int N, double u[N][N], double a, double b", sums, vectors,
			[]string{"split c0 {S0} {S1} {S2 S3} {S4}\n"}, nil},
		{"a loop with another one inside is none for vectors", "int N, double a[N + 20][N + 20], double x[N + 20], double s", nested, vectors, []string{"classes {S0 S1}\n"}, nil},
		{"products in a loop in order have register blocks", "int T, int N, double t[N][N], double a[N][N], double e[N][N]", powers, vectors,
			[]string{"band c0 permutable S0[d, i, j] -> [d]; ", "registers c0_1.2 c0_1.4 by"}, nil},
		{"elements behind each other of a small field are lanes", "double ez[48][48][64], double hx[48][48][64], double hy[48][48][64], double ps[8][48][64], double c", field, vectors,
			[]string{"vectorize c0_0.4\n", "vectorize c0_1.4\n", "parallel c0_0.2"}, []string{"[k, t]"}},
		{"tiny loops that compilers unroll are not skewed along long ones", "int N, double m[N + 1][N + 1][3][3], double w[N][N], double g[2][2]", elements, vectors,
			[]string{"band c0 permutable S0[i, j, a, b, c, d] -> [i]\n"}, []string{"parallel"}},
		{"but for many threads", "int N, double m[N + 1][N + 1][3][3], double w[N][N], double g[2][2]", elements, many,
			[]string{"parallel"}, nil},
		{"passes along columns have loops of their own", "int H, int W, float t[2 * H][2 * W], float a[2 * H][2 * W]", columns, vectors,
			[]string{"classes {S0} {S1} {S2} {S3}\n", "vectorize c2.2\n"}, nil},
		{"what threads can share is not in the loops of a recurrence that has most of the work", "int N, int a[N][N], int s[N + 1][N + 1], int b[N][N], int r", integral, vectors,
			[]string{"classes {S0 S1 S2} {S3}\n", "parallel c1.1\n", "vectorize c1.2\n"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := graphOf(t, "f", []byte("void f("+test.head+")\n{"+test.source+"}\n"))
			partition, _, err := Refine(g, chosen(t, g, "smart"), test.options)
			if err != nil {
				t.Fatal(err)
			}
			recipe := recipeOf(t, g, partition, test.options)
			checkTexts(t, test.name, recipe, test.want, test.without)
		})
	}
}
