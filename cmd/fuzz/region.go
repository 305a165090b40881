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
	bands := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { _, is := c.(command.Band); return !is })
	if len(bands) == 0 {
		return recipe
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	node, err := tree.Node(bands[random.IntN(len(bands))].(command.Band).Node)
	if err != nil || len(node.Loops) < 2 {
		return recipe
	}
	inner := 1 + random.IntN(len(node.Loops)-1)
	outer := random.IntN(inner)
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		switch c.(type) {
		case command.Parallel, command.Threads, command.Vectorize, command.Region:
			return true
		}
		return false
	})
	with := append(bare, command.Parallel{Loop: node.Loops[inner].Name}, command.Region{Outer: node.Loops[outer].Name, Loop: node.Loops[inner].Name})
	if _, _, err := with.Prove(g); err != nil {
		return recipe
	}
	return with
}
