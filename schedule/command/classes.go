package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
)

// Classes orders the classes of the fusion partition, each a group of
// statement indices:
//
//	classes {S0 S1} {S2}
//
//	S0 S1 S2  -->  c0: S0 S1;  c1: S2
type Classes struct{ Groups [][]int }

var _ = All.Add(schedule.Spec{
	Syntax:  "classes GROUPS",
	Doc:     "the classes of a partition",
	Example: "classes {S0 S1} {S2}",
	New:     func() schedule.Command { return Classes{} },
	Random:  schedule.Chosen[Classes],
	Say:     schedule.Silent,
})

// Apply makes one node for each class.
func (c Classes) Apply(t *schedule.Tree) error {
	if t.Classes != nil {
		return fmt.Errorf("the classes are given already")
	}
	all := make([]int, len(t.Program.Statements))
	for i := range all {
		all[i] = i
	}
	if err := t.CheckGroups(all, c.Groups); err != nil {
		return err
	}
	for k, group := range c.Groups {
		t.Classes = append(t.Classes, &schedule.Node{Name: fmt.Sprintf("c%d", k), Statements: slices.Clone(group)})
	}
	return nil
}
