package main

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
)

// Random recipes that leave something open are refused, or filled with what makes the same as the
// original; what they say is in the filled recipe.
func TestOpenRecipes(t *testing.T) {
	t.Parallel()
	seeds, limit := []uint64{107, 113}, 4
	if kerneltest.Long() {
		for seed := range uint64(40) {
			seeds = append(seeds, 112+seed)
		}
		limit = 12
	}
	var all report
	for _, seed := range seeds {
		p := randomprogram.Random(seed)
		r := reported(func(r *report) error {
			s, err := prepared(p, r)
			if err != nil {
				return err
			}
			sources, err := s.openVariants(draw(p.Seed, streamOpen), limit, r)
			if err != nil {
				return err
			}
			return s.compareResults(sources)
		})
		if r.Stage != stageNothing {
			t.Errorf("seed %d: %+v", p.Seed, r)
		}
		all.add(r.counts)
	}
	if all.Opened < 4 || all.Completed < 2 || all.Stored < 1 {
		t.Errorf("%d filled recipes, %d completed, %d with elements elsewhere: too few to tell anything", all.Opened, all.Completed, all.Stored)
	}
	t.Logf("%d filled recipes, %d completed, %d with elements elsewhere, %d too slow", all.Opened, all.Completed, all.Stored, all.Slow)
}
