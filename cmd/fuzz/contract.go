package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// withContracts is the recipe with expanded arrays contracted at loops that chance
// chooses, where that is legal, and else the recipe itself.
func withContracts(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	var loops []string
	for nodes := tree.Classes; len(nodes) > 0; nodes = append(slices.Clip(nodes[1:]), nodes[0].Parts...) {
		for _, l := range nodes[0].Loops {
			loops = append(loops, l.Name)
		}
	}
	for _, e := range g.Model.Program.Expansions {
		random.Shuffle(len(loops), func(i, j int) { loops[i], loops[j] = loops[j], loops[i] })
		for _, loop := range loops {
			with := append(slices.Clip(recipe), schedule.Contract{Array: e.Name, Loop: loop})
			if _, err := with.Replay(g.Model.Program); err != nil {
				continue
			}
			if _, _, err := with.Prove(g); err == nil {
				recipe = with
				break
			}
		}
	}
	return recipe
}
