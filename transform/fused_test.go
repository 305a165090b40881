package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space"
)

// fusedSchedule is a schedule that should have the classes of a partition.
// What is wrong with it is found in the isl schedule tree alone, of which
// code is generated.
type fusedSchedule struct {
	graph     *depend.Graph
	partition space.Partition
	// untiled schedules have a hyperplane in front, others perhaps a sum of
	// tile loops, in which a statement may stand still.
	untiled    bool
	schedule   mark.Schedule
	complaints []string
}

func (f *fusedSchedule) wrong(format string, arguments ...any) {
	f.complaints = append(f.complaints, fmt.Sprintf(format, arguments...))
}

// check demands, for all sizes, that the outermost node of the tree is a
// sequence of the classes; and of each class what checkLoop says.
func (f *fusedSchedule) check() {
	classes := f.partition.Classes()
	nodes := f.schedule.Tree.Root().Children()
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
		running := slices.DeleteFunc(classes[k], f.neverRuns)
		if inside := f.statementsOf(node.Domain()); !slices.Equal(inside, running) {
			f.wrong("class %d of the schedule is %v", k, inside)
		} else if len(inside) > 1 {
			f.checkLoop(node, inside)
		}
	}
}

// neverRuns says whether a statement has no instances at all; isl leaves it out.
func (f *fusedSchedule) neverRuns(s int) bool {
	empty, err := f.graph.Model.Statements[s].Domain.IsEmpty()
	return empty && err == nil
}

// statementsOf are the statements whose instances a set has.
func (f *fusedSchedule) statementsOf(set *isl.UnionSet) []int {
	var list []int
	for _, s := range set.Sets() {
		list = append(list, f.graph.Model.Statement(s.TupleName()).Index)
	}
	slices.Sort(list)
	return list
}

// checkLoop demands that the outermost node that orders instances of a class
// is a loop, and of the statements that are in loops, that
//
//   - none stands still in it, if it is untiled;
//   - any two interleave, unless cycles of dependences tie them together: there
//     is a size at which the one begins before the last iteration of the other,
//     and one for the other way round.
//
// So the loop is shared by all but what is peeled off at its ends. A class of
// statements in no loop needs none: it is a loop of one iteration.
func (f *fusedSchedule) checkLoop(node *isl.ScheduleNode, class []int) {
	if !slices.ContainsFunc(class, f.isInLoop) {
		return
	}
	for node.Type() == isl.NodeMark {
		node = node.Children()[0]
	}
	if node.Type() != isl.NodeBand || !slices.Equal(f.statementsOf(node.Domain()), class) {
		f.wrong("no loop is around all statements of class %v", class)
		return
	}
	iterations := map[int]iterations{}
	for _, row := range node.BandPartialSchedule().Maps() {
		s := f.graph.Model.Statement(row.TupleName(isl.DimIn))
		if f.untiled && f.isInLoop(s.Index) && standsStill(row) {
			f.wrong("%s stands still in the outer loop of class %v", s.Name, class)
		}
		iterations[s.Index] = f.iterations(row)
	}
	for _, r := range class {
		for _, s := range class {
			if !f.mayBeApart(r, s) && iterations[r].isAfter(iterations[s]) {
				f.wrong("%s begins after the last iteration of %s", f.graph.Model.Statements[r].Name, f.graph.Model.Statements[s].Name)
			}
		}
	}
}

func (f *fusedSchedule) isInLoop(s int) bool { return f.graph.Model.Statements[s].Depth() > 0 }

// mayBeApart says whether two statements are in one class without the need to
// interleave: one is in no loop, or every partition has them in one class.
func (f *fusedSchedule) mayBeApart(r, s int) bool {
	reaches := f.graph.Reaches()
	return !f.isInLoop(r) || !f.isInLoop(s) || reaches[r][s] && reaches[s][r]
}

// standsStill says whether a row has the same value for all iterators: no
// equation between the value and the iterators has one of these.
func standsStill(row *isl.Map) bool {
	iterators := row.Dim(isl.DimIn)
	for _, piece := range row.Wrap().BasicSets() {
		equalities, _, err := piece.Constraints()
		moves := func(equality []int64) bool {
			return slices.ContainsFunc(equality[:iterators], func(c int64) bool { return c != 0 })
		}
		if err != nil || slices.ContainsFunc(equalities, moves) {
			return false
		}
	}
	return true
}

// sizesLookedAt are the values of parameters at which iterations are counted,
// repeated as needed.
var sizesLookedAt = [][]int64{{7}, {40, 9}, {9, 40}}

// iterations are those of a statement in a loop: all over the parameters, and
// the first and last at each of the sizes looked at; none where it has none.
type iterations struct {
	all         *isl.Set
	first, last [][]int64
}

// iterations are the values of a band's outermost member over the instances of
// one statement.
func (f *fusedSchedule) iterations(row *isl.Map) iterations {
	for _, instances := range f.schedule.Tree.Domain().Sets() {
		if instances.TupleName() == row.TupleName(isl.DimIn) {
			row = row.IntersectDomain(instances)
		}
	}
	of := iterations{all: row.Range()}
	program := f.graph.Model.Program
	for _, size := range sizesLookedAt {
		values := fixParameters(of.all, program, slices.Repeat(size, len(program.Parameters)))
		first, _ := values.Lexmin().Point()
		last, _ := values.Lexmax().Point()
		of.first, of.last = append(of.first, first), append(of.last, last)
	}
	return of
}

// isAfter says whether these iterations begin after the last of the others at
// all sizes: those looked at mostly show that they do not, otherwise isl says it.
func (of iterations) isAfter(others iterations) bool {
	for k, first := range of.first {
		if len(first) > 0 && len(others.last[k]) > 0 && first[0] <= others.last[k][0] {
			return false
		}
	}
	never, err := of.all.MapTo(others.all).OrderLe(isl.DimIn, 0, isl.DimOut, 0).IsEmpty()
	return never && err == nil
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
		{"0-0-1", "classes {S0 S1} {S2}\nband c0 S0[i, j] -> [i + n]; S1[i, j] -> [j]", "S0 begins after the last iteration of S1"},
		{"0-0-1", "classes {S0 S1} {S2}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [j + 30]", ""},
	} {
		recipe, err := command.Parse(g.Model.Program, test.recipe)
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
		f := &fusedSchedule{graph: g, partition: partition, untiled: true, schedule: tree.Schedule(g.Model)}
		f.check()
		if got := strings.Join(f.complaints, "; "); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s, %s: got %q, want %q", test.partition, test.recipe, got, test.want)
		}
		if err := g.Model.Context.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
