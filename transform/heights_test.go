package transform

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeights are sweeps over a plane, and how many of them a tile has: no more than each thread's
// share, so that waves have a tile for each.
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
		{"T", Run{Parameters: map[string]int{"T": 20, "N": 1000}, Threads: 64}, Tiling{}, "by 2 8 ", true},
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

// TestLengthsOfWaves are points of planes and triangles that wait for those above and on the left,
// and the tiles in which threads go through them: long rows for each of them in a plane, and more
// tiles in a wave where the rows of a triangle differ.
func TestLengthsOfWaves(t *testing.T) {
	for _, test := range []struct {
		last          string
		size, threads int
		want          string
	}{
		{"j < N", 2000, 2, "by 16 1000\n"},
		{"j < N", 100, 2, "by 12 50\n"},
		{"j < N", 100, 8, "by 3 13\n"},
		{"j < N", 100, 1, "by 16 99\n"},
		{"j <= i", 100, 2, "by 12 24\n"},
		{"j <= i", 2000, 2, "by 72 72\n"},
	} {
		options := fixed
		options.Run = Run{Parameters: map[string]int{"N": test.size}, Threads: test.threads}
		g := graphOf(t, "f", fmt.Appendf(nil, "void f(int N, double a[N][N])\n{\n#pragma scop\nfor (int i = 1; i < N; i++)\nfor (int j = 1; %s; j++)\na[i][j] += a[i - 1][j] * a[i][j - 1];\n#pragma endscop\n}\n", test.last))
		if recipe := recipeOf(t, g, chosen(t, g, "max"), options); !strings.Contains(recipe, test.want) {
			t.Errorf("%s, %d, %d threads: no %q in\n%s", test.last, test.size, test.threads, test.want, recipe)
		}
	}
}
