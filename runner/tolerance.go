package runner

import (
	"errors"
	"io"
	"math"
)

// Results of programs that add or multiply in another order than the original
// are compared within a Tolerance instead of bit for bit. For a sum of n terms in
// two orders, both of n - 1 roundings, the results differ by at most
//
//	2·(n - 1)·u·(|t_1| + … + |t_n|)     to first order in u
//
// where u is the unit roundoff: 1.1e-16 for double, 6e-8 for float (Higham,
// Accuracy and Stability of Numerical Algorithms, 2002, section 4.2). So the
// default tolerances, 1e-6 and 1e-3, are enough for four thousand million terms of
// double and eight thousand of float where terms do not cancel. Where they do, or
// where elements are made of differences of such sums, the sum of magnitudes is
// not known from the result; the largest magnitude in the whole array stands for
// it. A term that is missing or counted twice is much more than that at the sizes
// of checks. Integers are always compared bit for bit.

// scales are the largest finite magnitudes of arrays, by their numbers.
type scales map[int]float64

// add notes an element of a numbered array.
func (s scales) add(array int, t elementType, element []byte) {
	if x, known := t.float(element); known && !math.IsInf(x, 0) && !math.IsNaN(x) {
		s[array] = max(s[array], math.Abs(x))
	}
}

// allowance is what the elements of a dump may differ by.
type allowance struct {
	// tolerance is relative to scales; zero where bits are compared.
	tolerance Tolerance
	scales    scales
	// sensitivity adds to that where it is known.
	sensitivity Sensitivity
	// measured, if not nil, gets the largest differences seen, and all elements agree.
	measured *Sensitivity
}

// agrees says whether two elements of a numbered array are the same, or differ by no more than
// is allowed with that tolerance for the array.
func (l allowance) agrees(array int, t elementType, tolerance Tolerance, a, b []byte) bool {
	same := t.same(a, b)
	if same || tolerance == (Tolerance{}) {
		return same
	}
	x, isFloat := t.number(a)
	y, _ := t.number(b)
	if l.measured != nil {
		l.measured.moved.note(array, distanceOf(x, y))
		return true
	}
	if !isFloat {
		return agree(x, y, l.sensitivity.allowsInteger(array))
	}
	if allowed := tolerance.relative(t.size)*l.scales[array] + l.sensitivity.allows(array, tolerance, t.size); !math.IsInf(allowed, 1) {
		return !math.IsInf(x, 0) && agree(x, y, allowed)
	}
	return true
}

// areAlike says whether two arrays of which not all elements were recorded differ by no more than is allowed, as far as their
// summaries tell.
func (l allowance) areAlike(array int, isFloat bool, tolerance Tolerance, a, b summary) bool {
	if tolerance == (Tolerance{}) || a.Seen != b.Seen {
		return false
	}
	if l.measured != nil {
		moved := distanceOf(a.Weighted, b.Weighted)
		if a.NonFinite != b.NonFinite {
			moved = math.Inf(1)
		}
		l.measured.movedAll.note(array, moved)
		return true
	}
	size := int(a.Element)
	allowed := tolerance.relative(size)*a.Absolute + l.sensitivity.allowsAll(array, tolerance, size, float64(a.Seen))
	if !isFloat {
		allowed = sensitiveFactor * l.sensitivity.movedAll[array]
	}
	return math.IsInf(allowed, 1) || a.NonFinite == b.NonFinite && agree(a.Weighted, b.Weighted, allowed)
}

// note keeps the largest of some values of an array.
func (s scales) note(array int, value float64) { s[array] = max(s[array], value) }

// distanceOf is how far two numbers are apart; infinite where one of them is no number.
func distanceOf(x, y float64) float64 {
	if d := math.Abs(x - y); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1)
}

// scalesOf are those of a file written by Dump; none where bits are compared.
func scalesOf(path string, tolerance Tolerance) (scales, error) {
	if tolerance == (Tolerance{}) {
		return nil, nil
	}
	if isExecutions(path) {
		return scalesOfExecutions(path)
	}
	file, err := openDump(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found := scales{}
	for k, array := range file.arrays {
		element := make([]byte, array.element.size)
		for range array.count {
			if _, err := io.ReadFull(file, element); err != nil {
				return nil, err
			}
			found.add(k, array.element, element)
		}
	}
	return found, nil
}

func scalesOfExecutions(path string) (scales, error) {
	file, err := openExecutions(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found := scales{}
	for r := (record{}); ; {
		err := file.next(&r)
		if errors.Is(err, io.EOF) || err == nil && r.kind == recordEnd {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if r.kind == recordValue {
			found.add(r.array, elementType{kind: file.arrays[r.array].Kind[0], size: len(r.value)}, r.value)
		}
	}
}
