package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withRegisters is the recipe with register blocks of loops that chance chooses in
// one of its bands, where that is legal, and else the recipe itself: the models make them of few
// programs only. What marks the band's point loops is left out for it.
func withRegisters(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	bands := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { _, is := c.(command.Band); return !is })
	if len(bands) == 0 {
		return recipe
	}
	band := bands[random.IntN(len(bands))].(command.Band)
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return recipe
	}
	node, err := tree.Node(band.Node)
	if err != nil {
		return recipe
	}
	var points []string
	for _, l := range node.Loops {
		if l.Level == 0 && l.Permutable {
			points = append(points, l.Name)
		}
	}
	if len(points) == 0 {
		return recipe
	}
	random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	blocks := command.Registers{Loops: points[:1+random.IntN(min(2, len(points)))]}
	blocks.Apart, blocks.Ahead = random.IntN(2) == 0, random.IntN(2) == 0
	for range blocks.Loops {
		blocks.Sizes = append(blocks.Sizes, 2*(1+random.Int64N(2)))
	}
	recipe = withSkew(g, recipe, band, points, random)
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool { return marksOneOf(c, points) })
	for _, kind := range []struct {
		lanes int64
		apart bool
	}{{4, false}, {2, blocks.Apart}, {2, false}, {0, false}} {
		if kind.lanes > blocks.Sizes[len(blocks.Sizes)-1] {
			continue
		}
		blocks.Lanes, blocks.Apart = kind.lanes, kind.apart
		with := append(slices.Clip(bare), blocks)
		_, _, err := with.Prove(g)
		switch violation := (*depend.Violation)(nil); {
		case err == nil:
			return withPacks(g, with, blocks, random)
		case !errors.As(err, &violation) && !strings.Contains(err.Error(), "recipe line"):
			return recipe
		}
	}
	return recipe
}

// withPacks is the recipe with copies of what some statements of register blocks read, at loops
// that chance chooses, where that is legal. Loops are tiled for it as the recipe has it.
func withPacks(g *depend.Graph, recipe schedule.Recipe, blocks command.Registers, random *rand.Rand) schedule.Recipe {
	program := g.Model.Program
	tree, err := recipe.Replay(program)
	if err != nil {
		return recipe
	}
	name, _, _ := strings.Cut(blocks.Loops[0], ".")
	node, err := tree.Node(name)
	if err != nil {
		return recipe
	}
	for _, s := range node.Statements {
		statement := &program.Statements[s]
		if program.Assignment(statement) == nil {
			continue
		}
		for k, access := range statement.Accesses {
			if access.Write || random.IntN(3) == 0 {
				continue
			}
			pack := command.Pack{Statement: s, Reference: k, Loop: node.Loops[random.IntN(len(node.Loops))].Name, Around: random.IntN(3) == 0}
			with := append(slices.Clip(recipe), pack)
			if _, _, err := with.Prove(g); err == nil {
				recipe = with
			}
		}
	}
	return recipe
}

// withSkew is the recipe with one of a band's loops over points skewed along another,
// where chance wants that and it is legal, and else the recipe itself.
func withSkew(g *depend.Graph, recipe schedule.Recipe, band command.Band, points []string, random *rand.Rand) schedule.Recipe {
	if len(points) < 2 || random.IntN(2) == 0 {
		return recipe
	}
	at := slices.IndexFunc(recipe, func(c schedule.Command) bool { b, is := c.(command.Band); return is && b.Node == band.Node })
	skew := command.Skew{Loop: points[0], Factor: 1 + random.Int64N(2), Along: points[1]}
	with := slices.Insert(slices.Clone(recipe), at+1, schedule.Command(skew))
	if _, _, err := with.Prove(g); err != nil {
		return recipe
	}
	return with
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
