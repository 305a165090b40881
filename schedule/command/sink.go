package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
)

// Sink moves a loop of a permutable band inwards, to the innermost place of
// its band and level, or, where nobody claims bands, to that of its node's loops of its level:
//
//	sink c0.2
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.1 for c0.3 for c0.2
type Sink struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "sink LOOP",
	Doc:     "the move of a loop inwards",
	Example: "sink c0.2",
	New:     func() schedule.Command { return Sink{} },
	Random:  schedule.Chosen[Sink],
	Say:     schedule.Silent,
})

// Apply moves the loop.
func (c Sink) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if t.Unclaimed {
		isLike := func(o *schedule.Loop) bool { return o.Level == l.Level && o.Block == l.Block }
		last := len(n.Loops) - 1
		for !isLike(n.Loops[last]) {
			last--
		}
		n.Loops = slices.Insert(slices.Delete(slices.Clone(n.Loops), place, place+1), last, l)
		return nil
	}
	end := place + 1
	for end < len(n.Loops) && n.Loops[end].Band == l.Band && n.Loops[end].Level == l.Level && n.Loops[end].Block == l.Block {
		end++
	}
	if end > place+1 && !l.Permutable {
		return fmt.Errorf("loop %q is in a band that is not permutable", l.Name)
	}
	n.Loops = slices.Delete(n.Loops, place, place+1)
	n.Loops = slices.Insert(n.Loops, end-1, l)
	return nil
}
