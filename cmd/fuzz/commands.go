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

// attempts is how often a command proposes something until it is in the recipe.
const attempts = 4

// elsewhere are commands that have statements computed where they are read, with others around, of
// which one list is tried behind the program as it is written.
var elsewhere = [][]string{nil, {"inline", "inline"}, {"compute"}, {"tile", "compute", "parallel"}, {"compute", "compute", "inline", "vectorize"}, {"tile", "tile", "compute", "compute", "unroll"}}

// withCommands is, one time of three, the recipe with further commands that chance chooses, as far
// as they can be applied and the result is legal; at times it is the program as it is written with
// such commands.
func withCommands(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	switch random.IntN(4) {
	case 0:
		recipe = append(command.Beginning(g.Model.Program), command.Original{})
		recipe = proposed(g, recipe, random, elsewhere[random.IntN(len(elsewhere))]...)
	case 1:
	default:
		return recipe
	}
	for range triedCommands {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return recipe
		}
		recipe = tried(g, recipe, ofProcessors(command.All.Random(random, tree)))
	}
	return recipe
}

// ofProcessors are commands without those of devices and of several ranks.
func ofProcessors(commands []schedule.Command) []schedule.Command {
	return slices.DeleteFunc(commands, func(c schedule.Command) bool {
		return command.All[schedule.Name(c)].On == schedule.OnRanks || slices.Contains(deviceCommands, schedule.Name(c)) && schedule.Name(c) != schedule.Name(command.Unroll{})
	})
}

// proposed is the recipe with what commands of some words propose, in the order of the words, as
// far as that is legal.
func proposed(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand, words ...string) schedule.Recipe {
	for _, word := range words {
		for range attempts {
			tree, err := recipe.Replay(g.Model.Program)
			if err != nil {
				return recipe
			}
			before := len(recipe)
			recipe = tried(g, recipe, command.All[word].Random(random, tree))
			if slices.ContainsFunc(recipe[before:], func(c schedule.Command) bool { return schedule.Name(c) == word }) {
				break
			}
		}
	}
	return recipe
}

// tried is the recipe with those of some commands that can be applied and are legal, one after the
// other.
func tried(g *depend.Graph, recipe schedule.Recipe, commands []schedule.Command) schedule.Recipe {
	for _, c := range commands {
		if with := append(slices.Clip(recipe), c); isLegal(g, with) {
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
