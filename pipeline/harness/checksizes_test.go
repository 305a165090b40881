package harness

import (
	"testing"

	"polytune/internal/targettext"
	"polytune/pipeline"
)

// Results are compared at sizes with which arrays take little memory, where there are such sizes: an array of six dimensions
// is 53 GB at the sizes of others.
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
		{"a large array whatever the sizes", `double large[1 << 26];
void f(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        large[i] *= 2;
#pragma endscop
}
`, []string{"n=37", "n=3", "n=40009"}},
		{"a loop to what the driver fills in", `double u[13][13];
int grid[2];
void f(int i)
{
#pragma scop
    for (int j = 0; j < grid[1]; j++)
        u[i][j] *= 2;
#pragma endscop
}
`, []string{"i=7", "i=3"}},
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
