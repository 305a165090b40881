package harness

import (
	"testing"

	"polytune/internal/targettext"
	"polytune/pipeline"
)

// Results are compared at sizes with which arrays take little memory, where there are such sizes:
// an array of six dimensions is 53 GB at the sizes of others.
func TestCheckSizesTakeLittleMemory(t *testing.T) {
	for _, test := range []struct {
		about, text string
		want        []string
	}{
		{"six dimensions", `void f(int v, int o, double t[o][o][o][v][v][v])
{
#pragma scop
    for (int i = 0; i < o; i++)
        for (int j = 0; j < o; j++)
            for (int k = 0; k < o; k++)
                for (int a = 0; a < v; a++)
                    for (int b = 0; b < v; b++)
                        for (int c = 0; c < v; c++)
                            t[i][j][k][a][b][c] += t[j][i][k][b][a][c];
#pragma endscop
}
`, []string{"o=14 v=13", "o=4 v=3"}},
		{"two dimensions", `void f(int v, int o, double t[o][v])
{
#pragma scop
    for (int i = 0; i < o; i++)
        for (int a = 0; a < v; a++)
            t[i][a] *= 2;
#pragma endscop
}
`, []string{"o=51 v=37", "o=4 v=3", "o=271 v=257"}},
		{"what references need where declarations leave it open", `void f(int n, const double *restrict x, double (*restrict y)[3])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[2 * i][1] = x[i];
#pragma endscop
}
`, []string{"n=37", "n=3", "n=40009"}},
		{"seven loops with little data", `void f(int a, int b, int c, int d, int e, int g, int h, double s[a])
{
#pragma scop
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                for (int l = 0; l < d; l++)
                    for (int m = 0; m < e; m++)
                        for (int n = 0; n < g; n++)
                            for (int o = 0; o < h; o++)
                                s[i] += j + k - l + m - n + o;
#pragma endscop
}
`, []string{"a=13 b=14 c=15 d=16 e=17 g=18 h=19", "a=3 b=4 c=5 d=6 e=7 g=8 h=9"}},
		{"what the code is for", `void f(int bw, int bh, int stride, const double *restrict in, double *restrict out)
{
#pragma scop
    for (int y = 0; y < bh; y++)
        for (int x = 0; x < 8 * bw; x++)
            out[y * stride + x] = in[y * stride + x];
#pragma endscop
}
`, []string{"bh=51 bw=37 stride=296", "bh=4 bw=3 stride=24", "bh=271 bw=257 stride=2056"}},
		{"a large array whatever the sizes", `double large[1 << 26];
void f(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        large[i] *= 2;
#pragma endscop
}
`, []string{"n=37", "n=3", "n=40009"}},
		{"a loop to what the declaration gives", `double u[13][13];
int grid[2] = {3, 4};
void f(int i)
{
#pragma scop
    for (int j = 0; j < grid[1]; j++)
        u[i][j] *= 2;
#pragma endscop
}
`, []string{"i=7", "i=3"}},
		{"a loop to an element that the driver sets", `double u[13][13];
int grid[2];
void f(int i)
{
#pragma scop
    for (int j = 0; j < grid[1]; j++)
        u[i][j] *= 2;
#pragma endscop
}
`, []string{"grid[1]=8 i=7", "grid[1]=4 i=3"}},
	} {
		sizes, err := CheckSizes(targettext.Of(t, test.text))
		if err != nil || len(sizes) != len(test.want) {
			t.Errorf("%s: %v: %v", test.about, sizes, err)
			continue
		}
		for k, want := range test.want {
			if got := pipeline.ParametersText(sizes[k]); got != want {
				t.Errorf("%s: %s instead of %s", test.about, got, want)
			}
		}
	}
}
