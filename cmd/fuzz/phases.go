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
// Some loops of the phases run on threads where they may.
func withPhases(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		switch c.(type) {
		case command.Reassociate, command.Expand, command.Cut, command.Classes, command.Band, command.Split:
			return false
		}
		return true
	})
	bands := slices.DeleteFunc(slices.Clone(bare), func(c schedule.Command) bool {
		b, is := c.(command.Band)
		return !is || !b.Permutable || len(b.Rows) < 2
	})
	tree, err := bare.Replay(g.Model.Program)
	if len(bands) == 0 || err != nil {
		return recipe
	}
	band := bands[random.IntN(len(bands))].(command.Band)
	node, err := tree.Node(band.Node)
	if err != nil {
		return recipe
	}
	tile := command.Tile{}
	size := 2 + random.Int64N(3)
	for _, l := range node.Loops[len(node.Loops)-len(band.Rows):] {
		tile.Loops, tile.Sizes = append(tile.Loops, l.Name), append(tile.Sizes, size)
	}
	with := append(bare, tile)
	for range random.IntN(len(tile.Loops)) {
		with = append(with, command.Sink{Loop: tile.Loops[random.IntN(len(tile.Loops))] + "t"})
	}
	outer := -1
	if tree, err = with.Replay(g.Model.Program); err == nil {
		node, _ = tree.Node(band.Node)
		outer = slices.IndexFunc(node.Loops, func(l *schedule.Loop) bool { return l.Level > 0 })
	}
	if outer < 0 {
		return recipe
	}
	phases := command.Phases{Loop: node.Loops[outer].Name}
	with = append(with, phases)
	if _, _, err := with.Prove(g); err != nil {
		return recipe
	}
	for number := range 1 << (len(tile.Loops) - 1) {
		loop := phases.In(number, node.Loops[outer+1+random.IntN(len(tile.Loops)-1)].Name)
		parallel := append(slices.Clip(with), command.Parallel{Loop: loop})
		if _, _, err := parallel.Prove(g); err == nil {
			with = parallel
		}
	}
	return withPhaseBlocks(g, with, phases, tile.Loops, random)
}

// withPhaseBlocks is the recipe with register blocks in some phases, where that is legal.
func withPhaseBlocks(g *depend.Graph, recipe schedule.Recipe, phases command.Phases, loops []string, random *rand.Rand) schedule.Recipe {
	for number := range 1 << (len(loops) - 1) {
		blocks := command.Registers{Sizes: []int64{2, 2}, Lanes: 2 * random.Int64N(2), Apart: random.IntN(2) == 0}
		for _, k := range random.Perm(len(loops))[:2] {
			blocks.Loops = append(blocks.Loops, phases.In(number, loops[k]))
		}
		with := append(slices.Clip(recipe), blocks)
		if _, _, err := with.Prove(g); err == nil {
			recipe = withPacks(g, with, blocks, random)
		}
	}
	return recipe
}
