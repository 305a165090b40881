package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// triedCommands is how many commands are tried behind a recipe.
const triedCommands = 6

// withCommands is, one time of three, the recipe with further commands that chance chooses, as far as they can be applied and the result
// is legal.
func withCommands(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	if random.IntN(3) > 0 {
		return recipe
	}
	for range triedCommands {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return recipe
		}
		with := slices.Clip(recipe)
		for _, c := range command.All.Random(random, tree) {
			if c.Apply(tree) != nil {
				break
			}
			with = append(with, c)
		}
		if len(with) > len(recipe) && isLegal(g, with) {
			recipe = with
		}
	}
	return recipe
}

// isLegal says whether a recipe is proven.
func isLegal(g *depend.Graph, recipe schedule.Recipe) bool {
	_, _, err := recipe.Prove(g)
	return err == nil
}
