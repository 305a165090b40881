package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withStreams is the recipe with stores past the caches in the innermost loops of some single
// statements, as vector loops of one thread, where that is legal: chance chooses loops and vectors.
func withStreams(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	for range attempts {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return recipe
		}
		commands := command.All["stream"].Random(random, tree)
		if len(commands) == 0 {
			return recipe
		}
		stream := commands[len(commands)-1].(command.Stream)
		with := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { return sharesOut(c, stream.Loop) })
		if with = tried(g, with, commands); slices.Contains(with, schedule.Command(stream)) {
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
