package reuse_test

import (
	"os"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/schedule/reuse"
)

// TestLibraryOfKernels proves recipes of kernels that use the library, each definition for three.
func TestLibraryOfKernels(t *testing.T) {
	for _, c := range []struct{ kernel, text string }{
		{"polybench/gemm", "original\ndistribute S0.i\nuse pointwise S0 i j by 4\nuse matmul S1 i j k by 8 64 16 4\n"},
		{"polybench/syrk", "original\ndistribute S0.i\nuse matmul S1 i j k by 8 64 16 4\n"},
		{"polybench/2mm", "original\ndistribute S0.i S0.j\ndistribute S2.i S2.j\nuse pointwise S0 i j by 4\nuse matmul S1 i j k by 8 64 16 4\nuse pointwise S2 i j by 4\nuse matmul S3 i j k by 8 64 16 4\n"},
		{"tiramisu/cvtcolor", "original\nuse pointwise S0 i j by 4\n"},
		{"tiramisu/gaussian", "original\nuse pipeline S0 S1 i j by 32 64\n"},
		{"tiramisu/nb", "original\nuse pipeline S0 S2 i j by 8 256\nuse pipeline S1 S3 i j by 8 256\n"},
		{"polybench/gramschmidt", "original\ndistribute S4.j\nuse pipeline S3 S6 j i by 8 64\n"},
		{"polybench/jacobi-1d", "original\nfuse S0.i S1.i shifting\nuse stencil S0 t i by 2 8 32\n"},
		{"polybench/jacobi-2d", "original\nfuse S0.i S1.i shifting\nuse stencil S0 t i by 2 8 32\n"},
		{"polybench/seidel-2d", "original\nuse stencil S0 t i by 1 8 32\n"},
	} {
		lines, err := reuse.Lines("r", "include \"std\"\n"+c.text, os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, line := range lines {
			text.WriteString(line.Text + "\n")
		}
		g := kerneltest.Graph(t, c.kernel)
		recipe, err := command.Parse(g.Model.Program, text.String())
		if err != nil {
			t.Fatalf("%s: %v", c.kernel, err)
		}
		settled, _, err := recipe.Settled(g)
		if err != nil {
			t.Fatalf("%s: %v", c.kernel, err)
		}
		if _, _, err := settled.Prove(g); err != nil {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
}
