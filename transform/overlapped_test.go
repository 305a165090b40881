package transform

import (
	"errors"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	inmemory "polytune/scop/boxes"
)

// Stencils whose grids take turns have legal overlapped tiles of the model's sizes, whose boxes
// have as many bytes as the model says.
func TestOverlappedTiles(t *testing.T) {
	kernels := []string{"polybench/jacobi-1d", "hex/heat-2d", "hex/fdtd-2d"} // one dimension and two arrays, two and one, arrays with second grids
	if kerneltest.Long() {
		kernels = append(kernels, "polybench/jacobi-2d", "hex/gradient-2d")
	}
	for _, kernel := range kernels {
		g := kerneltest.Graph(t, kernel)
		recipe, err := shaped(g, Stencil{Shape: OverlappedShape})
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := recipe.Prove(g)
		if err != nil {
			t.Errorf("%s: %v", kernel, err)
			continue
		}
		p, f := wholeStencil(t, kernel)
		sizes := overlappedShape{}.sizes(p, f)
		if sizes == nil {
			t.Fatalf("%s: %v", kernel, overlappedShape{}.refusal(p, f, []int64{3, 8, 32}))
		}
		found, err := inmemory.In(g.Model, proven.Marks, inmemory.Kernels(proven.Tree.Root(), proven.Marks)[0])
		if err != nil {
			t.Fatal(err)
		}
		var bytes int64
		for _, box := range found {
			bytes += inmemory.Bytes(box.Box, int64(g.Model.Program.Array(box.Array).Size))
		}
		if said := overlappedShared(p.graph, f, sizes); bytes == 0 || bytes > said || said > inmemory.MostShared || sizes[0] < 2 {
			t.Errorf("%s at %v has %d bytes in shared memory, and the model says %d", kernel, sizes, bytes, said)
		}
	}
}

// Where data decide what is read no tile can load it: there are no overlapped tiles, nor streamed
// ones, and hexagons have the array in global memory.
func TestChosenElementsHaveNoTiles(t *testing.T) {
	file, err := kerneltest.Parse("chosen.c", `void f(int T, int n, double a[2][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            a[(t + 1) % 2][i] = a[t % 2][i] > 0.5 ? a[t % 2][i - 1] : 0.5 * a[t % 2][i + 1];
#pragma endscop
}
`, "")
	if err != nil {
		t.Fatal(err)
	}
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	if _, err := shaped(g, Stencil{Shape: OverlappedShape, Sizes: []int64{3, 32}}); err == nil || !errors.As(err, new(*NoStencil)) || !strings.Contains(err.Error(), "data decide which elements of a") {
		t.Errorf("overlapped: %v", err)
	}
	recipe, err := shaped(g, Stencil{Shape: HexagonShape})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := recipe.Prove(g); err != nil || strings.Contains(recipe.Text(g.Model.Program), "copy a") {
		t.Errorf("hexagons: %v\n%s", err, recipe.Text(g.Model.Program))
	}
}

// Programs without overlapped tiles are refused with the reason, and so are sizes.
func TestOverlappedRefusals(t *testing.T) {
	for _, test := range []struct {
		kernel string
		sizes  []int64
		want   string
	}{
		{"polybench/seidel-2d", nil, "S0"},
		{"hex/heat-2d", []int64{4, 32, 32}, "take a number of steps that is no multiple of 2"},
		{"hex/heat-2d", []int64{5, 128, 128}, "bytes, more than the limit of a block's shared memory, 49152 bytes"},
		{"hex/heat-2d", []int64{5, 32}, "have 3 sizes"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		_, err := shaped(g, Stencil{Shape: OverlappedShape, Sizes: test.sizes})
		if err == nil || !strings.Contains(err.Error(), test.want) || len(test.sizes) != 2 && !errors.As(err, new(*NoStencil)) {
			t.Errorf("%s: %v, want %s", test.kernel, err, test.want)
		}
	}
}
