package stat

import (
	"cmp"
	"fmt"
	"slices"
)

// Signs is the outcome of a sign test.
type Signs struct {
	// Positive, Negative and Ties count the differences by their sign.
	Positive, Negative, Ties int
	// P is the exact two-sided probability of a split at least as uneven
	// when both signs are equally likely; ties are left out. It is 1 when
	// all differences are ties.
	P float64
}

// SignTest is the exact two-sided sign test of paired differences: with m
// differences that are not zero and k of the rarer sign,
// P = min(1, 2 P(B <= k)) for B ~ Binomial(m, 1/2).
//
// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd edition,
// Wiley 1999, section 3.4.
func SignTest(differences []float64) (Signs, error) {
	if err := checkFinite(differences); err != nil {
		return Signs{}, err
	}
	s := Signs{P: 1}
	for _, d := range differences {
		switch {
		case d > 0:
			s.Positive++
		case d < 0:
			s.Negative++
		default:
			s.Ties++
		}
	}
	if m := s.Positive + s.Negative; m > 0 {
		s.P = min(1, 2*binomialAtMost(m, min(s.Positive, s.Negative)))
	}
	return s, nil
}

// Holm adjusts the p-values of a family of tests so that rejecting those at
// or below alpha keeps the probability of any false rejection at or below
// alpha. The result is in the order of the input: with the m values in
// ascending order, the i-th (from 1) becomes
// max over j <= i of min(1, (m-j+1) p(j)).
//
// Source: S. Holm, A simple sequentially rejective multiple test procedure,
// Scandinavian Journal of Statistics 6(2), 1979.
func Holm(p []float64) ([]float64, error) {
	if err := checkFinite(p); err != nil {
		return nil, err
	}
	order := make([]int, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("value %d is %v; a probability is between 0 and 1", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted, nil
}
