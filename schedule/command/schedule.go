package command

import (
	"errors"
	"fmt"

	"polytune/schedule"
)

// Schedule says for each statement the values of all loops, as an isl map of all statements into
// one space does, and makes the tree of that:
//
//	schedule { S0[i, j] -> [0, floor(i/32), i, j]; S1[i, j] -> [1, i, j, 0] }
//
// Where all statements have a number of their own it is their order, and no loop. floor(e/n) runs
// over tiles; sums of several terms of that kind, as e mod n is one, run as one loop. A statement may
// have several maps with conditions behind them, pieces, and values that no such expression says: the
// loop that counts them may run on threads, and no command changes it otherwise.
type Schedule struct{ Maps map[int]schedule.Times }

var _ = All.Add(schedule.Spec{
	Syntax:  "schedule MAPS",
	Doc:     "a schedule",
	Example: "schedule { S0[i, j] -> [floor(i/32), i, j]; S1[i] -> [0, i, 0] }",
	New:     func() schedule.Command { return Schedule{} },
	Random:  schedule.Chosen[Schedule],
	Say:     schedule.Silent,
})

// mostValues bounds the loops that a schedule has.
const mostValues = 100

// Apply makes the tree.
func (c Schedule) Apply(t *schedule.Tree) error {
	if t.Classes != nil {
		return errors.New("the tree is there already; a schedule comes once, in front of all that changes it")
	}
	length := -1
	all := make([]int, len(t.Program.Statements))
	for s := range all {
		times, has := c.Maps[s]
		values := times.Values
		switch name := t.Program.Statements[s].Spelling(); {
		case !has:
			return fmt.Errorf("statement %s has no map; its instances would not run", name)
		case length >= 0 && len(values) != length:
			return fmt.Errorf("statement %s has %d values, and %s has %d; all are in one space", name, len(values), t.Program.Statements[0].Spelling(), length)
		case len(values) > mostValues:
			return fmt.Errorf("statement %s has %d values, more than %d", name, len(values), mostValues)
		}
		all[s], length = s, len(values)
	}
	g := c.grower(t)
	t.Unclaimed = true
	root := &schedule.Node{Name: "c0", Statements: all}
	t.Classes = []*schedule.Node{root}
	g.grow(root, 0)
	if isOfClasses(root) {
		t.Classes = root.Parts
		for k, class := range t.Classes {
			rename(class, class.Name, fmt.Sprint("c", k))
		}
	}
	t.Merge()
	return nil
}

// rename has the name of a node, and those of its loops and parts, begin otherwise.
func rename(n *schedule.Node, before, after string) {
	own := renamed(n, before, after)
	*n = *own
}
