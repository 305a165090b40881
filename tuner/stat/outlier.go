package stat

import (
	"math"

	"gonum.org/v1/gonum/floats"
	gonum "gonum.org/v1/gonum/stat"
)

// OutlierThreshold is the absolute modified z-score above which a value is
// flagged as an outlier (Iglewicz and Hoaglin).
const OutlierThreshold = 3.5

// normalQuartile is the 0.75 quantile of the standard normal distribution, to
// which the median absolute deviation of normal values converges.
const normalQuartile = 0.6745

// ModifiedZScores gives, in the order of the values,
//
//	M = 0.6745 (x - median) / MAD.
//
// When more than half of the values are equal, MAD is zero; then the mean
// absolute deviation around the median, which is sqrt(2/pi) for standard
// normal values, takes its place: M = sqrt(2/pi) (x - median) / mean|x - median|.
// When all values are equal, all scores are zero.
//
// Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers,
// ASQC Quality Press 1993.
func ModifiedZScores(values []float64) ([]float64, error) {
	if err := checkFinite(values); err != nil {
		return nil, err
	}
	scores := make([]float64, len(values))
	values = scaled(values)
	median := medianOfSorted(sorted(values))
	distances := deviations(values, median)
	factor, spread := normalQuartile, medianOfSorted(sorted(distances))
	if spread == 0 {
		factor, spread = math.Sqrt(2/math.Pi), gonum.Mean(distances, nil)
	}
	if spread == 0 {
		return scores, nil
	}
	for i, v := range values {
		scores[i] = factor * ((v - median) / spread)
	}
	return scores, nil
}

// scaled divides the values by the greatest absolute value, which changes no
// score and keeps differences of huge values finite.
func scaled(values []float64) []float64 {
	greatest := floats.Norm(values, math.Inf(1))
	if greatest == 0 {
		return values
	}
	s := make([]float64, len(values))
	for i, v := range values {
		s[i] = v / greatest
	}
	return s
}

// Outliers flags, in the order of the values, those whose modified z-score is
// above OutlierThreshold in absolute value. Flagged values are meant to be
// shown, not to be dropped.
func Outliers(values []float64) ([]bool, error) {
	scores, err := ModifiedZScores(values)
	if err != nil {
		return nil, err
	}
	flags := make([]bool, len(scores))
	for i, z := range scores {
		flags[i] = math.Abs(z) > OutlierThreshold
	}
	return flags, nil
}
