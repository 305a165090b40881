package stat

import (
	"fmt"
	"math"

	gonum "gonum.org/v1/gonum/stat"
)

// Speedup compares a variant with the baseline round by round: baseline[r]
// and variant[r] are their times in round r, in the same unit and greater
// than zero. The estimate is
//
//	exp(median over r of ln(baseline[r] / variant[r]))
//
// with the order-statistic interval of that median: above 1 where the variant
// is faster. Pairing removes the drift that both share within a round, and
// the logarithm makes a ratio and its inverse weigh the same.
//
// Source: the interval is that of MedianInterval, equivalent to inverting the
// sign test (Conover, section 3.4); ratios are summarised by their logarithms
// as in P. J. Fleming and J. J. Wallace, How not to lie with statistics,
// CACM 29(3), 1986.
func Speedup(baseline, variant []float64, confidence float64) (Interval, error) {
	if len(baseline) != len(variant) {
		return Interval{}, fmt.Errorf("speedup: %d rounds of the baseline and %d of the variant; each round needs both",
			len(baseline), len(variant))
	}
	if err := checkPositive(baseline); err != nil {
		return Interval{}, fmt.Errorf("speedup: time of the baseline: %w", err)
	}
	if err := checkPositive(variant); err != nil {
		return Interval{}, fmt.Errorf("speedup: time of the variant: %w", err)
	}
	logarithms := make([]float64, len(baseline))
	for r := range baseline {
		logarithms[r] = math.Log(baseline[r]) - math.Log(variant[r])
	}
	i, err := MedianInterval(logarithms, confidence)
	if err != nil {
		return Interval{}, fmt.Errorf("speedup: %w", err)
	}
	i.Median, i.Low, i.High = math.Exp(i.Median), math.Exp(i.Low), math.Exp(i.High)
	return i, nil
}

// Product is the estimate of the product of two ratios that were estimated by
// themselves, such as that of a to b and that of b to c. Its interval is that of the
// products of the ends; it misses only where one of the two does, so that by Bonferroni's
// inequality its coverage is at least the sum of theirs less 1, whether or not they
// depend on each other.
func Product(a, b Interval) Interval {
	return Interval{
		Median: a.Median * b.Median, Low: a.Low * b.Low, High: a.High * b.High,
		Coverage: max(a.Coverage+b.Coverage-1, 0), N: min(a.N, b.N),
	}
}

// GeometricMean is exp(mean(ln x)) of values greater than zero: the summary
// of speedups over several kernels.
//
// Source: Fleming and Wallace, as Speedup.
func GeometricMean(values []float64) (float64, error) {
	if err := checkPositive(values); err != nil {
		return 0, fmt.Errorf("geometric mean: %w", err)
	}
	return gonum.GeometricMean(values, nil), nil
}

// FurtherRounds estimates how many more rounds would make the interval of a
// speedup exclude 1 at the given confidence, if the median stays where it is.
//
// The distance between the median and an end of an order-statistic interval
// shrinks like 1/sqrt(n) (David and Nagaraja, section 7.1). With m = |ln median|
// and h the distance, in logarithms, from the median to the end on the side
// of 1, h·sqrt(n/n') < m needs n' > n·(h/m)² rounds in all; and no interval
// reaches the confidence below MinimumSize rounds. The result is an order of
// magnitude, not a promise.
//
// It is 0 when the interval excludes 1 already, and at least 1 otherwise. The
// second result is false when no number of rounds up to a million would do:
// the median is 1 or too near to it.
func FurtherRounds(speedup Interval, confidence float64) (rounds int, possible bool, err error) {
	if err := checkPositive([]float64{speedup.Low, speedup.Median, speedup.High}); err != nil {
		return 0, false, fmt.Errorf("further rounds: %w", err)
	}
	if speedup.N < 1 || speedup.Low > speedup.Median || speedup.Median > speedup.High {
		return 0, false, fmt.Errorf("further rounds: %+v is not the interval of a median", speedup)
	}
	minimum, err := MinimumSize(confidence)
	if err != nil {
		return 0, false, fmt.Errorf("further rounds: %w", err)
	}
	if speedup.Separates(1, confidence) {
		return 0, true, nil
	}
	distance := math.Abs(math.Log(speedup.Median))
	end := speedup.Low
	if speedup.Median < 1 {
		end = speedup.High
	}
	if distance == 0 {
		return 0, false, nil
	}
	ratio := math.Abs(math.Log(speedup.Median)-math.Log(end)) / distance
	total := math.Floor(float64(speedup.N)*ratio*ratio) + 1
	const limit = 1e6
	if total > limit {
		return 0, false, nil
	}
	return max(int(total), minimum, speedup.N+1) - speedup.N, true, nil
}
