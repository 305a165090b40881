package schedule

import (
	"fmt"
	"slices"
)

// Sink moves a loop of a permutable band inwards, to the innermost place of
// its band and level:
//
//	sink c0.2
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.1 for c0.3 for c0.2
type Sink struct{ Loop string }

var _ = register(Spec{
	Syntax:  "sink LOOP",
	Doc:     "the move of a loop inwards",
	Example: "sink c0.2",
	New:     func() Command { return Sink{} },
})

// Apply moves the loop.
func (c Sink) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
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
