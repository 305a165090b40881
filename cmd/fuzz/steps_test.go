package main

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop/depend"
)

// Programs about values in steps have the instances and dependences that they have when they are
// executed; the long test has more of them.
func TestSteps(t *testing.T) {
	t.Parallel()
	count, compared := uint64(6), 0
	if kerneltest.Long() {
		count = 60
	}
	for seed := range count {
		p := randomprogram.WithSteps(seed)
		s, err := newSubject(p)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p.Source(randomprogram.NewLayout(p, runSizes)))
			continue
		}
		err = s.within(func(g *depend.Graph) error { return s.compareDependences(g) })
		switch {
		case isl.IsLimit(err):
		case err != nil:
			t.Errorf("seed %d: %v\n%s", seed, err, s.source)
		default:
			compared++
		}
	}
	if uint64(compared) < count*2/3 {
		t.Errorf("only %d programs are compared", compared)
	}
}
