// Package stat holds the statistics by which a tuning session judges timings.
//
// Timings have a floor and a long right tail, drift with the machine, and are
// taken in rounds that contain every competitor. The package therefore
// assumes neither a normal nor a symmetric distribution: it works with ranks,
// medians and signs, and compares two variants round by round. The
// probabilities are exact, from gonum's binomial distribution.
//
// All functions leave their arguments as they are, give an error for an empty
// or invalid input (NaN and infinities are never valid) and never return NaN.
package stat

import (
	"errors"
	"fmt"
	"math"
)

// ErrEmpty is the error for an input without values.
var ErrEmpty = errors.New("no values to compute a statistic from")

// checkFinite refuses an empty input, NaN and infinities.
func checkFinite(values []float64) error {
	if len(values) == 0 {
		return ErrEmpty
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d is %v; it must be a finite number", i, v)
		}
	}
	return nil
}

// checkPositive refuses what checkFinite refuses, zero and negative values.
func checkPositive(values []float64) error {
	if err := checkFinite(values); err != nil {
		return err
	}
	for i, v := range values {
		if v <= 0 {
			return fmt.Errorf("value %d is %v; it must be greater than zero", i, v)
		}
	}
	return nil
}

// checkConfidence refuses a confidence outside the open interval (0, 1).
func checkConfidence(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("confidence %v is not between 0 and 1", confidence)
	}
	return nil
}
