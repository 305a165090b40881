package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withFused is the recipe with a statement that runs earlier or later along a loop that it shares
// with others, and two parts of a node in loops that they share, as chance chooses them and where
// that is legal; and perhaps register blocks in these.
func withFused(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	structure, rest := divided(recipe)
	changed := proposed(g, structure, random, "shift", "fuse")
	if len(changed) == len(structure) {
		return recipe
	}
	for _, marks := range []schedule.Recipe{rest, nil} {
		with := slices.Concat(changed, marks)
		if !isLegal(g, with) {
			continue
		}
		if random.IntN(2) == 0 {
			return withRegisters(g, with, random)
		}
		return with
	}
	return recipe
}

// divided are the commands of a recipe up to the last one that makes loops over points or parts,
// and those behind it.
func divided(recipe schedule.Recipe) (structure, rest schedule.Recipe) {
	for k, c := range slices.Backward(recipe) {
		switch c.(type) {
		case command.Classes, command.Band, command.Split, command.Blocks, command.Phases:
			return recipe[: k+1 : k+1], recipe[k+1:]
		}
	}
	return recipe, nil
}
