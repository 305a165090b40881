package schedule

import (
	"fmt"
	"slices"
)

// Classes orders the classes of the fusion partition, each a group of
// statement indices:
//
//	classes {S0 S1} {S2}
//
//	S0 S1 S2  -->  c0: S0 S1;  c1: S2
type Classes struct{ Groups [][]int }

var _ = register(Spec{
	Syntax:  "classes GROUPS",
	Doc:     "the classes of a partition",
	Example: "classes {S0 S1} {S2}",
	New:     func() Command { return Classes{} },
})

// Apply makes one node for each class.
func (c Classes) Apply(t *Tree) error {
	if t.Classes != nil {
		return fmt.Errorf("the classes are given already")
	}
	all := make([]int, len(t.Program.Statements))
	for i := range all {
		all[i] = i
	}
	if err := t.partition(all, c.Groups); err != nil {
		return err
	}
	for k, group := range c.Groups {
		t.Classes = append(t.Classes, &Node{Name: fmt.Sprintf("c%d", k), Statements: slices.Clone(group)})
	}
	return nil
}
