package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
)

func TestMidranks(t *testing.T) {
	ranks, groups := midranks([]float64{3, 1, 3, 2, 3, 1})
	if !slices.Equal(ranks, []float64{5, 1.5, 5, 3, 5, 1.5}) || !slices.Equal(groups, []int{2, 3}) {
		t.Errorf("ranks %v, ties %v", ranks, groups)
	}
}

// lawns are the ranks that twelve home owners gave to four kinds of grass:
// Conover 1999, section 5.8, example 1.
var lawns = [][]float64{
	{4, 3, 2, 1}, {4, 2, 3, 1}, {3, 1.5, 1.5, 4}, {3, 1, 2, 4}, {4, 2, 1, 3}, {2, 2, 2, 4},
	{1, 3, 2, 4}, {2, 4, 1, 3}, {3.5, 1, 2, 3.5}, {4, 1, 3, 2}, {4, 2, 3, 1}, {3.5, 1, 2, 3.5},
}

// bases are the times of 22 players to round first base in three ways:
// Hollander and Wolfe 1973, page 140, the example of friedman.test in R.
var bases = [][]float64{
	{5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40}, {5.90, 5.85, 5.70},
	{5.45, 5.55, 5.60}, {5.40, 5.40, 5.35}, {5.45, 5.50, 5.35}, {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70},
	{5.25, 5.20, 5.10}, {5.65, 5.55, 5.45}, {5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40},
	{5.45, 5.55, 5.50}, {5.55, 5.55, 5.35}, {5.45, 5.50, 5.55}, {5.50, 5.45, 5.25}, {5.65, 5.60, 5.40},
	{5.70, 5.65, 5.55}, {6.30, 6.30, 6.25},
}

func TestFriedman(t *testing.T) {
	for _, c := range []struct {
		name       string
		blocks     [][]float64
		sums       []float64
		chiSquared float64
		f          float64
		within     float64
	}{
		{"Conover's lawns", lawns, []float64{38, 23.5, 24.5, 34}, 8.097, 3.19, 5e-3},
		{"Hollander and Wolfe's bases", bases, []float64{53, 47, 32}, 11.143, 21 * 11.143 / (44 - 11.143), 1e-3},
	} {
		r, err := Friedman(c.blocks)
		if err != nil || !slices.Equal(r.RankSums, c.sums) || !near(r.ChiSquared, c.chiSquared, c.within) || !near(r.F, c.f, c.within) {
			t.Errorf("%s: %+v, %v; want sums %v, %v, F %v", c.name, r, err, c.sums, c.chiSquared, c.f)
		}
	}
	// Conover: the probability for the lawns is between 0.025 and 0.05; F of 3
	// and 33 degrees of freedom reaches 2.89 with probability 0.05.
	if r, _ := Friedman(lawns); r.P <= 0.025 || r.P >= 0.05 {
		t.Errorf("the lawns have P %v", r.P)
	}
}

func TestFriedmanOfEqualAndUnanimousBlocks(t *testing.T) {
	r, err := Friedman([][]float64{{1, 1, 1}, {7, 7, 7}})
	if err != nil || r.P != 1 || r.ChiSquared != 0 || r.F != 0 {
		t.Errorf("equal values: %+v, %v", r, err)
	}
	r, err = Friedman([][]float64{{1, 2, 3}, {4, 7, 9}, {-1, 0, 5}})
	if err != nil || !near(r.P, 1.0/36, tolerance) || !math.IsInf(r.F, 1) || !near(r.ChiSquared, 6, tolerance) {
		t.Errorf("three blocks that agree: %+v, %v", r, err)
	}
	if p, err := r.Compare(0, 2); err != nil || !near(p, 1.0/36, tolerance) {
		t.Errorf("compared: %v, %v", p, err)
	}
	// Of two equal values and a greater one there are three arrangements, not six.
	r, err = Friedman([][]float64{{1, 1, 3}, {4, 4, 9}, {0, 0, 5}})
	if err != nil || !near(r.P, 1.0/9, tolerance) || !math.IsInf(r.F, 1) {
		t.Errorf("three blocks with ties that agree: %+v, %v", r, err)
	}
}

// All orders of every block but the first, which one may fix, give the exact
// distribution: Iman and Davenport's F has to be near to it.
func TestFriedmanAgainstAllOrders(t *testing.T) {
	const blocks, treatments = 5, 3
	orders := combin.Permutations(treatments, treatments)
	var all []Ranking
	for _, choice := range combin.Cartesian(slices.Repeat([]int{len(orders)}, blocks-1)) {
		table := [][]float64{{0, 1, 2}}
		for _, which := range choice {
			row := make([]float64, treatments)
			for j, rank := range orders[which] {
				row[j] = float64(rank)
			}
			table = append(table, row)
		}
		r, err := Friedman(table)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	// The exact distribution has steps: F is between the two ends of one.
	for _, r := range all {
		reached, passed := 0, 0
		for _, other := range all {
			if other.ChiSquared >= r.ChiSquared-tolerance {
				reached++
			}
			if other.ChiSquared > r.ChiSquared+tolerance {
				passed++
			}
		}
		low, high := float64(passed)/float64(len(all)), float64(reached)/float64(len(all))
		if high < 0.2 && (r.P < low-0.03 || r.P > high+0.03) {
			t.Fatalf("chi-squared %v: P %v, exactly between %v and %v", r.ChiSquared, r.P, low, high)
		}
	}
}

// Conover finds the least significant difference of the lawns' rank sums at
// 0.05 to be 11.48: grass 1 differs from 2 and 3, and no others do.
func TestConoverComparison(t *testing.T) {
	r, err := Friedman(lawns)
	if err != nil {
		t.Fatal(err)
	}
	for a := range 4 {
		for b := range 4 {
			p, err := r.Compare(a, b)
			back, _ := r.Compare(b, a)
			differ := a != b && min(a, b) == 0 && max(a, b) < 3
			if err != nil || (p <= 0.05) != differ || p != back || a == b && p != 1 {
				t.Errorf("grasses %d and %d: %v, %v", a+1, b+1, p, err)
			}
		}
	}
	if _, err := r.Compare(0, 4); err == nil {
		t.Error("no error for a fifth grass")
	}
}

// Mann and Whitney 1947, table I: the probability of a U that is not greater,
// for small samples.
func TestMannWhitneyTable(t *testing.T) {
	for _, c := range []struct {
		m, n int
		want []float64
	}{
		{3, 3, []float64{.050, .100, .200, .350, .500}},
		{4, 4, []float64{.014, .029, .057, .100, .171, .243, .343, .443}},
		{4, 1, []float64{.200, .400, .600}},
		{4, 2, []float64{.067, .133, .267, .400, .600}},
	} {
		for u, want := range c.want {
			if got := exactRankSum(c.m, c.n, u); !near(got, min(1, 2*want), 1.1e-3) {
				t.Errorf("m=%d n=%d U=%d: %v, want twice %v", c.m, c.n, u, got, want)
			}
		}
	}
}

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name  string
		x, y  []float64
		u, p  float64
		exact bool
	}{
		// Hollander and Wolfe 1973, page 69, the example of wilcox.test in R:
		// W = 35, one-sided p = 0.1272.
		{"permeability of the chorioamnion", []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			[]float64{1.15, 0.88, 0.90, 0.74, 1.21}, 35, 2 * 0.1272, true},
		// The other example there: ozone in May and in August, with ties:
		// W = 127.5, p = 0.0001208.
		{"air quality in New York",
			[]float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37},
			[]float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85},
			127.5, 0.0001208, false},
		{"all equal", []float64{1, 1}, []float64{1, 1, 1}, 3, 1, false},
		{"apart", []float64{1, 2, 3}, []float64{4, 5, 6}, 0, 0.1, true},
	} {
		r, err := MannWhitney(c.x, c.y)
		if err != nil || r.U != c.u || !near(r.P, c.p, 1e-4*max(c.p, 0.01)*10) || r.Exact != c.exact {
			t.Errorf("%s: %+v, %v; want U %v, P %v", c.name, r, err, c.u, c.p)
		}
		back, err := MannWhitney(c.y, c.x)
		if err != nil || !near(back.P, r.P, tolerance) || !near(back.Superiority, 1-r.Superiority, tolerance) {
			t.Errorf("%s, turned round: %+v, %v", c.name, back, err)
		}
	}
}

// All choices of which values are the first sample's are equally likely.
func TestMannWhitneyAgainstAllChoices(t *testing.T) {
	const m, n = 4, 5
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	var all []RankSum
	for _, chosen := range combin.Combinations(m+n, m) {
		var x, y []float64
		for i, v := range values {
			if slices.Contains(chosen, i) {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		r, err := MannWhitney(x, y)
		if err != nil || !r.Exact {
			t.Fatal(r, err)
		}
		all = append(all, r)
	}
	for _, r := range all {
		reached := 0
		for _, other := range all {
			if math.Abs(other.U-m*n/2) >= math.Abs(r.U-m*n/2) {
				reached++
			}
		}
		if want := float64(reached) / float64(len(all)); !near(r.P, want, tolerance) {
			t.Errorf("U %v: P %v, exactly %v", r.U, r.P, want)
		}
	}
}

// Without ties the approximation has to agree with the exact probability of
// large samples.
func TestMannWhitneyApproximation(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 20 {
		var x, y []float64
		for range 50 {
			x, y = append(x, random.NormFloat64()), append(y, random.NormFloat64()+0.3)
		}
		exact, _ := MannWhitney(x, y)
		approximate, _ := MannWhitney(append(x, 0.01), y)
		if !exact.Exact || approximate.Exact || math.Abs(exact.P-approximate.P) > 0.03 {
			t.Errorf("%+v and, with one value more, %+v", exact, approximate)
		}
	}
}
