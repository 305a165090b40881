package main

import (
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withRegisters is the recipe with register blocks of loops that chance chooses in one of its
// bands, where that is legal, and else the recipe itself: the models make them of few programs
// only. What marks the band's point loops is left out for it. Some of what the blocks read is
// packed.
func withRegisters(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	recipe = withSkew(g, recipe, random)
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	commands := command.All["registers"].Random(random, tree)
	if len(commands) == 0 {
		return recipe
	}
	node, _, err := tree.Loop(commands[0].(command.Registers).Loops[0])
	if err != nil {
		return recipe
	}
	var points []string
	for _, l := range node.Loops {
		if l.Level == 0 {
			points = append(points, l.Name)
		}
	}
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { return marksOneOf(c, points) })
	if with := tried(g, bare, commands); has[command.Registers](with) {
		return proposed(g, with, random, "pack", "pack", "pack")
	}
	return recipe
}

// withSkew is the recipe with one of a band's loops over points skewed along another,
// where chance wants that and it is legal, and else the recipe itself.
func withSkew(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	if random.IntN(2) == 0 {
		return recipe
	}
	structure, rest := divided(recipe)
	if with := slices.Concat(proposed(g, structure, random, "skew"), rest); isLegal(g, with) {
		return with
	}
	return recipe
}

// marksOneOf says whether a command makes one of the point loops parallel or a
// vector loop, or separates their tiles.
func marksOneOf(c schedule.Command, points []string) bool {
	isPoint := func(loop string) bool { return slices.Contains(points, strings.TrimRight(loop, "r")) }
	switch c := c.(type) {
	case command.Vectorize:
		return isPoint(c.Loop)
	case command.Parallel:
		return isPoint(c.Loop)
	case command.Threads:
		return isPoint(c.Loop)
	case command.Region:
		return isPoint(c.Loop)
	case command.Registers, command.Pack:
		return true
	case command.Separate:
		return slices.Contains(points, strings.TrimRight(c.Loop, "t"))
	}
	return false
}
