package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withRegion is the recipe with threads that start at a loop around a parallel one,
// two loops that chance chooses, where that is legal, and else the recipe itself.
func withRegion(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		switch c.(type) {
		case command.Parallel, command.Threads, command.Vectorize, command.Region:
			return true
		}
		return false
	})
	if with := proposed(g, bare, random, "region"); has[command.Region](with) {
		return with
	}
	return recipe
}
