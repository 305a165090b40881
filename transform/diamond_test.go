package transform

import (
	"strings"
	"testing"
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
		{"polybench/jacobi-1d", DiamondOne, true, "diamond c0.1 S0[t, i] -> [2t - i]; S1[t, i] -> [2t - i + 1]\ntile c0.1 c0.2 by 256 256\nwavefront c0.1t c0.2t\nparallel c0.2t\n"},
		{"polybench/jacobi-2d", DiamondOne, true, "diamond c0.1 S0[t, i, j] -> [2t - i]; S1[t, i, j] -> [2t - i + 1]\ntile c0.1 c0.2 c0.3 by 48 48 48\nwavefront c0.1t c0.2t\nparallel c0.2t\n"},
		{"polybench/jacobi-2d", DiamondFull, true, "diamond c0.1 S0[t, i, j] -> [2t - i - j]; S1[t, i, j] -> [2t - i - j + 1]\ntile c0.1 c0.2 c0.3 by 48 48 48\nwavefront c0.1t c0.2t c0.3t\nparallel c0.2t\n"},
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
		g := kernelGraph(t, test.kernel)
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
