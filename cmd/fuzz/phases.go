package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withPhases is the recipe with square tiles of the loops of one of its bands, which chance
// chooses, in phases along one of them, where that is legal, and else the recipe itself.
// Some loops of the phases run on threads, or in register blocks, where they may.
func withPhases(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		switch c.(type) {
		case command.Reassociate, command.Expand, command.Cut, command.Classes, command.Band, command.Split:
			return false
		}
		return true
	})
	with := proposed(g, bare, random, "phases")
	if !has[command.Phases](with) {
		return recipe
	}
	return proposed(g, with, random, "parallel", "parallel", "registers", "pack", "registers", "pack")
}
