package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
)

// The hyperplanes of diamond tiling: a multiple of the face less those of the
// other loops of the front, and whether the tiles start together.
func TestDiamond(t *testing.T) {
	for _, test := range []struct {
		kernel  string
		diamond Diamond
		starts  bool
		want    string
	}{
		{"polybench/jacobi-1d", DiamondOff, false, "wavefront c0.1t c0.2t\n"},
		{"polybench/jacobi-1d", DiamondOne, true, "diamond c0.1 S0[t, i] -> [2t - i]; S1[t, i] -> [2t - i + 1]\ntile c0.1 c0.2 by 64 64\nwavefront c0.1t c0.2t\nparallel c0.2t\n"},
		{"polybench/jacobi-2d", DiamondOne, true, "diamond c0.1 S0[t, i, j] -> [2t - i]; S1[t, i, j] -> [2t - i + 1]\ntile c0.1 c0.2 c0.3 by 24 24 2048\nwavefront c0.1t c0.2t\nparallel c0.2t\n"},
		{"polybench/jacobi-2d", DiamondFull, true, "diamond c0.1 S0[t, i, j] -> [2t - i - j]; S1[t, i, j] -> [2t - i - j + 1]\ntile c0.1 c0.2 c0.3 by 24 24 24\nwavefront c0.1t c0.2t c0.3t\nparallel c0.2t\n"},
		{"polybench/heat-3d", DiamondFull, true, "diamond c0.1 S0[t, i, j, k] -> [2t - i - j - k]; "},
		{"polybench/fdtd-2d", DiamondOne, true, "diamond c0.1 S0[t, j] -> [t - j]; S1[t, i, j] -> [t - j]; S2[t, i, j] -> [t - j]; S3[t, i, j] -> [t - j]\n"},
		{"polybench/fdtd-2d", DiamondFull, true, "diamond c0.1 S0[t, j] -> [t - j]; S1[t, i, j] -> [t - i - j]; S2[t, i, j] -> [t - i - j]; S3[t, i, j] -> [t - i - j]\n"},
		{"polybench/seidel-2d", DiamondOne, false, "tile c0.1 c0.2 c0.3 by 72 72 72\nwavefront c0.1t c0.2t\n"},
		{"polybench/seidel-2d", DiamondFull, false, "tile c0.1 c0.2 c0.3 by 72 72 72\nwavefront c0.1t c0.2t\n"},
		{"polybench/gemm", DiamondFull, false, "parallel c0.1t\n"},
		{"hex/heat-2d", DiamondOne, true, "diamond c0.1 S0[t, i, j] -> [t - i]\n"},
		{"hex/heat-2d", DiamondFull, true, "diamond c0.1 S0[t, i, j] -> [2t - i - j]\n"},
		{"hex/gradient-3d", DiamondFull, true, "diamond c0.1 S0[t, i, j, k] -> [t - i - j - k]\n"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		options := fixed
		options.Diamond = test.diamond
		recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), options)
		if got := recipe.Text(g.Model.Program); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in\n%s", test.kernel, test.want, got)
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		if starts, err := ConcurrentStart(g, tree); err != nil || starts != test.starts {
			t.Errorf("%s: tiles start together: %v, %v; want %v", test.kernel, starts, err, test.starts)
		}
	}
}

// Statements that share a variable of an iteration have the same row, which is not what their
// dependences alone ask for: where these need different ones there are no diamonds.
func TestDiamondOfPrivates(t *testing.T) {
	for read, want := range map[string]bool{"A[i + 1][j]": false, "B[i + 1][j]": true} {
		g := graphOf(t, "f", []byte(strings.ReplaceAll(`void f(int T, int n, double A[n][n], double B[n][n], double C[n][n])
{
#pragma scop
for (int t = 0; t < T; t++) {
  for (int i = 1; i < n - 2; i++)
    for (int j = 1; j < n - 2; j++) {
      double u = A[i - 1][j] + A[i + 1][j - 1];
      double v = u > 1 ? A[i][j] : C[i][j] + u;
      B[i][j] = (u + v) * 0.25;
    }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      double u = B[i][j];
      double v = B[i][j - 1] + READ + u;
      A[i][j] = (u + v) * 0.25;
    }
}
#pragma endscop
}
`, "READ", read)))
		options := fixed
		options.Diamond = DiamondOne
		recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), options)
		if text := recipe.Text(g.Model.Program); strings.Contains(text, "\ndiamond c0.1 ") != want {
			t.Errorf("%s: diamonds are wanted: %v\n%s", read, want, text)
		}
	}
}

// Tiles that start together do so in the code: the first wave of a run at a
// small size has as many tiles as fit along the face, in one dimension or all,
// and one without concurrent start; no instance of a wave depends on one in
// another tile of it. Dependences are those found by executing the program.
// Of kernels with two kinds of diamonds the short test has one.
func TestTilesStartTogether(t *testing.T) {
	for _, test := range []struct {
		kernel     string
		parameters []int64
		diamond    Diamond
		size       int64
		// extents are those of the face in the dimensions along which tiles
		// start together.
		extents []int64
		isLong  bool
	}{
		{"polybench/jacobi-1d", []int64{6, 38}, DiamondOff, 4, nil, false},
		{"polybench/jacobi-1d", []int64{6, 38}, DiamondOne, 4, []int64{36}, false},
		{"polybench/jacobi-2d", []int64{4, 15}, DiamondOff, 3, nil, true},
		{"polybench/jacobi-2d", []int64{4, 15}, DiamondOne, 3, []int64{13}, true},
		{"polybench/jacobi-2d", []int64{4, 15}, DiamondFull, 3, []int64{13, 13}, false},
		{"polybench/fdtd-2d", []int64{3, 11, 14}, DiamondOne, 4, []int64{14}, false},
		{"polybench/fdtd-2d", []int64{3, 11, 14}, DiamondFull, 4, []int64{11, 14}, true},
		{"hex/heat-2d", []int64{5, 16}, DiamondOne, 4, []int64{14}, true},
		{"hex/heat-2d", []int64{5, 16}, DiamondFull, 4, []int64{14, 14}, true},
		{"polybench/seidel-2d", []int64{4, 14}, DiamondFull, 4, nil, false},
	} {
		if test.isLong && !kerneltest.Long() {
			continue
		}
		g := kerneltest.Graph(t, test.kernel)
		p := g.Model.Program
		options := Options{Diamond: test.diamond, Tile: Tiling{Sizes: []int64{test.size}}}
		recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), options)
		tree, err := recipe.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		least, most := 1, 1
		for _, extent := range test.extents {
			least *= int(extent / test.size)
			most *= int(extent/test.size) + 2
		}
		got, independent := execute(t, p, test.parameters).firstWave(tree)
		if got < least || got > most || !independent {
			t.Errorf("%s, %v: %d tiles, independent %v, in the first wave; want %d to %d", test.kernel, test.diamond, got, independent, least, most)
		}
	}
}

// firstWave is the number of tiles in the first wave of a tree whose outermost
// loop is over wavefronts, along the loops that are summed up in it, and whether
// the tiles of each wave are independent of each other.
func (e *execution) firstWave(tree *schedule.Tree) (count int, independent bool) {
	loops := len(tree.Classes[0].Loops[0].Terms)
	tiles := make([]string, len(e.instances))
	waves := make([]int64, len(e.instances))
	for k, x := range e.instances {
		time := e.timeOf(tree, x)[1 : 1+loops]
		tiles[k], waves[k] = fmt.Sprint(time), time[0].value
	}
	first := map[string]bool{}
	for k, tile := range tiles {
		if waves[k] == slices.Min(waves) {
			first[tile] = true
		}
	}
	dependent := slices.ContainsFunc(e.dependent, func(pair [2]int) bool {
		return waves[pair[0]] == waves[pair[1]] && tiles[pair[0]] != tiles[pair[1]]
	})
	return len(first), !dependent
}
