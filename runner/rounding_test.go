package runner

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// roundedResult is a result of two arrays; change makes another build's of it.
func roundedResult(change func(a, b *Fingerprint)) []Fingerprint {
	a := Fingerprint{Name: "A", Kind: "f", Element: 8, Count: 4, Hash: "1", Sum: 10, Absolute: 10, Weighted: 9, Sums: []float64{3, 7}, Magnitudes: []float64{3, 7}}
	b := Fingerprint{Name: "B", Kind: "f", Element: 8, Count: 4, Hash: "1", Sum: 10, Absolute: 10, Weighted: 9, Sums: []float64{3, 7}, Magnitudes: []float64{3, 7}}
	change(&a, &b)
	return []Fingerprint{a, b}
}

// What two builds of the original show of an array is allowed to a variant in that array alone,
// within the factor; what is worse, or of another kind, is wrong.
func TestCompareRounded(t *testing.T) {
	tolerance := Tolerance{Double: 1e-9, Single: 1e-5}
	original := roundedResult(func(_, _ *Fingerprint) {})
	noisyA := roundedResult(func(a, _ *Fingerprint) {
		a.Hash, a.Sums, a.Weighted = "2", []float64{3 + 1e-6, 7}, 9-1e-6
	})
	for _, c := range []struct {
		name        string
		build       []Fingerprint
		change      func(a, b *Fingerprint)
		wrong       string
		withinTight bool
	}{
		{"the same", noisyA, func(_, _ *Fingerprint) {}, "", true},
		{"as much as the original's builds", noisyA, func(a, _ *Fingerprint) { a.Hash, a.Sums[0] = "3", 3-2e-6 }, "", false},
		{"far more than that", noisyA, func(a, _ *Fingerprint) { a.Hash, a.Sums[0] = "3", 3.1 }, "A", false},
		{"as much in an array that has no noise", noisyA, func(_, b *Fingerprint) { b.Hash, b.Sums[0] = "3", 3-2e-6 }, "B", false},
		{"NaN where the original's builds have none", noisyA, func(a, _ *Fingerprint) { a.Hash, a.NonFinite = "3", 1 }, "A", false},
		{"builds of the original that are the same", original, func(a, _ *Fingerprint) { a.Hash, a.Sums[0] = "3", 3-2e-6 }, "A", false},
		{"NaN in one build of the original", roundedResult(func(a, _ *Fingerprint) { a.Hash, a.NonFinite = "2", 1 }), func(a, _ *Fingerprint) { a.Hash, a.NonFinite = "3", 2 }, "", false},
		{"an array that is not there", noisyA, func(a, _ *Fingerprint) { a.Name = "C" }, "A", false},
	} {
		spread, err := SpreadOf(original, c.build)
		if err != nil {
			t.Fatal(err)
		}
		got := roundedResult(c.change)
		err = CompareRounded(original, got, tolerance, spread, Sensitivity{})
		var failure *FingerprintError
		if c.wrong == "" && err != nil || c.wrong != "" && (!errors.As(err, &failure) || failure.Array != c.wrong) {
			t.Errorf("%s: %v, want an error of %q", c.name, err, c.wrong)
		}
		if within := CompareFingerprints(original, got, tolerance) == nil; within != c.withinTight {
			t.Errorf("%s: within the tolerance %v", c.name, within)
		}
	}
	if _, err := SpreadOf(original, original[:1]); err == nil {
		t.Error("builds with different arrays have a spread")
	}
}

// The spread is relative to the magnitudes, and infinite where it says nothing.
func TestSpread(t *testing.T) {
	original := roundedResult(func(_, _ *Fingerprint) {})
	for name, c := range map[string]struct {
		change func(a, b *Fingerprint)
		want   float64
	}{
		"none":     {func(_, _ *Fingerprint) {}, 0},
		"a block":  {func(a, _ *Fingerprint) { a.Hash, a.Sums[0] = "2", 3.8 }, 0.8 / (3 + 5)},
		"weighted": {func(a, _ *Fingerprint) { a.Hash, a.Weighted = "2", 8 }, 0.1},
		"NaN sum":  {func(a, _ *Fingerprint) { a.Hash, a.Sums[1] = "2", math.NaN() }, math.Inf(1)},
		"integers": {func(a, _ *Fingerprint) { a.Hash, a.Kind = "2", "i" }, math.Inf(1)},
	} {
		spread, err := SpreadOf(original, roundedResult(c.change))
		if err != nil {
			t.Fatal(err)
		}
		if got := spread.Of(original, "A"); math.Abs(got-c.want) > 1e-12 && got != c.want || spread.Of(original, "B") != 0 {
			t.Errorf("%s: spread %v, want %v", name, spread, c.want)
		}
	}
}

// Programs that are compared at full size are optimised as those that are timed, and nothing in
// their flags changes how numbers are rounded.
func TestExactFlags(t *testing.T) {
	b := Builder{options: BuilderOptions{
		Toolchain: Toolchain{Flags: []string{"-O3", "-march=native", "-ffast-math"}, CheckFlags: []string{"-O1", "-ffp-contract=off"}},
		Subject:   Subject{Arguments: []string{"-Ofast", "-ffp-contract=fast", "-funroll-loops"}},
	}}
	got := b.flags(Job{Check: true, Optimized: true})
	if want := []string{"-O3", "-march=native", "-O3", "-funroll-loops", "-ffp-contract=off"}; !slices.Equal(got, want) {
		t.Errorf("flags %v, want %v", got, want)
	}
}
