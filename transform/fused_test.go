package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/space"
)

// fusedSchedule is a schedule that should have the classes of a partition.
// What is wrong with it is found in the isl schedule tree alone, of which
// code is generated.
type fusedSchedule struct {
	model     *scop.Model
	partition space.Partition
	// untiled schedules have a hyperplane in front, others perhaps a sum of
	// tile loops, in which a statement may stand still.
	untiled    bool
	schedule   *isl.Schedule
	complaints []string
}

func (f *fusedSchedule) wrong(format string, arguments ...any) {
	f.complaints = append(f.complaints, fmt.Sprintf(format, arguments...))
}

// check demands, for all sizes, that the outermost node of the tree is a
// sequence of the classes; and of each class what checkLoop says.
func (f *fusedSchedule) check() {
	classes := f.partition.Classes()
	nodes := f.schedule.Root().Children()
	if len(classes) > 1 {
		if nodes[0].Type() != isl.NodeSequence {
			f.wrong("the outermost node is no sequence of classes")
			return
		}
		nodes = nodes[0].Children()
	}
	if len(nodes) != len(classes) {
		f.wrong("the outermost sequence has %d classes, not %d", len(nodes), len(classes))
		return
	}
	for k, node := range nodes {
		if len(classes) > 1 {
			node = node.Children()[0] // below the filter
		}
		if inside := f.statementsOf(node.Domain()); !slices.Equal(inside, classes[k]) {
			f.wrong("class %d of the schedule is %v", k, inside)
		} else if len(inside) > 1 {
			f.checkLoop(node, inside)
		}
	}
}

// statementsOf are the statements whose instances a set has.
func (f *fusedSchedule) statementsOf(set *isl.UnionSet) []int {
	var list []int
	for _, s := range set.Sets() {
		list = append(list, f.model.Statement(s.TupleName()).Index)
	}
	slices.Sort(list)
	return list
}

// checkLoop demands that the outermost node that orders instances of a class
// is a loop, and of the statements that are in loops, at a small size, that
//
//   - each is in several iterations of it, if it is untiled;
//   - any two that are in several interleave: none begins after the last
//     iteration of another.
//
// So the loop is shared by all but what is peeled off at its ends. A class of
// statements in no loop needs none: it is a loop of one iteration.
func (f *fusedSchedule) checkLoop(node *isl.ScheduleNode, class []int) {
	if !slices.ContainsFunc(class, func(s int) bool { return f.model.Statements[s].Depth() > 0 }) {
		return
	}
	for node.Type() == isl.NodeMark {
		node = node.Children()[0]
	}
	if node.Type() != isl.NodeBand || !slices.Equal(f.statementsOf(node.Domain()), class) {
		f.wrong("no loop is around all statements of class %v", class)
		return
	}
	first, last := map[int]int64{}, map[int]int64{}
	for _, row := range node.BandPartialSchedule().Maps() {
		s := f.model.Statement(row.TupleName(isl.DimIn))
		start, end, some := f.iterations(row)
		switch {
		case s.Depth() == 0:
		case !some:
			f.wrong("%s has no instances at size %d", s.Name, sizeLookedAt)
		case start < end:
			first[s.Index], last[s.Index] = start, end
		case f.untiled:
			f.wrong("%s stands still in the outer loop of class %v", s.Name, class)
		}
	}
	for r := range first {
		for s := range first {
			if first[r] > last[s] {
				f.wrong("%s begins after the last iteration of %s", f.model.Statements[r].Name, f.model.Statements[s].Name)
			}
		}
	}
}

// sizeLookedAt is the value of all parameters when iterations are counted.
const sizeLookedAt = 7

// iterations are the first and last value of a band's outermost member over
// the instances of one statement; some is false when it has none.
func (f *fusedSchedule) iterations(row *isl.Map) (start, end int64, some bool) {
	for _, instances := range f.schedule.Domain().Sets() {
		if instances.TupleName() == row.TupleName(isl.DimIn) {
			row = row.IntersectDomain(instances)
		}
	}
	size := slices.Repeat([]int64{sizeLookedAt}, len(f.model.Program.Parameters))
	values := fixParameters(row.Range(), f.model.Program, size)
	least, some := values.Lexmin().Point()
	greatest, _ := values.Lexmax().Point()
	if !some {
		return 0, 0, false
	}
	return least[0], greatest[0], true
}

// The check sees what is wrong with a schedule: other classes, no common
// loop, a loop in which a statement stands still, and one whose statements
// only come one after the other.
func TestFusedScheduleComplains(t *testing.T) {
	g := graphOf(t, "pair", []byte(`void pair(int n, double a[n][n], double b[n][n], double c[n]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 1;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = 2;
  for (int i = 0; i < n; i++) c[i] = 3;
#pragma endscop
}
`))
	for _, test := range []struct{ partition, recipe, want string }{
		{"0-0-1", "classes {S0 S1} {S2}\nband c0 S0[i, j] -> [i, j]; S1[i, j] -> [j, i]\nsplit c0 {S0} {S1}\nband c1 S2[i] -> [i]", ""},
		{"0-1-2", "classes {S0 S1} {S2}", "has 2 classes, not 3"},
		{"0-0-0", "classes {S0 S1} {S2}", "no loop is around all statements of class [0 1 2]"},
		{"0-1-1", "classes {S0 S1} {S2}", "class 0 of the schedule is [0 1]"},
		{"1-1-0", "classes {S0 S1} {S2}", "class 0 of the schedule is [0 1]"},
		{"0-1-2", "classes {S0 S1 S2}", "no sequence of classes"},
		{"0-0-1", "classes {S0 S1} {S2}\nsplit c0 {S0} {S1}", "no loop is around all statements of class [0 1]"},
		{"0-0-1", "classes {S0 S1} {S2}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [0]", "S1 stands still in the outer loop of class [0 1]"},
		{"0-0-1", "classes {S0 S1} {S2}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [j + n]", "S1 begins after the last iteration of S0"},
	} {
		recipe, err := schedule.Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		partition, err := space.Parse(test.partition)
		if err != nil {
			t.Fatal(err)
		}
		f := &fusedSchedule{model: g.Model, partition: partition, untiled: true, schedule: tree.Schedule(g.Model)}
		f.check()
		if got := strings.Join(f.complaints, "; "); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s, %s: got %q, want %q", test.partition, test.recipe, got, test.want)
		}
		if err := g.Model.Context.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
