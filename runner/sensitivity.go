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
}

// SensitivityOf compares the original's dump with those of its runs in other directions.
func SensitivityOf(reference string, directed ...string) (Sensitivity, error) {
	every := Tolerance{Double: 1, Single: 1}
	found := Sensitivity{moved: scales{}}
	for _, path := range directed {
		if err := compareDumps(reference, path, allowance{tolerance: every, distances: found.moved}); err != nil {
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
			found.moved[i] = max(found.moved[i], distanceOfParts(f, d.Fingerprints[i]))
			found.movedAll[i] = max(found.movedAll[i], distanceOf(f.Weighted, d.Fingerprints[i].Weighted))
		}
	}
	return found, nil
}

// distanceOfParts is how far two results of an array are apart in one of their parts.
func distanceOfParts(a, b Fingerprint) (greatest float64) {
	for k := range a.Sums {
		greatest = max(greatest, distanceOf(a.Sums[k], b.Sums[k]))
	}
	return greatest
}

// allows is what an element of an array may differ by beside the tolerance, which is relative.
func (s Sensitivity) allows(array int, relative float64) float64 {
	return s.allowed(s.moved[array], relative, 1)
}

// more is what sums of an array's elements may differ by beside the tolerance: those of a part, and
// of all with weights.
type more struct{ part, all float64 }

func (s Sensitivity) of(array int, f Fingerprint, tolerance Tolerance) more {
	relative, part := tolerance.relative(f.Element), math.Ceil(float64(f.Count)/float64(max(len(f.Sums), 1)))
	return more{s.allowed(s.moved[array], relative, part), s.allowed(s.movedAll[array], relative, float64(f.Count))}
}

// allowed is roundingFactor times what the original itself moves by, and at most half of the
// digits that the tolerance has, of so many of the largest number that terms may be made of. Where
// the original moves much further than that, it says nothing, and nothing is allowed.
func (s Sensitivity) allowed(moved, relative, elements float64) float64 {
	most := math.Sqrt(relative) * s.largest * elements
	if moved > senselessFactor*most {
		return 0
	}
	return min(roundingFactor*moved, most)
}

// senselessFactor tells data that amplify rounding from directed rounding, which moves a sum of n
// terms by n roundings, where the nearest number moves it by about the square root of n.
const senselessFactor = 10

// isSenseless says whether the original moves so far that nothing is allowed.
func (s Sensitivity) isSenseless(array int, relative float64) bool {
	return s.moved[array] > 0 && s.allows(array, relative) == 0
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
