package codegen

import (
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// syntax is the syntax tree of a schedule: of all of it, or of its loops over
// tiles. In stages, points are the loops over the points of a tile.
type syntax struct {
	tree  *isl.AstNode
	marks []*placedMark
	// table has what the marks say.
	table  *mark.Table
	points *syntax
	// signs are parameters, by index, that must not be negative for the trees
	// to run all instances.
	signs []int
}

// syntaxOf has isl make the syntax tree, in stages where the program's schedule
// tree is better made so.
func syntaxOf(model *scop.Model, whole mark.Schedule, tree *schedule.Tree, marks []*placedMark, variables []string) *syntax {
	var stages *schedule.Stages
	if tree != nil {
		stages = tree.Stages(model, variables)
	}
	if stages == nil {
		return &syntax{tree: isl.NewAstBuild(model.Parameters).SetIterators(variables).NodeFromSchedule(whole.Tree), marks: marks, table: whole.Marks}
	}
	build := isl.NewAstBuild(stages.Context)
	tiles, points := &syntax{signs: stages.Signs, table: stages.Tiles.Marks}, &syntax{table: stages.Points.Marks}
	points.marks, _ = marksBelow(stages.Points.Tree.Root(), stages.Depth)
	points.tree = build.SetIterators(variables[stages.Depth:]).NodeFromSchedule(stages.Points.Tree)
	tiles.marks, _ = marksBelow(stages.Tiles.Tree.Root(), 0)
	tiles.tree = build.SetIterators(variables).NodeFromSchedule(stages.Tiles.Tree)
	tiles.points = points
	return tiles
}

// HasStages says whether the code of a schedule tree is made in two stages.
func HasStages(model *scop.Model, tree *schedule.Tree) bool {
	_, deepest := marksBelow(tree.Schedule(model).Tree.Root(), 0)
	return tree.Stages(model, freshNames("c", deepest, nil)) != nil
}
