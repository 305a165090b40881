package stat

import (
	"fmt"
	"math"
	"math/bits"
)

// Trend is the outcome of a test whether a series grows or shrinks with time.
type Trend struct {
	// Tau is Kendall's coefficient with the correction for ties, from -1 (each
	// value is less than those before) to 1.
	Tau float64
	// P is the two-sided probability of a coefficient at least as far from 0
	// when all orders of the values are equally likely; Exact says that it is
	// exact.
	P     float64
	Exact bool
}

// KendallTrend tests a series, in the order of time, for a trend by Kendall's
// coefficient with the time, which is Mann's test. P is exact for up to 50
// values without ties; otherwise it is by the normal approximation with the
// corrections for continuity and ties. A series with equal values alone, or of
// one value, has no trend: Tau is 0 and P is 1.
//
// Source: H. B. Mann, Nonparametric tests against trend, Econometrica 13(3),
// 1945; M. G. Kendall, Rank Correlation Methods, 4th edition, Griffin 1970,
// chapters 1 and 3 to 5.
func KendallTrend(series []float64) (Trend, error) {
	if err := checkFinite(series); err != nil {
		return Trend{}, fmt.Errorf("trend: %w", err)
	}
	n, score, untied := len(series), 0, 0
	for j, later := range series {
		for _, earlier := range series[:j] {
			if later != earlier {
				untied++
				score += sign(later - earlier)
			}
		}
	}
	if untied == 0 {
		return Trend{P: 1}, nil
	}
	pairs := float64(n) * float64(n-1) / 2
	t := Trend{Tau: float64(score) / math.Sqrt(float64(untied)*pairs)}
	_, ties := midranks(series)
	if len(ties) == 0 && n <= exactSize {
		t.P, t.Exact = exactTrend(n, score), true
		return t, nil
	}
	variance := float64(n) * float64(n-1) * float64(2*n+5)
	for _, g := range ties {
		variance -= float64(g) * float64(g-1) * float64(2*g+5)
	}
	t.P = normalTwoSided(math.Abs(float64(score))-1, variance/18)
	return t, nil
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// exactTrend is min(1, 2 P(S >= |score|)) over all orders of n values. S is the
// number of pairs less twice that of inversions; the n-th value adds 0 to n-1
// inversions, all equally likely.
func exactTrend(n, score int) float64 {
	inversions := []float64{1}
	for size := 2; size <= n; size++ {
		next := make([]float64, len(inversions)+size-1)
		for i, share := range inversions {
			for more := range size {
				next[i+more] += share / float64(size)
			}
		}
		inversions = next
	}
	greatest := (n*(n-1)/2 - max(score, -score)) / 2
	sum := 0.0
	for _, share := range inversions[:greatest+1] {
		sum += share
	}
	return min(1, 2*sum)
}

// Step is the outcome of a test whether a series has one level before a point
// in time and another from there on.
type Step struct {
	// At is the index of the first value of the later level.
	At int
	// P is the probability of a step at least as clear anywhere when all orders
	// of the values are equally likely; Exact says that it is exact.
	P     float64
	Exact bool
}

// exactSteps is the longest series for which PettittStep counts orders.
const exactSteps = 16

// PettittStep looks for one change of level in a series, in the order of time:
// the place where |U| is greatest, the first of several, with
//
//	U(t) = sum over i < t <= j of sign(x(j) - x(i)).
//
// P is exact up to 16 values, ties included; for longer series it is
// Pettitt's approximation 2 exp(-6 U² / (n³ + n²)), at most 1. A series without
// a step, such as one of equal values, has P 1.
//
// Source: A. N. Pettitt, A non-parametric approach to the change-point
// problem, Applied Statistics 28(2), 1979. The exact distribution is counted
// here: U(t) depends on the set of the first t ranks alone.
func PettittStep(series []float64) (Step, error) {
	if err := checkFinite(series); err != nil {
		return Step{}, fmt.Errorf("step: %w", err)
	}
	n := len(series)
	ranks, _ := midranks(series)
	doubled := make([]int, n)
	for i, rank := range ranks {
		doubled[i] = int(2 * rank)
	}
	s, greatest, sum := Step{P: 1}, 0, 0
	for t := 1; t < n; t++ {
		sum += doubled[t-1]
		if u := stepScore(sum, t, n); u > greatest {
			s.At, greatest = t, u
		}
	}
	switch {
	case greatest == 0:
		s.At = 0
	case n <= exactSteps:
		s.P, s.Exact = exactStep(doubled, greatest), true
	default:
		u, length := float64(greatest), float64(n)
		s.P = min(1, 2*math.Exp(-6*u*u/(length*length*(length+1))))
	}
	return s, nil
}

// stepScore is |U(t)| of a series of n values, of the sum of the doubled ranks
// of the first t.
func stepScore(sum, t, n int) int {
	u := t*(n+1) - sum
	return max(u, -u)
}

// exactStep is the share of the orders of values, given by their doubled ranks,
// in which |U(t)| reaches the score somewhere. An order is a path from the
// empty set of values to the full one; the paths that stay below the score are
// counted set by set.
func exactStep(doubled []int, score int) float64 {
	n := len(doubled)
	below := make([]float64, 1<<n)
	sums := make([]int, 1<<n)
	below[0] = 1
	for set := 1; set < len(below); set++ {
		low := bits.TrailingZeros(uint(set))
		sums[set] = sums[set&(set-1)] + doubled[low]
		size := bits.OnesCount(uint(set))
		if stepScore(sums[set], size, n) >= score {
			continue
		}
		for rest := set; rest != 0; rest &= rest - 1 {
			below[set] += below[set&^(rest&-rest)]
		}
		below[set] /= float64(size)
	}
	return max(0, 1-below[len(below)-1])
}
