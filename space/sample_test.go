package space

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
)

// drawOften draws partitions one at a time and counts them.
func drawOften(t *testing.T, s *Space, draws int) map[string]int {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	seen := map[string]int{}
	for range draws {
		list, exact, err := s.Sample(random, 1)
		if err != nil || !exact || len(list) != 1 {
			t.Fatalf("got %v, %v, %v", list, exact, err)
		}
		seen[list[0].String()]++
	}
	return seen
}

// checkUniform tests draws against the listed space: each partition's number
// of draws is as for a uniform distribution, by Pearson's chi-square test.
// With so many degrees of freedom the statistic is nearly normal; a right
// sampler fails beyond 4 standard deviations once in 30,000 seeds.
func checkUniform(t *testing.T, name string, s *Space) {
	t.Helper()
	list := collect(t, s.All())
	draws := max(20*len(list), 200)
	seen := drawOften(t, s, draws)
	expected := float64(draws) / float64(len(list))
	chiSquare := 0.0
	for _, p := range list {
		off := float64(seen[p.String()]) - expected
		chiSquare += off * off / expected
		delete(seen, p.String())
	}
	if len(seen) > 0 {
		t.Errorf("%s: partitions outside of the space are drawn: %v", name, seen)
	}
	freedom := float64(len(list) - 1)
	if freedom > 0 && math.Abs(chiSquare-freedom) > 4*math.Sqrt(2*freedom)+4 {
		t.Errorf("%s: %d draws of %d partitions have chi-square %.1f", name, draws, len(list), chiSquare)
	}
}

func TestSampleOfKernelsIsUniform(t *testing.T) {
	for _, name := range []string{"sc10/2mm", "sc10/3mm", "sc10/bicg", "sc10/correl", "sc10/gemver", "sc10/gramschmidt", "sc10/seidel", "polybench/covariance"} {
		b, err := benchmarks.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		ctx := isl.NewContext()
		s, err := New(kerneltest.AnalyzeIn(t, ctx, programOf(t, b)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkUniform(t, name, s)
		ctx.Close()
	}
}

func TestSampleOfGraphsIsUniform(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		n, edges, infusible := randomGraph(random)
		if n <= 5 {
			checkUniform(t, "a random graph", synthetic(t, n, edges, infusible, Options{}))
		}
	}
	cut := parseCut(t, Affine, "e_0_1 + e_1_2 + p_0_3 <= 1", 6)
	s := synthetic(t, 6, [][2]int{{4, 5}}, forbidden{{0, 2}}, Options{Cuts: []Cut{cut}})
	checkUniform(t, "an affine cut of a part", s)
}

// A sample has different partitions, all when there are no more, and is the
// same for the same seed.
func TestSampleIsDistinct(t *testing.T) {
	s := synthetic(t, 4, [][2]int{{0, 1}}, forbidden{}, Options{})
	all := collect(t, s.All())
	for _, n := range []int{0, 1, len(all) / 3, len(all) - 1, len(all), 2 * len(all)} {
		list, exact, err := s.Sample(rand.New(rand.NewPCG(1, 1)), n)
		again, _, _ := s.Sample(rand.New(rand.NewPCG(1, 1)), n)
		if err != nil || !exact || len(list) != min(n, len(all)) || !samePartitions(list, again) {
			t.Errorf("%d of %d: %d partitions, %v, %v; again %v", n, len(all), len(list), exact, err, again)
		}
		slices.SortFunc(list, Partition.Compare)
		if len(slices.CompactFunc(list, slices.Equal[Partition])) != min(n, len(all)) {
			t.Errorf("%d of %d: some come twice", n, len(all))
		}
	}
}

func TestSampleRefusesSizes(t *testing.T) {
	s := synthetic(t, 4, nil, forbidden{}, Options{})
	for _, n := range []int{-1, MostSampled + 1, math.MaxInt} {
		if list, _, err := s.Sample(rand.New(rand.NewPCG(1, 1)), n); err == nil {
			t.Errorf("a sample of %d is drawn: %d partitions", n, len(list))
		}
	}
}

// The first class of 60 independent statements has k of them with probability
// C(60, k)·T(60 - k)/T(60) for the ordered Bell numbers T.
func TestSampleOfManyIndependentStatements(t *testing.T) {
	s := synthetic(t, 60, nil, forbidden{}, Options{})
	const draws = 400
	list, exact, err := s.Sample(rand.New(rand.NewPCG(2, 2)), draws)
	if err != nil || !exact || len(list) != draws {
		t.Fatalf("%d partitions, %v, %v", len(list), exact, err)
	}
	alone := 0
	for _, p := range list {
		if ok, reason := s.Contains(p); !ok {
			t.Fatal(reason)
		}
		if len(p.Classes()[0]) == 1 {
			alone++
		}
	}
	ratio, _ := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(60), Total(59)), Total(60)).Float64()
	if deviation := math.Sqrt(draws * ratio * (1 - ratio)); math.Abs(float64(alone)-draws*ratio) > 4*deviation {
		t.Errorf("%d of %d have one statement in the first class, expected %.1f ± %.1f", alone, draws, draws*ratio, deviation)
	}
}

// A space that cannot be counted is sampled by descents: the partitions are
// different and legal.
func TestSampleWithoutCounting(t *testing.T) {
	s := synthetic(t, 32, fan(30), forbidden{}, Options{})
	random := rand.New(rand.NewPCG(9, 9))
	list, exact, err := s.Sample(random, 5)
	if err != nil || exact || len(list) != 5 {
		t.Fatalf("%d partitions, %v, %v", len(list), exact, err)
	}
	for i, p := range list {
		if ok, reason := s.Contains(p); !ok {
			t.Error(reason)
		}
		if slices.ContainsFunc(list[:i], func(q Partition) bool { return q.Compare(p) == 0 }) {
			t.Errorf("%v comes twice", p)
		}
	}
}

// Descents may end without a partition where the look-ahead is given up, but
// find partitions with affine cuts in reasonable time.
func TestSampleWithCutsWithoutCounting(t *testing.T) {
	t.Parallel()
	cut := parseCut(t, Affine, "e_0_1 + e_2_3 + e_4_5 = 1 and e_0_1 = e_14_15 and e_5_6 + e_12_13 = 1", 16)
	s := synthetic(t, 16, nil, forbidden{}, Options{Cuts: []Cut{cut}})
	list, exact, err := s.Sample(rand.New(rand.NewPCG(9, 9)), 2)
	if err != nil || exact || len(list) == 0 {
		t.Fatalf("%d partitions, %v, %v", len(list), exact, err)
	}
	for _, p := range list {
		if ok, reason := s.Contains(p); !ok {
			t.Error(reason)
		}
	}
}

// The mean of descents is the number of partitions, within its error.
func TestEstimate(t *testing.T) {
	for _, n := range []int{5, 9} {
		s := synthetic(t, n, [][2]int{{0, 2}, {3, 1}}, forbidden{{0, 1}, {2, 3, 4}}, Options{})
		count, ok, err := s.Count(DefaultBudget)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		estimate, err := s.Estimate(rand.New(rand.NewPCG(1, 3)), 2000)
		if err != nil {
			t.Fatal(err)
		}
		off := new(big.Float).Sub(estimate.Count, new(big.Float).SetInt(count))
		deviations, _ := off.Quo(off, estimate.StandardError).Float64()
		relative, _ := new(big.Float).Quo(estimate.StandardError, estimate.Count).Float64()
		if math.Abs(deviations) > 4 || relative > 0.2 {
			t.Errorf("estimated %.6g ± %.2g, counted %v", estimate.Count, estimate.StandardError, count)
		}
	}
}
