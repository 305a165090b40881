package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// withStreams is the recipe with stores past the caches in some of the vector loops, where that
// is legal: chance chooses loops and vectors.
func withStreams(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	for _, command := range recipe {
		vector, is := command.(schedule.Vectorize)
		if !is || random.IntN(3) == 0 {
			continue
		}
		with := append(slices.Clip(recipe), schedule.Stream{Loop: vector.Loop, Lanes: 2 << random.IntN(4)})
		if _, err := with.Replay(g.Model.Program); err != nil {
			continue
		}
		if _, _, err := with.Prove(g); err == nil {
			recipe = with
		}
	}
	return recipe
}
