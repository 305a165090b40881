package variant

import (
	"math"
	"testing"
)

// checkUniform compares counts, of which each is expected to be the same, with
// the quantile of chi-square that one fair sample in a thousand exceeds, by
// the approximation of Wilson and Hilferty (1931).
func checkUniform(t *testing.T, about string, counts []int, each float64) {
	t.Helper()
	chi := 0.0
	for _, n := range counts {
		chi += (float64(n) - each) * (float64(n) - each) / each
	}
	f := float64(len(counts) - 1)
	const normal = 3.09 // quantile 0.999 of the normal distribution
	limit := f * math.Pow(1-2/(9*f)+normal*math.Sqrt(2/(9*f)), 3)
	if chi > limit {
		t.Errorf("%s: chi-square is %.1f with %.0f degrees of freedom; it should be below %.1f", about, chi, f, limit)
	}
}
