package transform

import (
	"errors"
	"polytune/transform/facts"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	inmemory "polytune/scop/boxes"
)

// Stencils whose grids take turns, and those with one grid for each array, have legal streamed tiles
// of the model's sizes.
func TestStreamedTiles(t *testing.T) {
	kernels := []string{"polybench/jacobi-2d", "hex/fdtd-2d"}
	if kerneltest.Long() { // cmd/tune's script of overlapped tiles runs those of three dimensions
		kernels = append(kernels, "polybench/heat-3d", "hex/heat-2d", "hex/gradient-2d", "polybench/fdtd-2d")
	}
	for _, kernel := range kernels {
		g := kerneltest.Graph(t, kernel)
		recipe, err := shaped(g, Stencil{Shape: StreamedShape})
		if err != nil {
			t.Fatal(err)
		}
		if text := recipe.Text(g.Model.Program); !strings.Contains(text, "streaming c0.2") || strings.Contains(text, "copy") {
			t.Errorf("%s is not streamed:\n%s", kernel, text)
		}
		if _, _, err := recipe.Prove(g); err != nil {
			t.Errorf("%s: %v", kernel, err)
		}
		p, f := wholeStencil(t, kernel)
		sizes := streamedShape{}.sizes(p, f)
		if sizes[0] < 2 || streamedShared(p.graph, f, sizes) > inmemory.MostShared || streamedValues(p.graph, f, sizes) > facts.StreamedRegisters {
			t.Errorf("%s: the sizes %v take %d bytes and %d registers", kernel, sizes, streamedShared(p.graph, f, sizes), streamedValues(p.graph, f, sizes))
		}
	}
}

// Programs without streamed tiles are refused with the reason, and so are sizes.
func TestStreamedRefusals(t *testing.T) {
	for _, test := range []struct {
		kernel string
		sizes  []int64
		want   string
	}{
		{"polybench/jacobi-1d", nil, "one dimension of space"},
		{"polybench/seidel-2d", nil, "S0"},
		{"hex/heat-2d", []int64{4, 32, 32}, "take a number of steps that is no multiple of 2"},
		{"hex/heat-2d", []int64{5, 32, 1 << 14}, "bytes, more than the limit of a block's shared memory, 49152 bytes"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		_, err := shaped(g, Stencil{Shape: StreamedShape, Sizes: test.sizes})
		if err == nil || !strings.Contains(err.Error(), test.want) || !errors.As(err, new(*NoStencil)) {
			t.Errorf("%s: %v, want %s", test.kernel, err, test.want)
		}
	}
}

// Two statements that write one array in one step, at one place, have no streamed tiles.
func TestStreamedMeetings(t *testing.T) {
	file, err := kerneltest.Parse("meeting.c", `void f(int T, int n, double a[2][n][n], double b[2][2][n][n])
{
#pragma scop
for (int t = 0; t < T; t++)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      b[0][(t + 1) % 2][i][j] = b[0][t % 2][i - 1][j];
      b[1][(t + 1) % 2][i][j] = b[1][t % 2][i][j - 1];
    }
#pragma endscop
}
`, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = shaped(kerneltest.Analyze(t, file.Regions[0].Program), Stencil{Shape: StreamedShape})
	if err == nil || !strings.Contains(err.Error(), "{S0 S1} run in one step at one place and write b") {
		t.Error(err)
	}
}
