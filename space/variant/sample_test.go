package variant

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Points of spaces that can be counted are drawn uniformly, whatever their
// partition, and those of spaces with few points are all drawn.
func TestSamplePoints(t *testing.T) {
	plain, err := NewModels(lopsided(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, models := range map[string]*Models{"without families": plain, "with a family": sized(t, new(int))} {
		s := NewSpace(kernelSpace(t, "sc10/2mm"), models)
		random := rand.New(rand.NewPCG(5, 0))
		counts := map[string]int{}
		for _, p := range collect(t, s.All()) {
			counts[mustText(t, s, p)] = 0
		}
		all := len(counts)
		const each, draw = 20, 60
		for range each * all / draw {
			for _, p := range mustSample(t, s, random, draw) {
				counts[mustText(t, s, p)]++
			}
		}
		if len(counts) != all {
			t.Errorf("%s: points were drawn that are not listed", name)
		}
		checkUniform(t, name, slices.Collect(maps.Values(counts)), float64(each*all/draw*draw)/float64(all))
		if list := mustSample(t, s, random, all+5); len(list) != all {
			t.Errorf("%s: %d points were drawn; there are %d", name, len(list), all)
		}
	}
}

// mustSample draws points exactly, and makes sure that they are different.
func mustSample(t *testing.T, s *Space, random *rand.Rand, n int) []Point {
	t.Helper()
	list, exact, err := s.Sample(random, n, budget)
	if err != nil || !exact {
		t.Fatalf("%d points, exact: %v, %v", n, exact, err)
	}
	seen := map[string]bool{}
	for _, p := range list {
		if text := mustText(t, s, p); seen[text] {
			t.Errorf("%s was drawn twice at once", text)
		} else {
			seen[text] = true
		}
	}
	return list
}

// With more partitions than the budget, points are drawn from a pool. Each
// partition gets about its share of the points, not an equal one.
func TestSampleFromPool(t *testing.T) {
	s := NewSpace(kernelSpace(t, "sc10/3mm"), sized(t, new(int)))
	random := rand.New(rand.NewPCG(6, 0))
	const n = 400
	list, exact, err := s.Sample(random, n, 300)
	if err != nil || exact || len(list) != n {
		t.Fatalf("%d points, exact: %v, %v", len(list), exact, err)
	}
	points, partitions, drawn := 0.0, 0, 0
	most := 0
	for p, err := range kernelSpace(t, "sc10/3mm").All() {
		if err != nil {
			t.Fatal(err)
		}
		points += float64(settingsOf(p))
		most = max(most, p.Count())
	}
	share := 0.0
	for p := range kernelSpace(t, "sc10/3mm").All() {
		if p.Count() == most {
			share += float64(settingsOf(p)) / points
			partitions++
		}
	}
	for _, p := range list {
		if p.Partition.Count() == most {
			drawn++
		}
	}
	deviation := math.Sqrt(n * share * (1 - share))
	if math.Abs(float64(drawn)-n*share) > 5*deviation || share < 1.5*float64(partitions)/352 {
		t.Errorf("%d of %d points have one of the %d partitions with %d classes; they have %.3f of all points", drawn, n, partitions, most, share)
	}
}

func TestSampleCannotCount(t *testing.T) {
	models, err := NewModels(registers(t))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSpace(kernelSpace(t, "sc10/2mm"), models)
	_, _, err = s.Sample(rand.New(rand.NewPCG(6, 0)), 3, 10)
	if err == nil || !strings.Contains(err.Error(), "its settings cannot be counted within the budget of 10 steps") {
		t.Error(err)
	}
}

func BenchmarkSamplePoints(b *testing.B) {
	models, err := NewModels(registers(b))
	if err != nil {
		b.Fatal(err)
	}
	s := NewSpace(kernelSpace(b, "polybench/correlation"), models)
	random := rand.New(rand.NewPCG(1, 0))
	for b.Loop() {
		if _, exact, err := s.Sample(random, 100, budget); err != nil || !exact {
			b.Fatal(exact, err)
		}
	}
}
