package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// RankSum is the outcome of the test of Mann and Whitney: whether the values of
// one sample tend to be greater than those of another.
type RankSum struct {
	// U counts the pairs of a value x of the first sample and y of the second
	// with x > y, those with x = y by half.
	U float64
	// Superiority is U divided by the number of pairs: the chance that a value
	// of the first sample is the greater one, 0.5 where neither tends to be.
	Superiority float64
	// P is the two-sided probability of a U at least as far from its mean when
	// both samples come from one distribution; Exact says that it is exact.
	P     float64
	Exact bool
}

// exactSize is the greatest sample for which MannWhitney counts arrangements.
const exactSize = 50

// MannWhitney is the two-sided test of Mann and Whitney, which is Wilcoxon's
// rank sum test, for samples that are not paired, such as the timings of two
// sessions. P is exact where no values are equal and neither sample has more
// than 50; otherwise it is by the normal approximation with the corrections for
// continuity and ties. It is 1 when all values are equal.
//
// Source: H. B. Mann and D. R. Whitney, On a test of whether one of two random
// variables is stochastically larger than the other, Annals of Mathematical
// Statistics 18(1), 1947; ties as in M. Hollander and D. A. Wolfe,
// Nonparametric Statistical Methods, 2nd edition, Wiley 1999, section 4.1.
func MannWhitney(x, y []float64) (RankSum, error) {
	for _, sample := range [][]float64{x, y} {
		if err := checkFinite(sample); err != nil {
			return RankSum{}, fmt.Errorf("test of Mann and Whitney: %w", err)
		}
	}
	ranks, ties := midranks(append(append([]float64{}, x...), y...))
	m, n := float64(len(x)), float64(len(y))
	r := RankSum{U: -m * (m + 1) / 2}
	for _, rank := range ranks[:len(x)] {
		r.U += rank
	}
	r.Superiority = r.U / (m * n)
	if len(ties) == 0 && max(len(x), len(y)) <= exactSize {
		r.P, r.Exact = exactRankSum(len(x), len(y), int(math.Min(r.U, m*n-r.U))), true
		return r, nil
	}
	all := m + n
	variance := m * n / 12 * (all + 1 - tieSum(ties)/(all*(all-1)))
	r.P = normalTwoSided(math.Abs(r.U-m*n/2)-0.5, variance)
	return r, nil
}

// tieSum is the sum of t³-t over groups of t equal values.
func tieSum(groups []int) float64 {
	sum := 0.0
	for _, t := range groups {
		sum += float64(t*t*t - t)
	}
	return sum
}

// normalTwoSided is the probability that a normal value with mean 0 is at least
// so far from 0; 1 where the distance is not above 0 or nothing varies.
func normalTwoSided(distance, variance float64) float64 {
	if distance <= 0 || variance <= 0 {
		return 1
	}
	return 2 * distuv.UnitNormal.Survival(distance/math.Sqrt(variance))
}

// exactRankSum is min(1, 2 P(U <= u)) when all arrangements of m and n values
// are equally likely. The shares of the arrangements by U come from those of
// samples with one value less: the greatest of all values is of the first
// sample, and above all n of the second, or of the second.
func exactRankSum(m, n, u int) float64 {
	// shares[j] has the probabilities of U for i values in the first sample
	// and j in the second, i growing.
	shares := make([][]float64, n+1)
	for j := range shares {
		shares[j] = []float64{1}
	}
	for i := 1; i <= m; i++ {
		for j := 1; j <= n; j++ {
			shares[j] = joined(shares[j], shares[j-1], i, j)
		}
	}
	sum := 0.0
	for _, share := range shares[n][:u+1] {
		sum += share
	}
	return min(1, 2*sum)
}

// joined are the probabilities of U for i and j values, from those for i-1 and
// j, and for i and j-1.
func joined(shorterFirst, shorterSecond []float64, i, j int) []float64 {
	all := make([]float64, i*j+1)
	first := float64(i) / float64(i+j)
	for u, share := range shorterFirst {
		all[u+j] += first * share
	}
	for u, share := range shorterSecond {
		all[u] += (1 - first) * share
	}
	return all
}
