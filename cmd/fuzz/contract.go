package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withContracts is the recipe with expanded arrays contracted at loops that chance
// chooses, where that is legal, and else the recipe itself.
func withContracts(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	for _, e := range g.Model.Program.Expansions {
		recipe = atSomeLoop(g, recipe, random, func(loop string) schedule.Command { return command.Contract{Array: e.Name, Loop: loop} })
	}
	return recipe
}

// withCopies is the recipe with a loop in tiles and with elements of arrays copied in each iteration of loops that chance chooses, where that is legal.
func withCopies(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	recipe = atSomeLoop(g, recipe, random, func(loop string) schedule.Command {
		return command.Tile{Loops: []string{loop}, Sizes: []int64{2 + random.Int64N(3)}}
	})
	for _, a := range g.Model.Program.Arrays {
		recipe = atSomeLoop(g, recipe, random, func(loop string) schedule.Command { return command.Copy{Array: a.Name, Loop: loop} })
	}
	return recipe
}

// withLayouts is a recipe whose classes, of one statement each, run column by column in tiles, with all copies of an array's elements side by side for as long as
// a loop runs, where that is legal, and else the given one.
func withLayouts(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	var classes, bands strings.Builder
	for k, s := range g.Model.Program.Statements {
		innermostFirst := slices.Clone(g.Model.Program.IteratorNames(k))
		slices.Reverse(innermostFirst)
		fmt.Fprintf(&classes, " {%s}", s.Name)
		fmt.Fprintf(&bands, "band c%d permutable %s -> [%s]\ntile c%[1]d.1 by %[4]d\n", k, g.Model.Program.InstanceText(k), strings.Join(innermostFirst, ", "), 2+random.IntN(3))
	}
	columns, err := command.Parse(g.Model.Program, "classes"+classes.String()+"\n"+bands.String())
	if err != nil {
		return recipe
	}
	if _, _, err := columns.Prove(g); err != nil {
		return recipe
	}
	for _, a := range g.Model.Program.Arrays {
		columns = atSomeLoop(g, columns, random, func(loop string) schedule.Command { return command.Copy{Array: a.Name, Loop: loop} })
		columns = atSomeLoop(g, columns, random, func(loop string) schedule.Command { return command.Layout{Array: a.Name, Loop: loop} })
	}
	return columns
}

// atSomeLoop is the recipe with a command for the first loop for which it is legal, in an order that chance chooses, and without it where
// there is none.
func atSomeLoop(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand, of func(loop string) schedule.Command) schedule.Recipe {
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	var loops []string
	for nodes := tree.Classes; len(nodes) > 0; nodes = append(slices.Clip(nodes[1:]), nodes[0].Parts...) {
		for _, l := range nodes[0].Loops {
			loops = append(loops, l.Name)
		}
	}
	random.Shuffle(len(loops), func(i, j int) { loops[i], loops[j] = loops[j], loops[i] })
	for _, loop := range loops {
		with := append(slices.Clip(recipe), of(loop))
		if _, err := with.Replay(g.Model.Program); err != nil {
			continue
		}
		if _, _, err := with.Prove(g); err == nil {
			return with
		}
	}
	return recipe
}
