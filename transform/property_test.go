package transform

import (
	"testing"

	"polytune/benchmarks"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
)

// The property holds for kernels of at most maxStatements; of larger spaces
// about maxPartitions are tried, spread over the enumeration.
const (
	maxStatements = 5
	maxPartitions = 6
	spread        = 600
)

// Every legal partition becomes a recipe that is proven and that fuses what
// the partition says.
func TestPartitionsFuse(t *testing.T) {
	for _, b := range benchmarks.All() {
		program := programOf(t, b.Name, b.Source)
		if len(program.Statements) > maxStatements {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			g := analyze(t, program)
			for _, p := range spreadOut(t, spaceOf(t, g)) {
				checkPartition(t, g, p)
			}
		})
	}
}

// spreadOut are at most maxPartitions of the first partitions of the space,
// at equal distances.
func spreadOut(t *testing.T, s *space.Space) []space.Partition {
	t.Helper()
	var all, some []space.Partition
	for p, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, p); len(all) == spread {
			break
		}
	}
	for k := range min(maxPartitions, len(all)) {
		some = append(some, all[k*len(all)/min(maxPartitions, len(all))])
	}
	return some
}

func checkPartition(t *testing.T, g *depend.Graph, p space.Partition) {
	t.Helper()
	recipe, err := Transform(g, p, fixed)
	if err != nil {
		t.Errorf("%s: %v", p, err)
		return
	}
	tree, _, err := recipe.Prove(g)
	if err != nil {
		t.Errorf("%s: %v\n%s", p, err, recipe.Text(g.Model.Program))
		return
	}
	if len(tree.Classes) != p.Count() {
		t.Errorf("%s: %d classes in\n%s", p, len(tree.Classes), recipe.Text(g.Model.Program))
	}
	for _, class := range tree.Classes {
		checkFused(t, g, p, class, recipe)
	}
}

// checkFused demands of a class of several statements an outer loop that
// moves each statement that is in a loop at all.
func checkFused(t *testing.T, g *depend.Graph, p space.Partition, class *schedule.Node, recipe schedule.Recipe) {
	t.Helper()
	if len(class.Statements) < 2 {
		return
	}
	if len(class.Loops) == 0 {
		t.Errorf("%s: class %s has no common loop:\n%s", p, class.Name, recipe.Text(g.Model.Program))
		return
	}
	for s, row := range class.Loops[0].Terms[0].Rows {
		if g.Model.Statements[s].Depth() > 0 && row.IsConstant() {
			t.Errorf("%s: %s stands still in the outer loop of class %s:\n%s", p, g.Model.Statements[s].Name, class.Name, recipe.Text(g.Model.Program))
		}
	}
}
