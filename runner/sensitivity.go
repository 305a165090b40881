package runner

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// Direction is how a run rounds while the region is executed, in place of rounding to the
// nearest number. The programs of a Driver and of a Program can.
type Direction string

// The directions.
const (
	Upward     Direction = "up"
	TowardZero Direction = "zero"
)

// Directions are those that show how sensitive a program is to rounding.
var Directions = []Direction{Upward, TowardZero}

// directionVariable is the environment variable that names the direction.
const directionVariable = "POLYTUNE_ROUNDING"

// Sensitivity says how far rounding moves what an original computes: where terms of a sum cancel,
// by far more than a share of the result. It is found by running the original again with its
// operations rounded in other directions, as Kahan recommends (How Futile are Mindless
// Assessments of Roundoff in Floating-Point Computation?, 2006, section 12). The zero value
// knows nothing, and allows nothing.
type Sensitivity struct {
	// moved are the largest distances of elements of arrays, or of the sums of parts, by the arrays'
	// numbers; movedAll are those of weighted sums. largest is the largest magnitude among all that
	// the region reads and writes.
	moved, movedAll scales
	largest         float64
	// executions says that rounding decides how often the region is executed.
	executions bool
}

// SensitivityOf compares the original's dump with those of its runs in other directions.
func SensitivityOf(reference string, directed ...string) (Sensitivity, error) {
	every := Tolerance{Double: 1, Single: 1}
	found := Sensitivity{moved: scales{}, movedAll: scales{}}
	for _, path := range directed {
		err := compareDumps(reference, path, allowance{tolerance: every, measured: &found})
		if errors.As(err, new(*ExecutionsError)) {
			found.executions, err = true, nil
		}
		if err != nil {
			return Sensitivity{}, fmt.Errorf("the original, rounded in another direction: %w", err)
		}
	}
	written, err := scalesOf(reference, every)
	if err != nil {
		return Sensitivity{}, err
	}
	for _, magnitude := range written {
		found.largest = max(found.largest, magnitude)
	}
	read, err := largestRead(reference)
	found.largest = max(found.largest, read)
	return found, err
}

// SensitivityOfRuns compares what a timed original leaves with what its runs in other directions do.
func SensitivityOfRuns(reference Timing, directed ...Timing) (Sensitivity, error) {
	found := Sensitivity{moved: scales{}, movedAll: scales{}, largest: reference.LargestRead}
	for i, f := range reference.Fingerprints {
		if f.Kind == "f" && f.Count > 0 {
			found.largest = max(found.largest, f.Absolute/float64(f.Count))
		}
		for _, d := range directed {
			if len(d.Fingerprints) != len(reference.Fingerprints) || !sameKind(f, d.Fingerprints[i]) {
				return Sensitivity{}, errors.New("the original, rounded in another direction, has other arrays")
			}
			found.moved.note(i, distanceOfParts(f, d.Fingerprints[i]))
			found.movedAll.note(i, distanceOf(f.Weighted, d.Fingerprints[i].Weighted))
		}
	}
	return found, nil
}

// distanceOfParts is how far two results of an array are apart in one of their parts.
func distanceOfParts(a, b Fingerprint) (greatest float64) {
	if a.NonFinite != b.NonFinite {
		return math.Inf(1)
	}
	for k := range a.Sums {
		greatest = max(greatest, distanceOf(a.Sums[k], b.Sums[k]))
	}
	return greatest
}

// allows is what an element of an array, of a size in bytes, may differ by beside the tolerance.
func (s Sensitivity) allows(array int, tolerance Tolerance, size int) float64 {
	return s.allowed(s.moved[array], tolerance, size, 1)
}

// allowsAll is what the weighted sum of an array's elements may differ by.
func (s Sensitivity) allowsAll(array int, tolerance Tolerance, size int, elements float64) float64 {
	return s.allowed(s.movedAll[array], tolerance, size, elements)
}

// allowsInteger is what an integer may differ by.
func (s Sensitivity) allowsInteger(array int) float64 { return sensitiveFactor * s.moved[array] }

// more is what sums of an array's elements may differ by beside the tolerance: those of a part, and
// of all with weights.
type more struct{ part, all float64 }

func (s Sensitivity) of(array int, f Fingerprint, tolerance Tolerance) more {
	part := math.Ceil(float64(f.Count) / float64(max(len(f.Sums), 1)))
	return more{s.allowed(s.moved[array], tolerance, f.Element, part), s.allowsAll(array, tolerance, f.Element, float64(f.Count))}
}

// excuses says whether two results of an array cannot be told apart: rounding makes numbers of what is none in the original or
// the other way round, or integers of it differ as much.
func (s Sensitivity) excuses(array int, a, b Fingerprint) bool {
	isInteger := a.Kind != "f" && a.NonFinite == b.NonFinite && distanceOf(a.Weighted, b.Weighted) <= sensitiveFactor*s.movedAll[array]
	return sameKind(a, b) && (math.IsInf(s.moved[array], 1) || isInteger)
}

// allowed is what rounding explains for a sum of so many elements of a size, where the original itself moves by so much:
// roundingFactor times that, but no more than half of the digits that the tolerance has, of the largest number; what the
// original moves by, and some more, in any case; and some roundings of the largest number, which another order may have
// where the original's own has none.
func (s Sensitivity) allowed(moved float64, tolerance Tolerance, size int, elements float64) float64 {
	if s.moved == nil {
		return 0
	}
	largest, roundoff := s.largest*elements, 0x1p-53
	if size < 8 {
		roundoff = 0x1p-24
	}
	return max(min(roundingFactor*moved, math.Sqrt(tolerance.relative(size))*largest), sensitiveFactor*moved, leastRoundings*roundoff*largest)
}

const (
	// sensitiveFactor is how many times further than the original rounded in one direction, which moves a sum of n terms by
	// about n roundings, another order may be, which moves it by about the square root of n.
	sensitiveFactor = 4
	// leastRoundings are those of the largest number that another order may have in any case.
	leastRoundings = 256
)

// isLarge says whether the original moves so far that little is said of an array.
func (s Sensitivity) isLarge(array int, relative float64) bool {
	return s.moved[array] > math.Sqrt(relative)*s.largest
}

// largestRead is what the end of a dump says that the region has read; 0 for a Driver, whose
// dumps have all of its data.
func largestRead(path string) (float64, error) {
	if !isExecutions(path) {
		return 0, nil
	}
	file, err := openExecutions(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for r := (record{}); ; {
		switch err := file.next(&r); {
		case err == nil && r.kind == recordEnd:
			return r.largestRead, nil
		case errors.Is(err, io.EOF):
			return 0, nil
		case err != nil:
			return 0, err
		}
	}
}
