package transform

import (
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// withGhosts is the recipe in which ranks tell each other values after so many iterations of the
// innermost loop around all that they share, and compute those of others between again; nil where
// there is no such loop, where that is not legal, and where isl needs too long.
func withGhosts(g *depend.Graph, recipe schedule.Recipe, steps int) schedule.Recipe {
	if steps < 2 {
		return nil
	}
	around := aroundShared(g, recipe)
	if around == "" {
		return nil
	}
	tiled := append(slices.Clip(recipe), command.Tile{Loops: []string{around}, Sizes: []int64{int64(steps)}}, command.Ghost{Loop: around + "t"})
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	isLegal := false
	exceeded := g.Model.Context.Within(facts.RankOperations, func() {
		_, err := rankPlan(g, tiled)
		isLegal = err == nil
	})
	if exceeded || !isLegal {
		return nil
	}
	return tiled
}

// aroundShared is the innermost loop around all those that ranks share, "" for none.
func aroundShared(g *depend.Graph, recipe schedule.Recipe) string {
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return ""
	}
	var common []*schedule.Loop
	isFirst := true
	for _, c := range recipe {
		shared, _ := c.(command.Ranks)
		for _, name := range shared.Loops {
			n, place, err := tree.Loop(name)
			if err != nil {
				return ""
			}
			outside := append(tree.Outside(n), n.Loops[:place]...)
			if isFirst {
				common, isFirst = outside, false
			}
			common = slices.DeleteFunc(slices.Clone(common), func(l *schedule.Loop) bool { return !slices.Contains(outside, l) })
		}
	}
	if len(common) == 0 {
		return ""
	}
	return common[len(common)-1].Name
}
