package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Ranking is the outcome of Friedman's test: whether treatments, such as the
// variants of a race, differ when each block, such as a round, ranks them.
type Ranking struct {
	// RankSums are, for each treatment, the sum over the blocks of its rank
	// within the block; the least value has rank 1, equal ones share the mean
	// of their ranks.
	RankSums []float64
	// ChiSquared is Friedman's statistic with the correction for ties, F that
	// of Iman and Davenport made of it; F is +Inf when all blocks agree.
	ChiSquared, F float64
	// P is the probability of an F at least as great when all orders within a
	// block are equally likely. It is 1 when all values of every block are
	// equal.
	P float64

	blocks int
	// squares is the sum of the squares of all ranks.
	squares float64
}

// Friedman ranks the values within each of the blocks, which all have one
// value for each treatment in the same order, and tests whether some treatment
// tends to greater values than another. With b blocks, k treatments, the rank
// sums R(j), and A the sum of the squares of all ranks,
//
//	ChiSquared = (k-1) (sum of (R(j) - b(k+1)/2)²) / (A - bk(k+1)²/4)
//	F          = (b-1) ChiSquared / (b(k-1) - ChiSquared)
//
// F has, nearly, the F distribution with k-1 and (b-1)(k-1) degrees of
// freedom, and is much nearer to it than ChiSquared is to its own. Where all
// blocks agree F is infinite, and P is (1/k!)^(b-1), as Conover advises; with
// groups of t equal values in each block there are only k!/(product of t!)
// arrangements of their ranks.
//
// At least two blocks and two treatments are needed.
//
// Source: M. Friedman, The use of ranks to avoid the assumption of normality
// implicit in the analysis of variance, JASA 32(200), 1937; R. L. Iman and
// J. M. Davenport, Approximations of the critical region of the Friedman
// statistic, Communications in Statistics A9(6), 1980; with ties as in W. J.
// Conover, Practical Nonparametric Statistics, 3rd edition, Wiley 1999,
// section 5.8.
func Friedman(blocks [][]float64) (Ranking, error) {
	if err := checkBlocks(blocks); err != nil {
		return Ranking{}, fmt.Errorf("rank test of Friedman: %w", err)
	}
	r := Ranking{RankSums: make([]float64, len(blocks[0])), P: 1, blocks: len(blocks)}
	for _, block := range blocks {
		ranks, _ := midranks(block)
		for j, rank := range ranks {
			r.RankSums[j] += rank
			r.squares += rank * rank
		}
	}
	b, k := float64(r.blocks), float64(len(r.RankSums))
	spread := r.squares - b*k*(k+1)*(k+1)/4
	if spread == 0 {
		return r, nil
	}
	between := 0.0
	for _, sum := range r.RankSums {
		between += (sum - b*(k+1)/2) * (sum - b*(k+1)/2)
	}
	r.ChiSquared = (k - 1) * between / spread
	if r.residual() == 0 {
		r.F, r.P = math.Inf(1), r.unanimous()
		return r, nil
	}
	r.F = (b - 1) * r.ChiSquared / (b*(k-1) - r.ChiSquared)
	r.P = distuv.F{D1: k - 1, D2: (b - 1) * (k - 1)}.Survival(r.F)
	return r, nil
}

// checkBlocks refuses what is no table of at least two rows and two columns of
// finite numbers.
func checkBlocks(blocks [][]float64) error {
	if len(blocks) == 0 {
		return ErrEmpty
	}
	if len(blocks) < 2 || len(blocks[0]) < 2 {
		return fmt.Errorf("%d blocks of %d treatments; two of each are the least", len(blocks), len(blocks[0]))
	}
	for i, block := range blocks {
		if len(block) != len(blocks[0]) {
			return fmt.Errorf("block %d has %d values and block 0 has %d", i, len(block), len(blocks[0]))
		}
		if err := checkFinite(block); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}

// residual is b A - sum of R(j)²: b times what of the squares of the ranks the
// treatments do not explain. Ranks are multiples of 1/2, so that it is exact.
func (r Ranking) residual() float64 {
	explained := 0.0
	for _, sum := range r.RankSums {
		explained += sum * sum
	}
	return max(float64(r.blocks)*r.squares-explained, 0)
}

// unanimous is the probability that b blocks agree by chance: (1/k!)^(b-1), or
// ((product of t!)/k!)^(b-1) with groups of t equal ranks in each.
func (r Ranking) unanimous() float64 {
	logarithm := logFactorial(len(r.RankSums))
	groups := map[float64]int{}
	for _, sum := range r.RankSums {
		groups[sum]++
	}
	for _, ties := range groups {
		logarithm -= logFactorial(ties)
	}
	return math.Exp(-logarithm * float64(r.blocks-1))
}

// logFactorial is ln n!.
func logFactorial(n int) float64 {
	logarithm, _ := math.Lgamma(float64(n) + 1)
	return logarithm
}

// Compare is Conover's comparison of two treatments after Friedman's test: the
// two-sided probability, by Student's distribution with (b-1)(k-1) degrees of
// freedom, of
//
//	t = |R(a) - R(b)| / sqrt(2 (b A - sum of R(j)²) / ((b-1)(k-1)))
//
// or one at least as great. It means something only where P is small; several
// comparisons call for Holm. Where all blocks agree it is that of Friedman's
// test, or 1 for equal rank sums. a and b are indices of treatments.
//
// Source: W. J. Conover and R. L. Iman, On multiple-comparisons procedures,
// Los Alamos report LA-7677-MS, 1979; Conover 1999, section 5.8.
func (r Ranking) Compare(a, b int) (p float64, err error) {
	for _, j := range []int{a, b} {
		if j < 0 || j >= len(r.RankSums) {
			return 0, fmt.Errorf("treatment %d of %d", j, len(r.RankSums))
		}
	}
	difference := math.Abs(r.RankSums[a] - r.RankSums[b])
	if difference == 0 {
		return 1, nil
	}
	freedom := float64((r.blocks - 1) * (len(r.RankSums) - 1))
	spread := math.Sqrt(2 * r.residual() / freedom)
	if spread == 0 {
		return r.unanimous(), nil
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(difference/spread), nil
}
