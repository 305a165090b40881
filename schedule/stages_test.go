package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/mark"
)

// stagedRecipes are what the models make of kernels: tiles with bounds that move with others',
// diamonds, parts that run alone, loops that sink and that are distributed.
var stagedRecipes = []struct{ kernel, recipe string }{
	{"polybench/jacobi-1d", skewed1 + "tile c0.1 c0.2 by 64 256\nwavefront c0.1t c0.2t\nseparate c0.2t\ndistribute c0.2\n"},
	{"polybench/jacobi-1d", skewed1 + "diamond c0.1 S0[t, i] -> [2t - i]; S1[t, i] -> [2t - i + 1]\ntile c0.1 c0.2 by 64 64\nwavefront c0.1t c0.2t\nseparate c0.2t\ndistribute c0.2\n"},
	{"polybench/jacobi-2d", skewed2 + "tile c0.1 c0.2 c0.3 by 16 16 2048\nwavefront c0.1t c0.2t\nseparate c0.3t\ndistribute c0.2 c0.3\n"},
	{"polybench/jacobi-2d", skewed2 + "diamond c0.1 S0[t, i, j] -> [2t - i]; S1[t, i, j] -> [2t - i + 1]\ntile c0.1 c0.2 c0.3 by 16 16 2048\nwavefront c0.1t c0.2t\nseparate c0.3t\ndistribute c0.2 c0.3\n"},
	{"polybench/seidel-2d", "classes {S0}\nband c0 permutable S0[t, i, j] -> [t, t + i, 2t + i + j]\nskew c0.3 by 1 c0.2\ntile c0.1 c0.2 c0.3 by 40 40 2048\nwavefront c0.1t c0.2t\nregisters c0.2 by 8\n"},
	{"polybench/gemm", "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 c0.3 by 64 128 64\nseparate c0.3t\nsink c0.2\n"},
	{"polybench/trmm", "classes {S0 S1}\nband c0 permutable S0[i, j, k] -> [j, i]; S1[i, j] -> [j, i]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j, k] -> [k]\ntile c0.1 c0.2 by 56 56\nsink c0.1\n"},
}

const (
	skewed1 = "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]\nsplit c0 {S0} {S1}\n"
	skewed2 = "classes {S0 S1}\nband c0 permutable S0[t, i, j] -> [t, 2t + i, 2t + j]; S1[t, i, j] -> [t, 2t + i + 1, 2t + j + 1]\nsplit c0 {S0} {S1}\n"
)

// In stages, the points of all tiles are all instances, and all tiles that have
// points run.
func TestStages(t *testing.T) {
	defer schedule.SetManyStatements(schedule.SetManyStatements(1))
	for k, test := range stagedRecipes {
		t.Run(fmt.Sprint(test.kernel, k), func(t *testing.T) { checkStages(t, test.kernel, test.recipe) })
	}
}

func checkStages(t *testing.T, name, text string) {
	graph := kerneltest.Graph(t, name)
	model := graph.Model
	recipe, err := command.Parse(model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	tree, whole, err := recipe.Prove(graph)
	if err != nil {
		t.Fatal(err)
	}
	variables := []string{"v0", "v1", "v2", "v3", "v4", "v5"}
	stages := tree.Stages(model, variables)
	if stages == nil {
		t.Fatal("no stages")
	}
	sameInstances(t, model, whole, stages, variables[:stages.Depth])
}

// sameInstances compares the instances of the points with those of the whole
// schedule, and their tiles with those that run.
func sameInstances(t *testing.T, model *scop.Model, whole mark.Schedule, stages *schedule.Stages, variables []string) {
	t.Helper()
	names := strings.Join(variables, ", ")
	named := model.Context.ReadSet(fmt.Sprintf("[%s] -> { tiles[%s] }", names, names))
	tiles := stages.Tiles.Tree.Domain().Sets()[0].Intersect(named).Params()
	all := model.Context.ReadUnionSet("{ }")
	for _, points := range stages.Points.Tree.Domain().Sets() {
		runs, err := points.IntersectParams(stages.Context).Params().IsSubset(tiles)
		if err != nil || !runs {
			t.Errorf("the tiles %s lack some of %s (%v)", tiles, points, err)
		}
		first := points.Dim(isl.DimParam) - len(variables)
		if got := points.DimName(isl.DimParam, first); got != variables[0] {
			t.Fatalf("parameter %d is %q", first, got)
		}
		all = all.Union(points.ProjectOut(isl.DimParam, first, len(variables)).ToUnionSet())
	}
	if equal, err := all.IsEqual(whole.Tree.Domain()); err != nil || !equal {
		t.Errorf("the points of all tiles are other instances (%v): %s, want %s", err, all, whole.Tree.Domain())
	}
}
