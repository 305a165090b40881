package transform

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// Iterations run beside each other where the innermost loop carries dependences, and
// only there; recipeOf proves the recipes.
func TestInterleave(t *testing.T) {
	for _, test := range []struct{ kernel, partition, want string }{
		{"seidel-2d", "none", "skew c0.3 by 1 c0.2\ntile c0.1 c0.2 c0.3 by 56 56 2048\nwavefront c0.1t c0.2t\nparallel c0.2t\nregisters c0.2 by 8\n"},
		{"mvt", "max", "tile c0.1 c0.2 by 64 256\nparallel c0.1t\nregisters c0.1 by 8\n"},
		{"polybench/cholesky", "max", ""},
		{"jacobi-2d", "max", ""},
		{"gemm", "max", ""},
		{"trisolv", "max", ""},
	} {
		g := kerneltest.Graph(t, test.kernel)
		got := recipeOf(t, g, chosen(t, g, test.partition), Options{CacheBytes: fixed.CacheBytes})
		if !strings.Contains(got, test.want) || test.want == "" && strings.Contains(got, "registers") {
			t.Errorf("%s: no %q in\n%s", test.kernel, test.want, got)
		}
	}
}

// A recurrence in each row has rows beside each other also where nothing is tiled,
// and the loop over blocks of them runs on several threads.
func TestInterleaveUntiled(t *testing.T) {
	source := `void f(int N, double x[N][N])
{
#pragma scop
for (int i = 0; i < N; i++)
for (int j = 1; j < N; j++)
x[i][j] = 0.5 * x[i][j - 1] + x[i][j];
#pragma endscop
}
`
	g := graphOf(t, "f", []byte(source))
	for rows, want := range map[Interleave]string{
		0: "registers c0.1 by 8\nparallel c0.1r\n",
		4: "registers c0.1 by 4\nparallel c0.1r\n",
		1: "parallel c0.1\n",
	} {
		got := recipeOf(t, g, chosen(t, g, "none"), Options{CacheBytes: fixed.CacheBytes, Interleave: rows, Tile: Tiling{None: true}})
		if !strings.HasSuffix(got, want) {
			t.Errorf("%d: no %q at the end of\n%s", rows, want, got)
		}
	}
}
