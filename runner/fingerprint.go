package runner

import (
	"fmt"
	"math"
	"strings"
)

// Fingerprint describes an array's contents in a few numbers that tell two
// results apart at full size without keeping them. Sums are over the finite
// elements.
type Fingerprint struct {
	Name string `json:"name"`
	// Kind is "f" for floating-point, "i", "u" or "b" for integers; Element
	// is the size of one element in bytes, Count their number.
	Kind    string `json:"kind"`
	Element int    `json:"element"`
	Count   int    `json:"count"`
	// NonFinite is the number of NaNs and infinities.
	NonFinite int `json:"nonfinite"`
	// Hash is a hash of the bits: equal results have equal hashes.
	Hash string `json:"hash"`
	// Sum and Absolute are the sums of the values and of their magnitudes;
	// Weighted multiplies each value by a factor in [0.5, 1.5) that depends
	// on its place.
	Sum      float64 `json:"sum"`
	Absolute float64 `json:"absolute"`
	Weighted float64 `json:"weighted"`
	// Sums and Magnitudes are Sum and Absolute of 64 consecutive blocks of
	// the array, so that a wrong part does not drown in a large whole.
	Sums       []float64 `json:"sums"`
	Magnitudes []float64 `json:"magnitudes"`
}

// Tolerance is the largest difference of two sums that rounding explains,
// relative to the sum of the magnitudes.
type Tolerance struct {
	// Double is for elements of 8 bytes and more, Single for smaller ones.
	Double, Single float64
	// Of are the arrays that it is for, where a region's data are compared: all others are compared
	// bit for bit, in a whole program in the region's first execution, behind which the
	// program may have taken their values anywhere. nil are all arrays.
	Of *Arrays
}

// Arrays are variables by their names.
type Arrays struct{ names map[string]bool }

// NewArrays are the variables of the names.
func NewArrays(names ...string) *Arrays {
	a := &Arrays{map[string]bool{}}
	for _, name := range names {
		a.names[name] = true
	}
	return a
}

// has says whether a variable, or a member of it, is one of them; nil has all.
func (a *Arrays) has(name string) bool {
	variable, _, _ := strings.Cut(name, ".")
	variable, _, _ = strings.Cut(variable, "[")
	return a == nil || a.names[variable]
}

// of is the tolerance for an array, or a member of one, of that name; zero, bit for bit, for one
// that it is not for.
func (t Tolerance) of(name string) Tolerance {
	if !t.Of.has(name) {
		return Tolerance{}
	}
	return t
}

// relative is that for elements of a size in bytes.
func (t Tolerance) relative(element int) float64 {
	if element < 8 {
		return t.Single
	}
	return t.Double
}

// FingerprintError says which array of a variant is not the original's.
type FingerprintError struct {
	Array string
	// Detail says which number differs and by how much.
	Detail string
}

// Error names the array.
func (e *FingerprintError) Error() string {
	return fmt.Sprintf("wrong result: array %s: %s", e.Array, e.Detail)
}

// CompareFingerprints compares what two runs left in their arrays: integers
// exactly, floating-point numbers within the tolerance; NaNs and infinities
// must be as many as in the reference. A difference is a *FingerprintError.
func CompareFingerprints(reference, got []Fingerprint, tolerance Tolerance) error {
	return CompareRounded(reference, got, tolerance, make(Spread, len(reference)), Sensitivity{})
}

// sameKind says whether two arrays have the same name, elements and blocks.
func sameKind(a, b Fingerprint) bool {
	return a.Name == b.Name && a.Count == b.Count && a.Kind == b.Kind && a.Element == b.Element &&
		len(a.Sums) == len(b.Sums) && len(a.Magnitudes) == len(a.Sums)
}

// meanMagnitude is the mean of the blocks' magnitudes.
func (f Fingerprint) meanMagnitude() float64 { return f.Absolute / float64(max(len(f.Sums), 1)) }

// compareFingerprint says what differs by more than the tolerance and what is added to it, or "".
func compareFingerprint(reference, got Fingerprint, tolerance Tolerance, more more) string {
	switch {
	case !sameKind(reference, got):
		return fmt.Sprintf("is %s with %d elements in the other run", got.Name, got.Count)
	case reference.Hash == got.Hash:
		return ""
	case reference.NonFinite != got.NonFinite && !more.lost:
		return fmt.Sprintf("%d elements are NaN or infinite, %d in the original", got.NonFinite, reference.NonFinite)
	case reference.Kind != "f":
		return fmt.Sprintf("the integers differ (sum %v, expected %v)", got.Sum, reference.Sum)
	}
	relative := tolerance.relative(reference.Element)
	if !agree(reference.Weighted, got.Weighted, relative*reference.Absolute+more.all) {
		return fmt.Sprintf("the weighted sum is %v, expected %v", got.Weighted, reference.Weighted)
	}
	mean := reference.meanMagnitude()
	for b := range reference.Sums {
		if !agree(reference.Sums[b], got.Sums[b], relative*(reference.Magnitudes[b]+mean)+more.part) {
			return fmt.Sprintf("the sum of part %d of %d is %v, expected %v", b+1, len(reference.Sums), got.Sums[b], reference.Sums[b])
		}
	}
	return ""
}

// agree says whether two numbers differ by no more than is allowed. It is false for NaN.
func agree(expected, got, allowed float64) bool { return math.Abs(expected-got) <= allowed }
