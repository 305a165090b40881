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
	for range g.Model.Program.Expansions {
		recipe = proposed(g, recipe, random, "contract")
	}
	return recipe
}

// withCopies is the recipe with loops in tiles and with elements of arrays copied in each iteration
// of loops that chance chooses, where that is legal.
func withCopies(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	recipe = proposed(g, recipe, random, "tile")
	for range g.Model.Program.Arrays {
		recipe = proposed(g, recipe, random, "copy")
	}
	return recipe
}

// withLayouts is a recipe whose classes, of one statement each, run column by column in tiles, with
// all copies of an array's elements side by side for as long as a loop runs, where that is legal,
// and else the given one.
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
	for range g.Model.Program.Arrays {
		columns = proposed(g, columns, random, "copy", "layout")
	}
	return columns
}
