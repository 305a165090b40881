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

// Sums say which arrays have to do with sums that may be done in another order; nil are all.
type Sums struct {
	// Of are those whose values may depend on the order, Terms those that terms are made of, and
	// the sums themselves.
	Of, Terms *Arrays
}

// Sensitivity says how far rounding moves what an original computes: where terms of a sum cancel,
// by far more than a share of the result. It is found by running the original again with its
// operations rounded in other directions, as Kahan recommends (How Futile are Mindless
// Assessments of Roundoff in Floating-Point Computation?, 2006, section 12). The zero value
// knows nothing, and allows nothing.
type Sensitivity struct {
	// moved are the largest distances of elements of arrays, by the arrays' numbers, parts and all
	// those of sums of parts of them and of weighted sums. lost are the arrays in which numbers
	// become none, or the other way round.
	moved, parts, all scales
	lost              map[int]bool
	// applies are the arrays that it is for, and largest is the largest magnitude of what terms are
	// made of.
	applies map[int]bool
	largest float64
	// executions says that rounding decides how often the region is executed.
	executions bool
}

func newSensitivity() Sensitivity {
	return Sensitivity{moved: scales{}, parts: scales{}, all: scales{}, lost: map[int]bool{}, applies: map[int]bool{}}
}

// SensitivityOf compares the original's dump with those of its runs in other directions.
func SensitivityOf(reference string, sums Sums, directed ...string) (Sensitivity, error) {
	every := Tolerance{Double: 1, Single: 1}
	found := newSensitivity()
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
	names, later, err := arraysOf(reference)
	if err != nil {
		return Sensitivity{}, err
	}
	for k, name := range names {
		found.applies[k] = later || sums.Of.has(name)
		if sums.Terms.has(name) {
			found.largest = max(found.largest, written[k])
		}
	}
	read, err := largestRead(reference)
	found.largest = max(found.largest, read)
	return found, err
}

// arraysOf are the names of a dump's arrays; later says that it is that of a Program, in whose
// later executions all may depend on sums.
func arraysOf(path string) (names []string, later bool, err error) {
	if isExecutions(path) {
		names, err = namesIn(path, executionsMagic, parseWatched, func(array watched) string { return array.Name })
		return names, true, err
	}
	names, err = namesIn(path, dumpMagic, parseDumpedArray, func(array dumpedArray) string { return array.name })
	return names, false, err
}

// namesIn are the names of the arrays in the header of a file.
func namesIn[Array any](path, magic string, parse func(fields []string) (Array, error), name func(Array) string) (names []string, err error) {
	file, err := openHeaded(path, magic, parse)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for _, array := range file.arrays {
		names = append(names, name(array))
	}
	return names, nil
}

// SensitivityOfRuns compares what a timed original leaves with what its runs in other directions
// do; without such it knows nothing.
func SensitivityOfRuns(reference Timing, sums Sums, directed ...Timing) (Sensitivity, error) {
	if len(directed) == 0 {
		return Sensitivity{}, nil
	}
	found := newSensitivity()
	found.largest = reference.LargestRead
	for i, f := range reference.Fingerprints {
		if found.applies[i] = sums.Of.has(f.Name); f.Kind == "f" && f.Count > 0 && sums.Terms.has(f.Name) {
			found.largest = max(found.largest, f.Absolute/float64(f.Count))
		}
		for _, d := range directed {
			if len(d.Fingerprints) != len(reference.Fingerprints) || !sameKind(f, d.Fingerprints[i]) {
				return Sensitivity{}, errors.New("the original, rounded in another direction, has other arrays")
			}
			found.note(i, f, d.Fingerprints[i])
		}
	}
	return found, nil
}

// note notes how far two results of an array are apart in their sums.
func (s Sensitivity) note(array int, a, b Fingerprint) {
	for k := range a.Sums {
		s.parts.note(array, distanceOf(a.Sums[k], b.Sums[k]))
	}
	s.all.note(array, distanceOf(a.Weighted, b.Weighted))
	s.lost[array] = s.lost[array] || a.NonFinite != b.NonFinite
}

// allows is what an element of an array, of a size in bytes, may differ by beside the tolerance.
func (s Sensitivity) allows(array int, tolerance Tolerance, size int) float64 {
	return s.allowed(array, s.moved[array], tolerance, size, 1)
}

// allowsInteger is what an integer may differ by.
func (s Sensitivity) allowsInteger(array int) float64 {
	if !s.applies[array] {
		return 0
	}
	return sensitiveFactor * s.moved[array]
}

// losses says whether numbers of an array may be none.
func (s Sensitivity) losses(array int) bool { return s.applies[array] && s.lost[array] }

// more is what sums of an array's elements may differ by beside the tolerance: those of a part, and
// of all with weights.
type more struct {
	part, all float64
	// lost says that there may be another number of NaNs and infinities.
	lost bool
}

func (s Sensitivity) of(array int, f Fingerprint, tolerance Tolerance) more {
	part, count := math.Ceil(float64(f.Count)/float64(max(len(f.Sums), 1))), float64(f.Count)
	return more{
		s.allowed(array, s.parts[array], tolerance, f.Element, part), s.allowed(array, s.all[array], tolerance, f.Element, count), s.losses(array),
	}
}

// excuses says whether integers differ by no more than rounding moves those of the original.
func (s Sensitivity) excuses(array int, a, b Fingerprint) bool {
	moved := s.all[array]
	return s.applies[array] && a.Kind != "f" && moved > 0 && sameKind(a, b) && distanceOf(a.Weighted, b.Weighted) <= sensitiveFactor*moved
}

// allowed is what rounding explains for a sum of so many elements of a size, where the original
// itself moves by so much: roundingFactor times that, but no more than half of the digits that the
// tolerance has, of the largest number; what the original moves by, and some more, in any case; and
// some roundings of the largest number, which another order may have where the original's own has
// none.
func (s Sensitivity) allowed(array int, moved float64, tolerance Tolerance, size int, elements float64) float64 {
	if !s.applies[array] {
		return 0
	}
	largest, roundoff := s.largest*elements, 0x1p-53
	if size < 8 {
		roundoff = 0x1p-24
	}
	return max(min(roundingFactor*moved, math.Sqrt(tolerance.relative(size))*largest), sensitiveFactor*moved, leastRoundings*roundoff*largest)
}

const (
	// sensitiveFactor is how many times further than the original rounded in one direction, which
	// moves a sum of n terms by about n roundings, another order may be, which moves it by about
	// the square root of n.
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
