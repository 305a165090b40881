package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
)

// Split orders the statements of a leaf node in groups, inside its loops:
//
//	split c0 {S0} {S1}
//
//	for c0.1 { S0 S1 }  -->  for c0.1 { c0_0: S0;  c0_1: S1 }
type Split struct {
	Node   string
	Groups [][]int
}

var _ = All.Add(schedule.Spec{
	Syntax:  "split NODE GROUPS",
	Doc:     "the order of statements inside loops",
	Example: "split c0 {S0} {S1}",
	New:     func() schedule.Command { return Split{} },
	Random:  schedule.Chosen[Split],
	Say:     schedule.Silent,
})

// Apply gives the node its parts.
func (c Split) Apply(t *schedule.Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split already", n.Name)
	}
	if err := t.CheckGroups(n.Statements, c.Groups); err != nil {
		return err
	}
	for k, group := range c.Groups {
		n.Parts = append(n.Parts, partOf(n, fmt.Sprintf("%s_%d", n.Name, k), slices.Clone(group)))
	}
	return nil
}
