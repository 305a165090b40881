package main

import (
	"testing"

	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop/depend"
)

// Programs about values in steps have the instances and dependences that they have when they are executed.
func TestSteps(t *testing.T) {
	t.Parallel()
	compared := 0
	for seed := range uint64(60) {
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
	if compared < 40 {
		t.Errorf("only %d programs are compared", compared)
	}
}
