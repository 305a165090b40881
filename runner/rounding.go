package runner

import (
	"fmt"
	"math"
)

// Spread says, for each array of a program, how far the results of two builds of one source are
// apart that only round differently: relative to the sum of the magnitudes, and infinite where
// the builds differ in what rounding does not explain by itself, such as integers or the number
// of NaNs.
type Spread []float64

// roundingFactor is how many times further apart than two builds of the original a variant may
// be by rounding. On data that amplify rounding both distances are draws of one distribution.
// The ratio of two normal ones exceeds f with probability 2/(pi f), here 0.06%.
const roundingFactor = 1000

// SpreadOf is the spread of two builds of one program.
func SpreadOf(a, b []Fingerprint) (Spread, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("the two builds have %d and %d arrays", len(a), len(b))
	}
	spread := make(Spread, len(a))
	for i := range a {
		spread[i] = distance(a[i], b[i])
	}
	return spread, nil
}

// distance is the smallest tolerance within which two arrays are the same, or infinite.
func distance(a, b Fingerprint) float64 {
	switch {
	case !sameKind(a, b):
		return math.Inf(1)
	case a.Hash == b.Hash:
		return 0
	case a.NonFinite != b.NonFinite || a.Kind != "f":
		return math.Inf(1)
	}
	greatest := relative(a.Weighted, b.Weighted, a.Absolute)
	mean := a.meanMagnitude()
	for k := range a.Sums {
		greatest = max(greatest, relative(a.Sums[k], b.Sums[k], a.Magnitudes[k]+mean))
	}
	return greatest
}

// relative is the difference of two sums relative to a scale; infinite where nothing says how
// much the difference is.
func relative(x, y, scale float64) float64 {
	d := math.Abs(x - y)
	if d == 0 {
		return 0
	}
	if r := d / scale; !math.IsNaN(r) {
		return r
	}
	return math.Inf(1)
}

// CompareRounded is CompareFingerprints for the results of builds that round differently, where
// that may show more in some arrays than the tolerance allows: the original's own builds say
// how much, and for sums in another order its sensitivity. Where the builds do not agree at all
// the array is not compared. A difference is a *FingerprintError.
func CompareRounded(reference, got []Fingerprint, tolerance Tolerance, spread Spread, sensitivity Sensitivity) error {
	if len(reference) != len(got) || len(spread) != len(reference) {
		return fmt.Errorf("the two runs have %d and %d arrays", len(reference), len(got))
	}
	for i := range reference {
		if math.IsInf(spread[i], 1) && sameKind(reference[i], got[i]) || sensitivity.excuses(i, reference[i], got[i]) {
			continue
		}
		wider := Tolerance{Double: tolerance.Double + roundingFactor*spread[i], Single: tolerance.Single + roundingFactor*spread[i]}
		if detail := compareFingerprint(reference[i], got[i], wider, sensitivity.of(i, reference[i], tolerance)); detail != "" {
			return &FingerprintError{Array: reference[i].Name, Detail: detail}
		}
	}
	return nil
}

// Of is the spread of a named array; 0 where there is none.
func (s Spread) Of(results []Fingerprint, array string) float64 {
	for i, f := range results {
		if f.Name == array && i < len(s) {
			return s[i]
		}
	}
	return 0
}
