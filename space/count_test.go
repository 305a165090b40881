package space

import "testing"

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
// subsets.
func TestCountGivesUp(t *testing.T) {
	s := synthetic(t, 31, star(30), forbidden{}, Options{})
	if _, ok, err := s.Count(1000); ok || err != nil {
		t.Errorf("counting beyond the budget: %v, %v", ok, err)
	}
}
