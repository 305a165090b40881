package stat

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
)

// tuna are the scores of lots of canned tuna by panel, in the order of their
// measured lightness: Hollander and Wolfe 1973, page 187, the example of
// cor.test in R: tau = 0.4444, T = 26, p = 0.1194.
var tuna = []float64{2.5, 4.0, 2.6, 3.6, 2.8, 3.1, 5.2, 5.0, 3.8}

func TestKendallTrend(t *testing.T) {
	for _, c := range []struct {
		name   string
		series []float64
		tau, p float64
		exact  bool
	}{
		{"canned tuna", tuna, 4.0 / 9, 0.1194, true},
		{"growing", []float64{1, 2, 3, 4, 5}, 1, 2.0 / 120, true},
		{"shrinking", []float64{5, 4, 3, 2, 1}, -1, 2.0 / 120, true},
		{"one value", []float64{3}, 0, 1, false},
		{"equal", []float64{3, 3, 3}, 0, 1, false},
		{"no order at all", []float64{2, 4, 1, 3}, 0, 1, true},
		// One tie: S = 8, variance (4·5·... )/18 as in the formula.
		{"with a tie", []float64{1, 2, 2, 3, 4}, 9 / math.Sqrt(90), 2 * 0.5 * math.Erfc(8/math.Sqrt((5*4*15-2*1*9)/18.0)/math.Sqrt2), false},
	} {
		got, err := KendallTrend(c.series)
		if err != nil || !near(got.Tau, c.tau, tolerance) || !near(got.P, c.p, 5e-5) || got.Exact != c.exact {
			t.Errorf("%s: %+v, %v; want tau %v, P %v", c.name, got, err, c.tau, c.p)
		}
	}
}

func TestKendallTrendAgainstAllOrders(t *testing.T) {
	var all []Trend
	for _, series := range orders(6) {
		trend, err := KendallTrend(series)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, trend)
	}
	for _, trend := range all {
		reached := 0
		for _, other := range all {
			if math.Abs(other.Tau) >= math.Abs(trend.Tau)-tolerance {
				reached++
			}
		}
		if want := float64(reached) / float64(len(all)); !near(trend.P, want, tolerance) {
			t.Fatalf("tau %v: P %v, exactly %v", trend.Tau, trend.P, want)
		}
	}
}

// orders are all orders of the values 0 to n-1, but for equals, which stand for
// those that share them.
func orders(n int, equals ...int) [][]float64 {
	var all [][]float64
	for _, permutation := range combin.Permutations(n, n) {
		series := make([]float64, n)
		for i, value := range permutation {
			series[i] = float64(value)
			if slices.Contains(equals, value) {
				series[i] = float64(equals[0])
			}
		}
		all = append(all, series)
	}
	return all
}

func TestPettittStepAgainstAllOrders(t *testing.T) {
	for _, equals := range [][]int{nil, {1, 2}, {0, 3, 5}} {
		all := orders(6, equals...)
		greatest := func(series []float64) (score, at int) {
			for t := 1; t < len(series); t++ {
				u := 0
				for _, later := range series[t:] {
					for _, earlier := range series[:t] {
						u += sign(later - earlier)
					}
				}
				if max(u, -u) > score {
					score, at = max(u, -u), t
				}
			}
			return score, at
		}
		counts := map[int]int{}
		for _, series := range all {
			score, _ := greatest(series)
			counts[score]++
		}
		for _, series := range all {
			score, at := greatest(series)
			reached := 0
			for other, n := range counts {
				if other >= score {
					reached += n
				}
			}
			step, err := PettittStep(series)
			want := float64(reached) / float64(len(all))
			if err != nil || step.At != at || !near(step.P, want, tolerance) || !step.Exact {
				t.Fatalf("%v: %+v, %v; want %d, %v", series, step, err, at, want)
			}
		}
	}
}

// Of the C(16,8)·8!·8! orders that have the two halves apart, with the lower
// one first or last, no other place reaches |U| = 64.
func TestPettittStep(t *testing.T) {
	var series []float64
	for i := range 16 {
		series = append(series, float64((i*5)%8)+float64(i/8)*10+0.01*float64(i))
	}
	exact, err := PettittStep(series)
	if want := 2 / combin.GeneralizedBinomial(16, 8); err != nil || exact.At != 8 || !near(exact.P, want, 1e-7) {
		t.Errorf("%+v, %v; want %v", exact, err, want)
	}
	// The approximation is on the safe side.
	longer, err := PettittStep(append(series, 3.5))
	if err != nil || longer.Exact || longer.At != 8 || longer.P < exact.P || longer.P > 0.05 {
		t.Errorf("%+v, %v", longer, err)
	}
	for _, flat := range [][]float64{{1}, {2, 2, 2, 2}} {
		if step, err := PettittStep(flat); err != nil || step.P != 1 || step.At != 0 {
			t.Errorf("%v: %+v, %v", flat, step, err)
		}
	}
}

func TestInvalidRanks(t *testing.T) {
	of := map[string]func([]float64) error{
		"KendallTrend": func(v []float64) error { _, err := KendallTrend(v); return err },
		"PettittStep":  func(v []float64) error { _, err := PettittStep(v); return err },
		"MannWhitney":  func(v []float64) error { _, err := MannWhitney([]float64{1}, v); return err },
		"MannWhitney'": func(v []float64) error { _, err := MannWhitney(v, []float64{1}); return err },
		"Friedman": func(v []float64) error {
			if v == nil {
				_, err := Friedman(nil)
				return err
			}
			_, err := Friedman([][]float64{{1, 2}, v})
			return err
		},
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
	for _, blocks := range [][][]float64{{{1, 2}}, {{1}, {2}}, {{1, 2}, {1, 2, 3}}} {
		if _, err := Friedman(blocks); err == nil {
			t.Errorf("Friedman of %v: no error", blocks)
		}
	}
}
