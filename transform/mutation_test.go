package transform

import (
	"fmt"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop/mark"
)

// mutation is one change of a schedule tree.
type mutation struct {
	name  string
	apply func(*schedule.Tree)
}

// mutationsOf are the changes tried of a tree. They find their place again in
// another replay of the same recipe.
func mutationsOf(tree *schedule.Tree) []mutation {
	var list []mutation
	add := func(apply func(*schedule.Tree), format string, args ...any) {
		list = append(list, mutation{fmt.Sprintf(format, args...), apply})
	}
	for k := range len(tree.Classes) - 1 {
		add(func(t *schedule.Tree) { swap(t.Classes, k) }, "swap classes %d and %d", k, k+1)
	}
	for n, node := range nodesOf(tree.Classes) {
		for k := range len(node.Parts) - 1 {
			add(func(t *schedule.Tree) { swap(nodesOf(t.Classes)[n].Parts, k) }, "swap parts %d and %d of %s", k, k+1, node.Name)
		}
		for k, loop := range node.Loops {
			at := func(change func(*schedule.Loop)) func(*schedule.Tree) {
				return func(t *schedule.Tree) { change(nodesOf(t.Classes)[n].Loops[k]) }
			}
			add(at(func(l *schedule.Loop) { l.Marks = l.Marks.With(mark.Parallel{}) }), "run %s in parallel", loop.Name)
			add(at(reverse), "reverse %s", loop.Name)
			add(at(func(l *schedule.Loop) { l.Terms[0].Size++ }), "tiles of %s one larger", loop.Name)
			for _, s := range node.Statements {
				add(at(func(l *schedule.Loop) { shift(l, s) }), "shift statement %d in %s", s, loop.Name)
			}
			add(func(t *schedule.Tree) { drop(nodesOf(t.Classes)[n], k) }, "drop %s", loop.Name)
			if k > 0 {
				add(func(t *schedule.Tree) { swap(nodesOf(t.Classes)[n].Loops, k-1) }, "interchange %s and the one outside", loop.Name)
			}
		}
	}
	return list
}

func nodesOf(nodes []*schedule.Node) []*schedule.Node {
	var all []*schedule.Node
	for _, n := range nodes {
		all = append(append(all, n), nodesOf(n.Parts)...)
	}
	return all
}

func swap[T any](list []T, k int) { list[k], list[k+1] = list[k+1], list[k] }

func drop(n *schedule.Node, k int) {
	n.Loops = append(n.Loops[:k:k], n.Loops[k+1:]...)
}

// reverse negates the rows of a loop, without touching those of the loops
// that share them.
func reverse(l *schedule.Loop) {
	for k := range l.Terms {
		rows := map[int]schedule.Row{}
		for s, row := range l.Terms[k].Rows {
			rows[s] = schedule.Row{Iterators: negated(row.Iterators), Parameters: negated(row.Parameters), Constant: -row.Constant}
		}
		l.Terms[k].Rows = rows
	}
}

func negated(row []int64) []int64 {
	result := make([]int64, len(row))
	for k, c := range row {
		result[k] = -c
	}
	return result
}

// shift delays one statement by an iteration.
func shift(l *schedule.Loop, statement int) {
	rows := map[int]schedule.Row{}
	for s, row := range l.Terms[0].Rows {
		if s == statement {
			row.Constant++
		}
		rows[s] = row
	}
	l.Terms[0].Rows = rows
}

// The proof accepts exactly those changed schedules that keep all dependent
// pairs of instances in order, as executions at a small size show. Tiles are
// small too, so that each case occurs there. The short test takes each second change; the long test
// has kernels with loops like those of others, too.
func TestMutations(t *testing.T) {
	t.Parallel()
	for n, test := range []struct {
		kernel     string
		partitions []string
		parameters []int64
		isLong     bool
	}{
		{"gemm", []string{"max"}, []int64{4, 4, 4}, true},
		{"sc10/2mm", []string{"max"}, []int64{4, 4, 4, 4}, true},
		{"atax", []string{"max"}, []int64{5, 5}, false},
		{"gemver", []string{"smart"}, []int64{5}, true},
		{"trmm", []string{"max"}, []int64{5, 4}, true},
		{"lu", []string{"max"}, []int64{5}, false},
		{"jacobi-1d", []string{"max"}, []int64{5, 8}, false},
		{"seidel-2d", []string{"max"}, []int64{4, 6}, true},
	} {
		if test.isLong && !kerneltest.Long() {
			continue
		}
		g := kerneltest.Graph(t, test.kernel)
		e := execute(t, g.Model.Program, test.parameters)
		for _, word := range test.partitions {
			recipe, err := Transform(g, chosen(t, g, word), Options{Interleave: 1, Tile: Tiling{Sizes: []int64{2, 3, 2}}})
			if err != nil {
				t.Fatal(err)
			}
			tree, err := recipe.Replay(g.Model.Program)
			if err != nil {
				t.Fatal(err)
			}
			verdicts := map[bool]int{}
			for k, m := range append(mutationsOf(tree), mutation{"none", func(*schedule.Tree) {}}) {
				if k%2 != n%2 && !kerneltest.Long() {
					continue
				}
				changed, err := recipe.Replay(g.Model.Program)
				if err != nil {
					t.Fatal(err)
				}
				m.apply(changed)
				want := e.legal(changed)
				err = g.Check(changed.Schedule(g.Model))
				if (err == nil) != want {
					t.Errorf("%s, %s, %s: legal is %v, the proof says %v\n%s", test.kernel, word, m.name, want, err, recipe.Text(g.Model.Program))
				}
				verdicts[want]++
			}
			if verdicts[true] < 2 || verdicts[false] < 2 {
				t.Errorf("%s, %s: the mutations show nothing: %v", test.kernel, word, verdicts)
			}
			t.Logf("%s, %s: %d legal, %d illegal", test.kernel, word, verdicts[true], verdicts[false])
		}
	}
}
