package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
)

// Operands that register blocks use again are packed: for the rows of a tile inside the loop that
// threads share, for its lanes around it; where lanes are what threads share out, inside as well.
func TestPacksOfKernels(t *testing.T) {
	for name, want := range map[string]string{
		"polybench/gemm":     "pack S1 A[i][k] at c1.1t; pack S1 B[k][j] at c1.3t",
		"polybench/syrk":     "pack S1 A[i][k] at c1.1t; pack S1 A[j][k] at c1.3t",
		"polybench/syr2k":    "pack S1 A[j][k] at c1.3t; pack S1 B[i][k] at c1.1t; pack S1 B[j][k] at c1.3t; pack S1 A[i][k] at c1.1t",
		"polybench/trmm":     "pack S0 A[k][i] at c0.3t; pack S0 B[k][j] at c0.1r",
		"polybench/lu":       "pack S0 A[i][k] at c0p3.1t; pack S0 A[k][j] at c0p3.2tt; pack S2 A[i][k] at c0p3.1t; pack S2 A[k][j] at c0p3.2tt",
		"polybench/cholesky": "pack S0 A[i][k] at c0p3.1t; pack S0 A[j][k] at c0p3.2tt",
	} {
		if slices.Contains([]string{"polybench/syrk", "polybench/cholesky"}, name) && !kerneltest.Long() {
			continue // as syr2k and lu
		}
		g, options, recipe := withVectors(t, name)
		var got []string
		for _, c := range recipe {
			if pack, ok := c.(command.Pack); ok {
				got = append(got, schedule.Text(pack, g.Model.Program))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		options = options.WithOff(packAxis)
		without, err := Transform(g, chosen(t, g, "smart"), options)
		if err != nil || slices.ContainsFunc(without, is[command.Pack]) {
			t.Errorf("%s: packed though that is off, %v", name, err)
		}
	}
}

// An operand is packed where its array is written, if nothing writes what a tile reads.
func TestPackedBesideWrites(t *testing.T) {
	for source, want := range map[string]int{
		"c[i][j] += c[i][n + k] * b[k][j];":   2,
		"c[i][j] += c[i][k] * b[k][j];":       0,
		"c[i][n + j] += c[i][k] * b[k][j];":   2,
		"c[i][j] += b[i][k] * b[k][j] * 2.0;": 2,
	} {
		g := graphOf(t, "halves", []byte(`void halves(int n, double c[n][2 * n], double b[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        `+source+`
#pragma endscop
}
`))
		options := fixed
		options.Vector, options.SecondCacheBytes = VectorUnit{256, 16}, 512<<10
		recipe, err := Transform(g, chosen(t, g, "max"), options)
		if err != nil {
			t.Fatal(err)
		}
		packs := 0
		for _, c := range recipe {
			if is[command.Pack](c) {
				packs++
			}
		}
		if packs != want {
			t.Errorf("%s: %d operands are packed, want %d:\n%s", source, packs, want, recipe.Text(g.Model.Program))
		}
	}
}
