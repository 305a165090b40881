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
	if t.kind != 'f' {
		return l.integersAgree(array, t, a, b)
	}
	x, known := t.float(a)
	y, _ := t.float(b)
	isLost := isNone(x) || isNone(y)
	switch {
	case l.measured != nil && isLost:
		l.measured.lost[array] = true
		return true
	case l.measured != nil:
		l.measured.moved.note(array, math.Abs(x-y))
		return true
	case isLost:
		return l.sensitivity.losses(array)
	}
	return known && agree(x, y, tolerance.relative(t.size)*l.scales[array]+l.sensitivity.allows(array, tolerance, t.size))
}

// isNone says whether a value is no finite number.
func isNone(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// integersAgree says whether different integers agree, as they do where rounding moves those of the
// original as far.
func (l allowance) integersAgree(array int, t elementType, a, b []byte) bool {
	x, known := t.integer(a)
	y, _ := t.integer(b)
	distance := float64(x - y)
	if t.kind == 'i' && int64(x) < int64(y) || t.kind != 'i' && x < y {
		distance = float64(y - x)
	}
	if l.measured != nil {
		l.measured.moved.note(array, distance)
		return true
	}
	return known && distance <= l.sensitivity.allowsInteger(array)
}

// distanceOf is how far two sums are apart; 0 where one of them is no number.
func distanceOf(x, y float64) float64 {
	if d := math.Abs(x - y); !isNone(d) {
		return d
	}
	return 0
}

// areAlike says whether two arrays of which not all elements were recorded differ by no more than
// is allowed, as far as their summaries tell.
func (l allowance) areAlike(array int, kind string, tolerance Tolerance, a, b summary) bool {
	if tolerance == (Tolerance{}) || a.Seen != b.Seen {
		return false
	}
	one, other := a.fingerprint(kind), b.fingerprint(kind)
	if l.measured != nil {
		l.measured.note(array, one, other)
		return true
	}
	return l.sensitivity.excuses(array, one, other) || compareFingerprint(one, other, tolerance, l.sensitivity.of(array, one, tolerance)) == ""
}

// note keeps the largest of some values of an array.
func (s scales) note(array int, value float64) { s[array] = max(s[array], value) }

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
