package command

import (
	"errors"
	"fmt"

	"polytune/schedule"
	"polytune/scop"
)

// Original makes the tree of the source: its loops, and the order of what is in them. It stands in
// the place of classes, bands and splits:
//
//	original
//
//	S0 S1  -->  for c0.1 = i for c0.2 = j { c0_0: S0; c0_1: for c0_1.3 = k S1 }
//
// Nobody claims behind it that loops may be interchanged.
type Original struct{}

var _ = All.Add(schedule.Spec{
	Syntax:  "original",
	Doc:     "the program as it is written",
	Example: "original",
	New:     func() schedule.Command { return Original{} },
	Random:  schedule.Chosen[Original],
	Say:     schedule.Silent,
})

// Apply makes a node of each of the source's outermost loops.
func (Original) Apply(t *schedule.Tree) error {
	if t.Classes != nil {
		return errors.New("the tree is there already; original comes once, in front of all that changes it")
	}
	times, err := t.Program.Times()
	if err != nil {
		return err
	}
	all := make([]int, len(t.Program.Statements))
	for i := range all {
		all[i] = i
	}
	t.Unclaimed = true
	for k, group := range scop.ByPosition(t.Program.Statements, all, 0) {
		n := &schedule.Node{Name: fmt.Sprintf("c%d", k), Statements: group}
		addSource(t.Program, n, times, 0)
		t.Classes = append(t.Classes, n)
	}
	return nil
}

// addSource gives a node the loops of the source from a depth on, up to where they do not have all
// of its statements, and parts inside.
func addSource(p *scop.Program, n *schedule.Node, times [][]scop.Row, depth int) {
	for {
		if groups := scop.ByPosition(p.Statements, n.Statements, depth); len(groups) > 1 {
			for k, group := range groups {
				part := partOf(n, fmt.Sprintf("%s_%d", n.Name, k), group)
				addSource(p, part, times, depth)
				n.Parts = append(n.Parts, part)
			}
			return
		}
		if depth == p.Statements[n.Statements[0]].Depth() {
			return
		}
		rows, of := map[int]schedule.Row{}, map[int]int{}
		for _, s := range n.Statements {
			rows[s], of[s] = times[s][depth], depth
		}
		n.Depth++
		n.Loops = append(n.Loops, &schedule.Loop{Name: fmt.Sprintf("%s.%d", n.Name, n.Depth), Of: of, Band: n.Bands, Terms: []schedule.Term{{Rows: rows, Size: 1}}})
		n.Bands++
		depth++
	}
}

// partOf is a part of a node with some of its statements.
func partOf(n *schedule.Node, name string, statements []int) *schedule.Node {
	return &schedule.Node{Name: name, Statements: statements, Depth: n.Depth}
}
