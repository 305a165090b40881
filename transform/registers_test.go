package transform

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// Register blocks are as large as the registers allow.
func TestRegisterShape(t *testing.T) {
	for _, test := range []struct {
		unit VectorUnit
		want RegisterShape
	}{
		{VectorUnit{256, 16}, RegisterShape{Rows: 6, Vectors: 2}},
		{VectorUnit{512, 32}, RegisterShape{Rows: 8, Vectors: 3}},
		{VectorUnit{128, 8}, RegisterShape{Rows: 2, Vectors: 2}},
		{VectorUnit{128, 2}, RegisterShape{Off: true}},
		{VectorUnit{}, RegisterShape{Off: true}},
	} {
		got := test.unit.modelShape()
		if got != test.want {
			t.Errorf("%+v: got %+v, want %+v", test.unit, got, test.want)
		}
		if used := got.Rows*got.Vectors + got.Vectors + 1; !got.Off && used > int64(test.unit.Registers) {
			t.Errorf("%+v: %+v needs %d registers", test.unit, got, used)
		}
	}
}

// Matrix products and their like get register blocks, whatever their loops are
// called and wherever their statements stand; tiles are whole numbers of them.
func TestRegistersOfKernels(t *testing.T) {
	for name, want := range map[string]string{
		"polybench/gemm": "registers c1.1 c1.2 by 6 8 ahead lanes 4",
		"polybench/syrk": "registers c1.1 c1.2 by 6 8 ahead lanes 4",
		"polybench/trmm": "registers c0.2 c0.1 by 6 8 ahead lanes 4",
		"polybench/lu": "registers c0p0.1 c0p0.2 by 6 8 apart ahead lanes 4; registers c0p1.1 c0p1.2 by 6 8 apart ahead lanes 4; " +
			"registers c0p2.1 c0p2.2 by 6 8 apart ahead lanes 4; registers c0p3.1 c0p3.2 by 6 8 ahead lanes 4",
		"polybench/cholesky": "registers c0p0.1 c0p0.2 by 6 4 apart ahead lanes 4; registers c0p1.1 c0p1.2 by 6 4 apart ahead lanes 4; " +
			"registers c0p3.1 c0p3.2 by 6 8 ahead lanes 4",
		"polybench/jacobi-2d": "",
		"polybench/atax":      "registers c2_0.2 by 16 ahead lanes 4; registers c2_1.3 c2_1.2 by 16 8 lanes 4",
		"polybench/bicg":      "registers c2_0.2 by 16 ahead lanes 4; registers c2_1.3 c2_1.2 by 16 8 lanes 4",
		"polybench/mvt":       "registers c0_0.2 by 16 ahead lanes 4; registers c0_1.3 c0_1.2 by 16 8 lanes 4",
		"polybench/gemver":    "registers c0.2 c0.1 by 16 8 lanes 4; registers c2.1 by 16 ahead lanes 4",
		"polybench/trisolv":   "registers c1.1 by 16 apart ahead lanes 4",
		"polybench/gesummv":   "registers c2.1 by 8 ahead lanes 4",
	} {
		if slices.Contains([]string{"polybench/syrk", "polybench/bicg", "polybench/mvt"}, name) && !kerneltest.Long() {
			continue // as gemm and atax
		}
		g, options, recipe := withVectors(t, name)
		var got []string
		for _, c := range recipe {
			if r, ok := c.(command.Registers); ok {
				got = append(got, schedule.Text(r, g.Model.Program))
				checkWholeBlocks(t, recipe, r)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		options.Registers.Off = true
		without, err := Transform(g, chosen(t, g, "smart"), options)
		if err != nil || slices.ContainsFunc(without, is[command.Registers]) {
			t.Errorf("%s: blocks though they are off, %v", name, err)
		}
	}
}

// Blocks are no larger than the loops, and there are none where a row has no full vector.
func TestBlocksWithinLoops(t *testing.T) {
	_, options, _ := withVectors(t, "polybench/gemm")
	for size, want := range map[string]string{"3": "", "4": "by 4 4 ", "5": "by 5 4 ", "8": "by 6 8 ", "24": "by 6 8 "} {
		source := strings.ReplaceAll(`void f(int n, double a[n][M][M], double b[n][M][M], double c[n][M][M])
{
#pragma scop
for (int l = 0; l < n; l++)
  for (int i = 0; i < M; i++)
    for (int k = 0; k < M; k++)
      for (int j = 0; j < M; j++)
        c[l][i][j] += a[l][i][k] * b[l][k][j];
#pragma endscop
}
`, "M", size)
		g := graphOf(t, "f", []byte(source))
		recipe, err := Transform(g, chosen(t, g, "smart"), options)
		if err != nil {
			t.Fatal(err)
		}
		text := recipe.Text(g.Model.Program)
		if !strings.Contains(text, want) || strings.Contains(text, "registers ") != (want != "") {
			t.Errorf("%s x %s: want %q in\n%s", size, size, want, text)
		}
	}
}

// provenWithVectors are the kernels whose recipe of withVectors has been proven for some test.
var provenWithVectors sync.Map

// withVectors is a kernel's recipe for a processor with 16 registers of 256 bits, with its graph
// and the options.
func withVectors(t *testing.T, name string) (*depend.Graph, Options, schedule.Recipe) {
	t.Helper()
	kernel, err := benchmarks.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	g := graphOf(t, kernel.Name, kernel.Source)
	options := fixed
	options.Vector, options.SecondCacheBytes = VectorUnit{256, 16}, 512<<10
	recipe, err := Transform(g, chosen(t, g, "smart"), options)
	if err != nil {
		t.Fatal(err)
	}
	if _, known := provenWithVectors.LoadOrStore(name, true); !known {
		if _, _, err := recipe.Prove(g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	return g, options, recipe
}

// checkWholeBlocks makes sure that tiles are multiples of the blocks inside.
func checkWholeBlocks(t *testing.T, recipe schedule.Recipe, r command.Registers) {
	t.Helper()
	for _, c := range recipe {
		tile, ok := c.(command.Tile)
		if !ok {
			continue
		}
		for k, loop := range r.Loops {
			if at := slices.Index(tile.Loops, loop); at >= 0 && tile.Sizes[at]%r.Sizes[k] != 0 {
				t.Errorf("tiles of %d along %s are not whole blocks of %d", tile.Sizes[at], loop, r.Sizes[k])
			}
		}
	}
}
