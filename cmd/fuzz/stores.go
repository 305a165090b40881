package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withStreams is the recipe with stores past the caches in the innermost loops of some single statements,
// as vector loops of one thread, where that is legal: chance chooses loops and vectors.
func withStreams(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	for nodes := tree.Classes; len(nodes) > 0; nodes = append(slices.Clip(nodes[1:]), nodes[0].Parts...) {
		n := nodes[0]
		if len(n.Statements) != 1 || len(n.Loops) == 0 || random.IntN(4) == 0 {
			continue
		}
		bytes, ok := command.Streamable(g.Model.Program, n.Statements[0])
		if !ok {
			continue
		}
		innermost := n.Loops[len(n.Loops)-1]
		with := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { return sharesOut(c, innermost.Name) })
		if !innermost.IsVector() {
			with = append(with, command.Vectorize{Loop: innermost.Name})
		}
		with = append(with, command.Stream{Loop: innermost.Name, Lanes: (16 << random.IntN(3)) / bytes})
		if _, _, err := with.Prove(g); err == nil {
			recipe = with
		}
	}
	return recipe
}

// sharesOut says whether a command has threads share the iterations of the loop.
func sharesOut(c schedule.Command, loop string) bool {
	switch c := c.(type) {
	case command.Parallel:
		return c.Loop == loop
	case command.Threads:
		return c.Loop == loop
	}
	return false
}
