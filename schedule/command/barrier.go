package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Barrier has all threads of a block wait for each other at the end of each iteration of a loop, or, with after, behind a part of a loop:
//
//	barrier c0.1
//	barrier after c0_0
//
//	for c0.1          for c0.1
//	  c0_0              c0_0
//	  c0_1              all threads wait
//	            -->     c0_1
//	                    all threads wait
type Barrier struct {
	After bool
	Of    string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "barrier [after] NODE",
	Doc:     "where the threads of a block wait",
	Example: "barrier after c0_0",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Barrier{} },
	Random:  randomBarrier,
	Say:     sayBarrier,
	Without: withoutBarrier,
})

// Apply marks the loop, or the part.
func (c Barrier) Apply(t *schedule.Tree) error {
	if c.After {
		n, err := t.Node(c.Of)
		if err != nil {
			return err
		}
		n.Marks = n.Marks.With(mark.Barrier{Part: n.Name})
		return nil
	}
	n, place, err := t.Loop(c.Of)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if mark.Has[mark.Thread](l.Marks) {
		return fmt.Errorf("the threads that share the iterations of loop %q have different numbers of them, and cannot wait for each other inside", c.Of)
	}
	l.Marks = l.Marks.With(mark.Barrier{})
	return nil
}

// randomBarrier is a barrier in a loop.
func randomBarrier(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	return []schedule.Command{Barrier{Of: pick(random, n.Loops).Name}}
}

var withoutBarrier = schedule.Lacking[mark.Barrier]("without a barrier")

// sayBarrier says that threads wait in a loop.
func sayBarrier(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Barrier](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutBarrier, schedule.AboutThreadsShare, "at the end of each iteration of which the threads of a block wait for each other")
}
