package prooftest

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// Wherever the limit on isl's operations strikes a proof, it ends with the limit: a node of the
// schedule that isl no longer gives is not taken for one that is missing.
func TestLimitStrikesProof(t *testing.T) {
	const sums = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[i][j] = A[i][j] * x; B[j] = B[j] + A[i][j]; }"
	const stencil = "for (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) B[i] = A[i][0] + A[i - 1][0]; for (int i = 1; i < n - 1; i++) A[i][0] = B[i] + B[i + 1]; }"
	for _, test := range []struct{ name, region, recipe string }{
		{"threads", sums, strings.Replace(inColumns, "band c0 ", "band c0 permutable ", 1) + "parallel c0.1t\ncopy B at c0.1t"},
		{"lanes", sums, inColumns + "vectorize c0.3"},
		{"resident", stencil, residentTiles + "copy B at c0.2t to resident\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, proven, err := provenRegion(t, "", test.region, test.recipe)
			if err != nil {
				t.Fatal(err)
			}
			strikeProof(t, g, proven)
		})
	}
}

// strikeProof checks a legal schedule within more and more operations.
func strikeProof(t *testing.T, g *depend.Graph, proven mark.Schedule) {
	context := g.Model.Context
	defer context.SetMaxOperations(0)
	parts := uint64(20)
	if kerneltest.Long() {
		parts = 100
	}
	for limit := uint64(1); ; limit += 1 + limit/parts {
		context.SetMaxOperations(limit)
		err := g.Check(proven)
		context.TakeErr()
		if err == nil {
			return
		}
		if !isl.IsLimit(err) {
			t.Errorf("with %d operations: got %v, want the limit", limit, err)
		}
	}
}
