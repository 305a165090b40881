package space

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLongChain(t *testing.T) {
	s := synthetic(t, 40, chain(40), forbidden{}, Options{})
	if count, ok, err := s.Count(1 << 20); err != nil || !ok || count.Int64() != 1<<39 {
		t.Errorf("counted %v, %v, %v; want 2^39", count, ok, err)
	}
	checkWork(t, s, 1000)
}

func TestManyIndependentStatements(t *testing.T) {
	s := synthetic(t, 60, nil, forbidden{}, Options{})
	checkWork(t, s, 5000)
	if count, ok, err := s.Count(DefaultBudget); err != nil || !ok || count.Cmp(Total(60)) != 0 {
		t.Errorf("counted %v, %v, %v; want %v", count, ok, err, Total(60))
	}
}

// A source with many users has as many first classes as its users have
// subsets, but which of them join does not matter to the others: each is in the
// source's class or in a later one, in 2·T(30) ways for the ordered Bell
// numbers T.
func TestSourceWithManyUsers(t *testing.T) {
	s := synthetic(t, 31, star(30), forbidden{}, Options{})
	want := new(big.Int).Lsh(Total(30), 1)
	if count, ok, err := s.Count(10_000); err != nil || !ok || count.Cmp(want) != 0 {
		t.Errorf("counted %v, %v, %v; want %v", count, ok, err, want)
	}
}

// With some users that cannot be fused with the source or with each other, the
// count is that of the smaller sets that fuse.
func TestSourceWithUsersThatDoNotFuse(t *testing.T) {
	// S1 cannot be fused with the source, S2 not with S3; the 20 others can
	// be with all: of S2 and S3 none, the one or the other is in the first
	// class, with any of the 20.
	s := synthetic(t, 24, star(23), forbidden{{0, 1}, {2, 3}}, Options{})
	want := new(big.Int)
	for joined := range 21 {
		ways := new(big.Int).Binomial(20, int64(joined))
		rest := apartFrom(21-joined, 1)
		rest.Add(rest.Lsh(rest, 1), apartFrom(21-joined, 2))
		want.Add(want, ways.Mul(ways, rest))
	}
	if count, ok, err := s.Count(DefaultBudget); err != nil || !ok || count.Cmp(want) != 0 {
		t.Errorf("counted %v, %v, %v; want %v", count, ok, err, want)
	}
}

// apartFrom is the number of partitions of free statements and one (1) or two
// (2) others, of which two are not in one class.
func apartFrom(free, others int) *big.Int {
	count := Total(free + others)
	if others == 2 {
		count.Sub(count, Total(free+1))
	}
	return count
}

// On larger random graphs, with sets of two to five statements that do not
// fuse, the count is that of the listing, and what is drawn is in the space.
func TestCountOfLargerGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	compared := 0
	for range 60 {
		const n = 14
		var edges [][2]int
		density := 0.6 + 0.4*random.Float64()
		for i := range n {
			for j := i + 1; j < n; j++ {
				if random.Float64() < density {
					edges = append(edges, [2]int{i, j})
				}
			}
		}
		var infusible forbidden
		for range random.IntN(4) {
			infusible = append(infusible, slices.Sorted(slices.Values(random.Perm(n)[:2+random.IntN(4)])))
		}
		s := synthetic(t, n, edges, infusible, Options{})
		count, ok, err := s.Count(DefaultBudget)
		if err != nil || !ok {
			t.Fatalf("edges %v, infusible %v: not counted: %v", edges, infusible, err)
		}
		if count.Cmp(big.NewInt(20_000)) > 0 {
			continue
		}
		compared++
		if list := collect(t, s.All()); count.Int64() != int64(len(list)) {
			t.Errorf("edges %v, infusible %v: counted %v, listed %d", edges, infusible, count, len(list))
		}
		drawn, _, err := s.Sample(random, 20)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range drawn {
			if ok, reason := s.Contains(p); !ok {
				t.Error(reason)
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d spaces are too few to tell", compared)
	}
}

func TestCountGivesUp(t *testing.T) {
	s := synthetic(t, 32, fan(30), forbidden{}, Options{})
	if _, ok, err := s.Count(1000); ok || err != nil {
		t.Errorf("counting beyond the budget: %v, %v", ok, err)
	}
}
