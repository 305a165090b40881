package stat

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
)

const tolerance = 1e-9

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{4}, 4},
		{[]float64{5, 1, 3}, 3},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{-1, 1}, 0},
		{[]float64{math.MaxFloat64, math.MaxFloat64 / 2}, math.MaxFloat64 * 0.75},
		{[]float64{math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64}, math.SmallestNonzeroFloat64},
	} {
		before := slices.Clone(c.values)
		got, err := Median(c.values)
		if err != nil || got != c.want {
			t.Errorf("Median(%v) = %v, %v; want %v", c.values, got, err, c.want)
		}
		if !slices.Equal(before, c.values) {
			t.Errorf("Median changed its argument to %v", c.values)
		}
	}
}

// The symmetric 95% ranks with their coverage, as the usual tables for the
// median give them.
func TestMedianRanks95(t *testing.T) {
	for _, c := range []struct {
		n, low, high int
		coverage     float64
	}{
		{6, 1, 6, 0.9688}, {7, 1, 7, 0.9844}, {8, 1, 8, 0.9922}, {9, 2, 8, 0.9609},
		{10, 2, 9, 0.9785}, {11, 2, 10, 0.9883}, {12, 3, 10, 0.9614}, {13, 3, 11, 0.9775},
		{14, 3, 12, 0.9871}, {15, 4, 12, 0.9648}, {16, 4, 13, 0.9787}, {17, 5, 13, 0.9510},
		{18, 5, 14, 0.9691}, {19, 5, 15, 0.9808}, {20, 6, 15, 0.9586}, {100, 40, 61, 0.9648},
	} {
		low, high, coverage, err := MedianRanks(c.n, 0.95)
		if err != nil || low != c.low || high != c.high || !near(coverage, c.coverage, 5e-5) {
			t.Errorf("MedianRanks(%d) = %d, %d, %.4f, %v; want %d, %d, %.4f", c.n, low, high, coverage, err, c.low, c.high, c.coverage)
		}
	}
}

// Exact rational arithmetic decides what the ranks have to be.
func TestMedianRanksAgainstExactCounts(t *testing.T) {
	for _, confidence := range []float64{0.5, 0.9, 0.95, 0.96875, 0.99} {
		for n := 1; n <= 60; n++ {
			low, high, coverage, err := MedianRanks(n, confidence)
			if err != nil {
				t.Fatal(err)
			}
			if high != n+1-low || low < 1 || low > high {
				t.Fatalf("n=%d confidence=%v: ranks %d, %d", n, confidence, low, high)
			}
			if !near(coverage, exactCoverage(n, low), tolerance) {
				t.Errorf("n=%d rank %d: coverage %v, exactly %v", n, low, coverage, exactCoverage(n, low))
			}
			if low > 1 && exactCoverage(n, low) < confidence {
				t.Errorf("n=%d: rank %d does not reach %v", n, low, confidence)
			}
			if low+1 <= n-low && exactCoverage(n, low+1) >= confidence {
				t.Errorf("n=%d: rank %d reaches %v too", n, low+1, confidence)
			}
		}
	}
}

func exactCoverage(n, r int) float64 {
	outside := new(big.Int)
	for k := 0; k < r; k++ {
		outside.Add(outside, new(big.Int).Binomial(int64(n), int64(k)))
	}
	outside.Lsh(outside, 1)
	all := new(big.Int).Lsh(big.NewInt(1), uint(n))
	ratio, _ := new(big.Rat).SetFrac(outside, all).Float64()
	return max(0, 1-ratio)
}

// The product of ratios has the product of the medians, and misses at most as often as
// both together.
func TestProduct(t *testing.T) {
	a := Interval{Median: 50, Low: 45, High: 60, Coverage: 0.96875, N: 6}
	b := Interval{Median: 1.02, Low: 1, High: 1.05, Coverage: 0.99609375, N: 9}
	want := Interval{Median: 51, Low: 45, High: 63, Coverage: 0.96484375, N: 6}
	if got := Product(a, b); !sameInterval(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Product(a, Interval{Median: 1, Low: 1, High: 1, N: 1}); got.Coverage != 0 || got.N != 1 {
		t.Errorf("with a single value: %+v", got)
	}
}

func TestMinimumSize(t *testing.T) {
	for confidence, want := range map[float64]int{0.5: 2, 0.9: 5, 0.95: 6, 0.96875: 6, 0.99: 8, 0.999: 11} {
		if got, err := MinimumSize(confidence); err != nil || got != want {
			t.Errorf("MinimumSize(%v) = %d, %v; want %d", confidence, got, err, want)
		}
	}
}

func TestMedianInterval(t *testing.T) {
	// The first row is the example of ci.median in the R package statpsych.
	statpsych := []float64{30.2, 20.4, 15.1, 10.2, 10.5, 60.8, 20.8, 25.0, 20.7, 30.9,
		10.8, 5.1, 50.9, 40.0, 20.9, 10.8, 0, 20.5, 50.8}
	for _, c := range []struct {
		values []float64
		want   Interval
	}{
		{statpsych, Interval{Median: 20.7, Low: 10.8, High: 30.9, Coverage: 0.980789184570, N: 19}},
		{[]float64{7}, Interval{Median: 7, Low: 7, High: 7, Coverage: 0, N: 1}},
		{[]float64{3, 1, 2, 5, 4}, Interval{Median: 3, Low: 1, High: 5, Coverage: 0.9375, N: 5}},
		{[]float64{6, 1, 5, 2, 4, 3}, Interval{Median: 3.5, Low: 1, High: 6, Coverage: 0.96875, N: 6}},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, Interval{Median: 5.5, Low: 2, High: 9, Coverage: 0.978515625, N: 10}},
	} {
		got, err := MedianInterval(c.values, 0.95)
		if err != nil || !sameInterval(got, c.want) {
			t.Errorf("MedianInterval(%v) = %+v, %v; want %+v", c.values, got, err, c.want)
		}
	}
}

func sameInterval(a, b Interval) bool {
	return near(a.Median, b.Median, tolerance) && near(a.Low, b.Low, tolerance) &&
		near(a.High, b.High, tolerance) && near(a.Coverage, b.Coverage, tolerance) && a.N == b.N
}

// 8 against 2 is the textbook case (hind and fore legs of ten deer, J. H. Zar,
// Biostatistical Analysis): p = 0.109375.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		differences []float64
		want        Signs
	}{
		{[]float64{4, 4, -3, 4, -1, 5, 6, 5, 6, 2}, Signs{8, 2, 0, 0.109375}},
		{[]float64{1, 1, 1, 1, 1, 1}, Signs{6, 0, 0, 0.03125}},
		{[]float64{1, 0, 1, 1, 0, 1, 1, 1}, Signs{6, 0, 2, 0.03125}},
		{[]float64{-1, -1, -1, -1, 1}, Signs{1, 4, 0, 0.375}},
		{[]float64{1, -1}, Signs{1, 1, 0, 1}},
		{[]float64{0, 0, 0}, Signs{0, 0, 3, 1}},
	} {
		got, err := SignTest(c.differences)
		if err != nil || got.Positive != c.want.Positive || got.Negative != c.want.Negative ||
			got.Ties != c.want.Ties || !near(got.P, c.want.P, tolerance) {
			t.Errorf("SignTest(%v) = %+v, %v; want %+v", c.differences, got, err, c.want)
		}
	}
}

// The second row is p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") of R.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}},
		{[]float64{0.9, 0.8}, []float64{1, 1}},
		{[]float64{0.2}, []float64{0.2}},
	} {
		got, err := Holm(c.p)
		if err != nil || !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, tolerance) }) {
			t.Errorf("Holm(%v) = %v, %v; want %v", c.p, got, err, c.want)
		}
	}
}

func TestMedianAbsoluteDeviation(t *testing.T) {
	values := []float64{1, 1, 2, 2, 4, 6, 9}
	if got, err := MedianAbsoluteDeviation(values); err != nil || got != 1 {
		t.Errorf("MedianAbsoluteDeviation = %v, %v; want 1", got, err)
	}
	if got, err := RelativeMedianAbsoluteDeviation(values); err != nil || got != 0.5 {
		t.Errorf("RelativeMedianAbsoluteDeviation = %v, %v; want 0.5", got, err)
	}
	if _, err := RelativeMedianAbsoluteDeviation([]float64{0, 0}); err == nil {
		t.Error("relative spread around zero: no error")
	}
}

// The median is 4 and the median absolute deviation 0.3, so that the score
// of 14 is 0.6745·10/0.3.
func TestModifiedZScores(t *testing.T) {
	values := []float64{3.2, 3.4, 3.7, 3.7, 3.8, 3.9, 4, 4, 4.1, 4.2, 4.7, 4.8, 14, 15}
	want := []float64{-1.80, -1.35, -0.67, -0.67, -0.45, -0.22, 0, 0, 0.22, 0.45, 1.57, 1.80, 22.48, 24.73}
	scores, err := ModifiedZScores(values)
	if err != nil || !slices.EqualFunc(scores, want, func(a, b float64) bool { return near(a, b, 0.006) }) {
		t.Errorf("ModifiedZScores = %.2f, %v; want %v", scores, err, want)
	}
	flags, err := Outliers(values)
	if err != nil {
		t.Fatal(err)
	}
	for i, flag := range flags {
		if flag != (i >= 12) {
			t.Errorf("Outliers flags %v as %v", values[i], flag)
		}
	}
}

func TestOutliersOfMostlyEqualValues(t *testing.T) {
	flags, err := Outliers([]float64{1, 1, 1, 1, 1, 1, 1, 9})
	if want := []bool{7: true}; err != nil || !slices.Equal(flags, want) {
		t.Errorf("one value apart: %v, %v; want %v", flags, err, want)
	}
	flags, err = Outliers([]float64{2, 2, 2})
	if err != nil || slices.Contains(flags, true) {
		t.Errorf("equal values: %v, %v", flags, err)
	}
}

func TestModifiedZScoresOfHugeValues(t *testing.T) {
	m := math.MaxFloat64
	scores, err := ModifiedZScores([]float64{-m, m, m, -m, -m})
	if err != nil || slices.ContainsFunc(scores, math.IsNaN) {
		t.Errorf("ModifiedZScores = %v, %v", scores, err)
	}
}

func TestSpeedup(t *testing.T) {
	baseline := []float64{2, 4, 8, 2, 4, 8}
	for _, c := range []struct {
		name    string
		variant []float64
		want    Interval
	}{
		{"twice as fast in every round, whatever the drift", []float64{1, 2, 4, 1, 2, 4}, Interval{2, 2, 2, 0.96875, 6}},
		{"equal", baseline, Interval{1, 1, 1, 0.96875, 6}},
		{"ratios 1/2, 1, 2, 4, 8, 16", []float64{4, 4, 4, 0.5, 0.5, 0.5}, Interval{math.Sqrt(8), 0.5, 16, 0.96875, 6}},
	} {
		got, err := Speedup(baseline, c.variant, 0.95)
		if err != nil || !sameInterval(got, c.want) {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := Speedup([]float64{1, 2}, []float64{1}, 0.95); err == nil {
		t.Error("unpaired rounds: no error")
	}
	if _, err := Speedup([]float64{1}, []float64{0}, 0.95); err == nil {
		t.Error("a time of zero: no error")
	}
}

func TestGeometricMean(t *testing.T) {
	if got, err := GeometricMean([]float64{1, 2, 4, 8}); err != nil || !near(got, math.Sqrt(8), tolerance) {
		t.Errorf("GeometricMean = %v, %v", got, err)
	}
	if got, err := GeometricMean([]float64{0.5, 2}); err != nil || !near(got, 1, tolerance) {
		t.Errorf("GeometricMean of a ratio and its inverse = %v, %v", got, err)
	}
	if _, err := GeometricMean([]float64{1, 0}); err == nil {
		t.Error("GeometricMean of zero: no error")
	}
}

func TestFurtherRounds(t *testing.T) {
	e := math.Exp
	for _, c := range []struct {
		name     string
		interval Interval
		rounds   int
		possible bool
	}{
		{"separated", Interval{1.1, 1.05, 1.2, 0.9785, 10}, 0, true},
		{"half-width 2.05 times the distance: 4.2 times the rounds", Interval{e(0.1), e(-0.105), e(0.2), 0.9785, 10}, 33, true},
		{"the same on the slow side", Interval{e(-0.1), e(-0.2), e(0.105), 0.9785, 10}, 33, true},
		{"an end on 1", Interval{e(0.1), 1, e(0.2), 0.9785, 10}, 1, true},
		{"too few rounds for any claim", Interval{1.5, 1.4, 1.6, 0.75, 3}, 3, true},
		{"median 1", Interval{1, 0.9, 1.1, 0.9785, 10}, 0, false},
		{"hopeless", Interval{e(1e-9), 0.9, 1.1, 0.9785, 10}, 0, false},
	} {
		rounds, possible, err := FurtherRounds(c.interval, 0.95)
		if err != nil || rounds != c.rounds || possible != c.possible {
			t.Errorf("%s: %d, %v, %v; want %d, %v", c.name, rounds, possible, err, c.rounds, c.possible)
		}
	}
	if _, _, err := FurtherRounds(Interval{}, 0.95); err == nil {
		t.Error("the zero interval: no error")
	}
}

func TestInvalidInput(t *testing.T) {
	of := map[string]func([]float64) error{
		"Median":                  func(v []float64) error { _, err := Median(v); return err },
		"MedianInterval":          func(v []float64) error { _, err := MedianInterval(v, 0.95); return err },
		"MedianAbsoluteDeviation": func(v []float64) error { _, err := MedianAbsoluteDeviation(v); return err },
		"RelativeMedianAbsoluteDeviation": func(v []float64) error {
			_, err := RelativeMedianAbsoluteDeviation(v)
			return err
		},
		"ModifiedZScores": func(v []float64) error { _, err := ModifiedZScores(v); return err },
		"Outliers":        func(v []float64) error { _, err := Outliers(v); return err },
		"SignTest":        func(v []float64) error { _, err := SignTest(v); return err },
		"Holm":            func(v []float64) error { _, err := Holm(v); return err },
		"GeometricMean":   func(v []float64) error { _, err := GeometricMean(v); return err },
		"Speedup":         func(v []float64) error { _, err := Speedup(v, v, 0.95); return err },
	}
	for name, f := range of {
		if err := f(nil); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s of nothing: %v", name, err)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if f([]float64{0.5, bad}) == nil {
				t.Errorf("%s of %v: no error", name, bad)
			}
		}
	}
	for _, confidence := range []float64{0, 1, -1, 2, math.NaN()} {
		if _, err := MedianInterval([]float64{1}, confidence); err == nil {
			t.Errorf("confidence %v: no error", confidence)
		}
	}
	if _, err := Holm([]float64{1.5}); err == nil {
		t.Error("Holm of 1.5: no error")
	}
}
