package main

import (
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withFused is the recipe with a statement that runs earlier or later along a loop that it shares with others, and two parts of a node in loops
// that they share, as chance chooses them and where that is legal; and perhaps register blocks in these.
func withFused(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	var shared []*schedule.Node
	var gather func([]*schedule.Node)
	gather = func(nodes []*schedule.Node) {
		for _, n := range nodes {
			if len(n.Statements) > 1 && len(n.Loops) > 0 {
				shared = append(shared, n)
			}
			gather(n.Parts)
		}
	}
	gather(tree.Classes)
	if len(shared) == 0 {
		return recipe
	}
	node := shared[random.IntN(len(shared))]
	late := node.Statements[random.IntN(len(node.Statements))]
	shift := command.Shift{Loop: node.Loops[random.IntN(len(node.Loops))].Name, Statements: []int{late}, By: 1 + random.Int64N(3)}
	if random.IntN(3) == 0 {
		shift.By = -shift.By
	}
	candidates := []schedule.Recipe{{shift}}
	if parts := node.Parts; len(parts) > 1 {
		a, b := random.IntN(len(parts)), random.IntN(len(parts)-1)
		if b >= a {
			b++
		}
		fuse := command.Fuse{Nodes: []string{parts[a].Name, parts[b].Name}}
		candidates = slices.Insert(candidates, 0, schedule.Recipe{shift, fuse}, schedule.Recipe{fuse})
	}
	structure, rest := divided(recipe)
	for _, commands := range candidates {
		for _, marks := range []schedule.Recipe{rest, nil} {
			with := slices.Concat(structure, commands, marks)
			if _, _, err := with.Prove(g); err != nil {
				continue
			}
			if random.IntN(2) == 0 {
				return withRegisters(g, with, random)
			}
			return with
		}
	}
	return recipe
}

// divided are the commands of a recipe up to the last one that makes loops over points or parts, and those behind it.
func divided(recipe schedule.Recipe) (structure, rest schedule.Recipe) {
	for k, c := range slices.Backward(recipe) {
		switch c.(type) {
		case command.Classes, command.Band, command.Split, command.Blocks, command.Phases:
			return recipe[: k+1 : k+1], recipe[k+1:]
		}
	}
	return recipe, nil
}
