package stat

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median is the middle value, or the mean of the two middle values when
// their number is even.
func Median(values []float64) (float64, error) {
	if err := checkFinite(values); err != nil {
		return 0, err
	}
	return medianOfSorted(sorted(values)), nil
}

// sorted returns the values in ascending order.
func sorted(values []float64) []float64 {
	s := slices.Clone(values)
	slices.Sort(s)
	return s
}

// medianOfSorted halves before it adds, so that large values do not overflow.
func medianOfSorted(s []float64) float64 {
	n := len(s)
	low, high := s[(n-1)/2], s[n/2]
	if low == high {
		return low
	}
	return low/2 + high/2
}

// Interval is an estimate of a median with its confidence interval.
type Interval struct {
	// Median lies between Low and High.
	Median, Low, High float64
	// Coverage is the probability, before the data are seen, that the
	// interval contains the true median. It is at least the confidence that
	// was asked for, unless N is too small for that: then the interval
	// goes from the least to the greatest value, and Coverage says what that
	// is worth (0 for a single value).
	Coverage float64
	// N is the number of values behind the estimate.
	N int
}

// Contains reports whether value lies in the interval, its ends included.
func (i Interval) Contains(value float64) bool { return i.Low <= value && value <= i.High }

// Separates reports whether the interval has at least the given coverage and
// does not contain value: for a speedup and value 1, that there is a
// difference.
func (i Interval) Separates(value, confidence float64) bool {
	return reaches(i.Coverage, confidence) && !i.Contains(value)
}

// MedianInterval is the median of the values with its distribution-free
// confidence interval: from the r-th smallest to the r-th greatest value,
// with r by MedianRanks.
//
// Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition,
// Wiley 2003, section 7.1.
func MedianInterval(values []float64, confidence float64) (Interval, error) {
	if err := checkFinite(values); err != nil {
		return Interval{}, err
	}
	low, high, coverage, err := MedianRanks(len(values), confidence)
	if err != nil {
		return Interval{}, err
	}
	s := sorted(values)
	return Interval{
		Median: medianOfSorted(s), Low: s[low-1], High: s[high-1],
		Coverage: coverage, N: len(s),
	}, nil
}

// MedianRanks gives the ranks, counted from 1, of the order statistics that
// bound the median of n independent values: low = r and high = n+1-r for the
// greatest r such that the coverage
//
//	P(x(r) <= median <= x(n+1-r)) = 1 - 2 P(B <= r-1),  B ~ Binomial(n, 1/2)
//
// is at least the confidence. When n is below MinimumSize(confidence) there
// is no such r: the ranks are 1 and n, and coverage is less than the
// confidence.
//
// Source: as MedianInterval.
func MedianRanks(n int, confidence float64) (low, high int, coverage float64, err error) {
	if n < 1 {
		return 0, 0, 0, ErrEmpty
	}
	if err := checkConfidence(confidence); err != nil {
		return 0, 0, 0, err
	}
	tooNarrow := func(r int) bool { return !reaches(rankCoverage(n, r), confidence) }
	r := sort.Search((n+1)/2, func(k int) bool { return tooNarrow(k + 1) })
	r = max(r, 1)
	return r, n + 1 - r, rankCoverage(n, r), nil
}

// rankCoverage is the coverage of the interval from the r-th smallest to the
// r-th greatest of n values.
func rankCoverage(n, r int) float64 {
	return max(0, 1-2*binomialAtMost(n, r-1))
}

// binomialAtMost is P(B <= k) for B ~ Binomial(n, 1/2).
func binomialAtMost(n, k int) float64 {
	return distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(k))
}

// reaches compares a computed probability with a wanted one, giving way to
// the rounding of the computation.
func reaches(coverage, confidence float64) bool {
	const rounding = 1e-12
	return coverage >= confidence-rounding
}

// MinimumSize is the least number of values for which an order-statistic
// interval of the median reaches the confidence: the least n with
// 1 - 2·(1/2)^n >= confidence. It is 6 for 0.95 and 8 for 0.99.
func MinimumSize(confidence float64) (int, error) {
	if err := checkConfidence(confidence); err != nil {
		return 0, err
	}
	n := 1
	for !reaches(1-math.Ldexp(2, -n), confidence) {
		n++
	}
	return n, nil
}

// MedianAbsoluteDeviation is the median of |x - median(x)|, in the unit of the
// values and without the factor 1.4826 that would make it estimate the
// standard deviation of a normal distribution.
//
// Source: F. R. Hampel, The influence curve and its role in robust
// estimation, JASA 69(346), 1974.
func MedianAbsoluteDeviation(values []float64) (float64, error) {
	if err := checkFinite(values); err != nil {
		return 0, err
	}
	return medianOfSorted(sorted(deviations(values, medianOfSorted(sorted(values))))), nil
}

// deviations are the distances of the values from a centre.
func deviations(values []float64, centre float64) []float64 {
	d := make([]float64, len(values))
	for i, v := range values {
		d[i] = math.Abs(v - centre)
	}
	return d
}

// RelativeMedianAbsoluteDeviation is MedianAbsoluteDeviation divided by the
// median: the relative spread of timings. The values must be greater than
// zero.
func RelativeMedianAbsoluteDeviation(values []float64) (float64, error) {
	if err := checkPositive(values); err != nil {
		return 0, fmt.Errorf("relative spread: %w", err)
	}
	deviation, err := MedianAbsoluteDeviation(values)
	if err != nil {
		return 0, err
	}
	return deviation / medianOfSorted(sorted(values)), nil
}
