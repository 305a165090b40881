package runner

import (
	"errors"
	"math"
	"testing"
)

// Within a tolerance, doubles may differ relative to the largest in their array;
// other sizes have their own, and integers none.
func TestCompareWithin(t *testing.T) {
	tolerance := Tolerance{Double: 1e-6, Single: 1e-3}
	for _, test := range []struct {
		name, header  string
		expected, got []float64
		same          bool
	}{
		{"rounding", "A f 8 1 3", []float64{1, 2, 1000}, []float64{1 + 1e-9, 2, 1000 - 1e-9}, true},
		{"cancellation next to large elements", "A f 8 1 3", []float64{0, 2, 1000}, []float64{1e-4, 2, 1000}, true},
		{"a missing term", "A f 8 1 3", []float64{1, 2, 1000}, []float64{1, 2, 999}, false},
		{"small elements alone", "A f 8 1 2", []float64{1e-9, 1e-9}, []float64{1e-9, 2e-9}, false},
		{"zero alone", "A f 8 1 1", []float64{0}, []float64{1e-9}, false},
		{"the wrong sign of zero", "A f 8 1 2", []float64{0, 1}, []float64{math.Copysign(0, -1), 1}, true},
		{"NaN", "A f 8 1 2", []float64{1, 2}, []float64{math.NaN(), 2}, false},
		{"NaN in both", "A f 8 1 2", []float64{math.NaN(), 2}, []float64{math.NaN(), 2}, true},
		{"infinity", "A f 8 1 2", []float64{1, 2}, []float64{math.Inf(1), 2}, false},
		{"infinity expected", "A f 8 1 2", []float64{math.Inf(1), 2}, []float64{1, 2}, false},
	} {
		err := CompareWithin(writeDump(t, test.header, test.expected...), writeDump(t, test.header, test.got...), tolerance)
		var mismatch *Mismatch
		if test.same && err != nil || !test.same && !errors.As(err, &mismatch) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	one, other := []byte{1, 0, 0, 0}, []byte{2, 0, 0, 0}
	if (allowance{scales: scales{0: 1e9}}).agrees(0, elementType{kind: 'i', size: 4}, tolerance, one, other) {
		t.Error("integers agree that differ")
	}
}

// A tolerance may be for some variables alone, and for members of these.
func TestToleranceOfSomeArrays(t *testing.T) {
	for _, test := range []struct {
		of   *Arrays
		name string
		same bool
	}{
		{nil, "A", true},
		{NewArrays("A", "B"), "A", true},
		{NewArrays("A"), "A.x", true},
		{NewArrays("B"), "A", false},
		{NewArrays(), "A", false},
		{NewArrays("A"), "AB", false},
	} {
		tolerance := Tolerance{Double: 1e-6, Of: test.of}
		header := test.name + " f 8 1 2"
		err := CompareWithin(writeDump(t, header, 1, 2), writeDump(t, header, 1+1e-9, 2), tolerance)
		if mismatch := new(Mismatch); test.same && err != nil || !test.same && !errors.As(err, &mismatch) {
			t.Errorf("%s, tolerance of %v: %v", test.name, test.of, err)
		}
		c := executionsComparison{allowance: allowance{tolerance: tolerance}, execution: 1}
		if first := c.toleranceOf(test.name) != (Tolerance{}); first != test.same {
			t.Errorf("%s, tolerance of %v in the first execution: %v", test.name, test.of, first)
		}
		if c.execution = 2; c.toleranceOf(test.name) == (Tolerance{}) {
			t.Errorf("%s: in later executions, whose inputs may be rounded, bits are compared", test.name)
		}
	}
}
