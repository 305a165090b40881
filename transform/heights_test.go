package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeights are sweeps over a plane, and how many of them a tile has: no more than each thread's share, so that waves have a tile for each.
func TestHeights(t *testing.T) {
	const source = "void f(int T, int N, double a[N][N], double b[N][N])\n{\n#pragma scop\nfor (int t = 0; t < %s; t++) {\nfor (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];\n" +
		"for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];\n}\n#pragma endscop\n}\n"
	for _, test := range []struct {
		sweeps  string
		run     Run
		tiling  Tiling
		want    string
		threads bool
	}{
		{"T", Run{Parameters: map[string]int{"T": 500, "N": 1000}, Threads: 2}, Tiling{}, "by 24 24 ", true},
		{"T", Run{Parameters: map[string]int{"T": 20, "N": 1000}, Threads: 2}, Tiling{}, "by 10 24 ", true},
		{"T", Run{Parameters: map[string]int{"T": 21, "N": 1000}, Threads: 8}, Tiling{}, "by 3 24 ", true},
		{"T", Run{Parameters: map[string]int{"T": 20, "N": 1000}, Threads: 64}, Tiling{}, "by 2 24 ", true},
		{"T", Run{Threads: 2}, Tiling{}, "by 24 24 ", true},
		{"20", Run{Threads: 2}, Tiling{}, "by 10 24 ", true},
		{"20", Run{Threads: 2}, Tiling{Sizes: []int64{32}}, "by 32 32 ", false},
		{"20", Run{Threads: 2}, Tiling{Height: 4}, "by 4 24 ", true},
		{"20", Run{Threads: 2}, Tiling{Sizes: []int64{32}, Height: 4}, "by 4 32 ", true},
	} {
		options := fixed
		options.Run, options.Tile = test.run, test.tiling
		g := graphOf(t, "f", fmt.Appendf(nil, source, test.sweeps))
		recipe := recipeOf(t, g, chosen(t, g, "max"), options)
		if !strings.Contains(recipe, test.want) || strings.Contains(recipe, "parallel") != test.threads {
			t.Errorf("%s sweeps of %+v, %+v: no %q, or threads are not %v, in\n%s", test.sweeps, test.run, test.tiling, test.want, test.threads, recipe)
		}
	}
}
