package transform

import (
	"slices"
	"testing"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Tiles of one loop are about equally long, whole blocks, and as many as is a multiple of what
// shares them out.
func TestEvenly(t *testing.T) {
	for _, test := range []struct{ length, most, block, threads, want int64 }{
		{1000, 96, 6, 1, 96},
		{1000, 96, 6, 2, 84},
		{1000, 108, 6, 2, 84},
		{800, 108, 6, 2, 102},
		{900, 108, 6, 2, 90},
		{1000, 96, 6, 64, 18},
		{1200, 256, 8, 1, 240},
		{96, 96, 6, 2, 48},
		{5, 96, 6, 2, 6},
		{1, 96, 6, 1, 6},
		{facts.Unlimited, 100, 6, 2, 96},
		{0, 100, 6, 2, 96},
		{7, 3, 8, 1, 8},
	} {
		if got := evenly(test.length, test.most, test.block, test.threads); got != test.want {
			t.Errorf("tiles of %d iterations, at most %d, in blocks of %d, on %d threads: %d, not %d",
				test.length, test.most, test.block, test.threads, got, test.want)
		}
	}
}

// Tiles begin at multiples of their size: of iterations from 1 to 58 in tiles of 29 one of two
// threads would have 57.
func TestEvenlyFrom(t *testing.T) {
	for _, test := range []struct{ begin, length, most, block, threads, want int64 }{
		{0, 58, 256, 1, 2, 29},
		{1, 58, 256, 1, 2, 30},
		{1, 1000, 256, 1, 2, 251},
		{64, 64, 256, 8, 2, 48},
	} {
		if got := evenlyFrom(test.begin, test.length, test.most, test.block, test.threads); got != test.want {
			t.Errorf("tiles of %d iterations from %d on, at most %d, on %d threads: %d, not %d", test.length, test.begin, test.most, test.threads, got, test.want)
		}
	}
	if iterations, tiles := largestShare(1, 58, 29, 2); iterations != 57 || tiles != 2 {
		t.Errorf("the largest share is %d iterations in %d tiles", iterations, tiles)
	}
	for _, test := range []struct {
		begin, size int64
		want        bool
	}{{0, 29, false}, {1, 29, true}, {1, 30, false}} {
		if got := isUnfair(test.begin, 58, test.size, 2); got != test.want {
			t.Errorf("tiles of %d from %d on: unfair %v", test.size, test.begin, got)
		}
	}
}

// The sizes of tiles around register blocks fit the run that is meant and the caches.
func TestCacheBlocks(t *testing.T) {
	product := graphOf(t, "product", []byte(`void product(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
`))
	triangle := graphOf(t, "triangle", []byte(`void triangle(int n, double b[n][n], double a[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < n; k++)
        b[i][j] += a[k][i] * b[k][j];
#pragma endscop
}
`))
	caches := fixed
	caches.CacheBytes, caches.SecondCacheBytes, caches.Vector = 32<<10, 512<<10, VectorUnit{256, 16}
	with := func(third int, run Run) Options {
		options := caches
		options.ThirdCacheBytes, options.Run = third, run
		return options
	}
	large := map[string]int{"n": 1000, "m": 1100, "unknown": 3}
	wide := with(32<<20, Run{Parameters: large, Threads: 2})
	wide.CacheBytes, wide.SecondCacheBytes, wide.Tile.Scale = 128<<10, 16<<20, 2
	for _, test := range []struct {
		about   string
		options Options
		// product and triangle are the sizes: along rows, lanes and the stream; along the lanes
		// first.
		product, triangle []int64
	}{
		{"nothing is known", with(0, Run{}), []int64{36, 1024, 256}, []int64{128, 126, 256}},
		{"a third cache", with(8<<20, Run{}), []int64{36, 2048, 256}, []int64{128, 126, 256}},
		{"a run", with(32<<20, Run{Parameters: large}), []int64{102, 1104, 256}, []int64{1000, 126, 256}},
		{"a run on two threads", with(32<<20, Run{Parameters: large, Threads: 2}), []int64{84, 1104, 256}, []int64{504, 126, 256}},
		{"wide tiles for large caches, with rows of which a thread may have a copy", wide, []int64{42, 1104, 1000}, []int64{504, 60, 1000}},
	} {
		for k, want := range [][]int64{test.product, test.triangle} {
			g := []*depend.Graph{product, triangle}[k]
			recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), test.options)
			for _, c := range recipe {
				if tile, ok := c.(command.Tile); ok && !slices.Equal(tile.Sizes, want) {
					t.Errorf("%s, %s: tiles of %v, not %v", test.about, g.Model.Program.Function.Name, tile.Sizes, want)
				}
			}
		}
	}
}
