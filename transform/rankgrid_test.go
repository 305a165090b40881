package transform_test

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/transform"
)

// Ranks are a grid where two loops right inside each other carry nothing in all nests, and share what
// the model says otherwise.
func TestRanksAsGrid(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/gemm":      "ranks c0.1\n",
		"polybench/heat-3d":   "ranks c0_0.2 c0_0.3 c0_1.2 c0_1.3\n",
		"polybench/jacobi-2d": "ranks c0_0.2 c0_0.3 c0_1.2 c0_1.3\n",
		"polybench/jacobi-1d": "ranks c0_0.2 c0_1.2\n",
	} {
		g := kerneltest.Graph(t, kernel)
		recipe, err := transform.OnRanks(g, nil, transform.Options{Ranks: transform.RankChoice{Loop: transform.RankGrid}})
		if err != nil {
			t.Fatal(err)
		}
		if text := recipe.Text(g.Model.Program); !strings.Contains(text, want) {
			t.Errorf("%s: %s", kernel, text)
		}
	}
}
