package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/space"
	"polytune/transform"
)

// In stages, the points of all tiles are all instances, and all tiles that have
// points run.
func TestStages(t *testing.T) {
	defer schedule.SetManyStatements(schedule.SetManyStatements(1))
	for _, name := range []string{"polybench/jacobi-1d", "polybench/seidel-2d", "polybench/gemm", "polybench/trmm", "polybench/jacobi-2d"} {
		for _, diamond := range []transform.Diamond{transform.DiamondOff, transform.DiamondOne} {
			t.Run(fmt.Sprint(name, diamond), func(t *testing.T) { checkStages(t, name, transform.Options{CacheBytes: 32 << 10, Diamond: diamond}) })
		}
	}
}

func checkStages(t *testing.T, name string, options transform.Options) {
	graph := kerneltest.Graph(t, name)
	model := graph.Model
	recipe, err := transform.Transform(graph, make(space.Partition, len(model.Statements)), options)
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
