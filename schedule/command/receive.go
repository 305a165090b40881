package command

import (
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Receive is the other end of a Send:
//
//	receive bx[last + 1 .. last + 2][0 .. M - 3] from rank + 1 before S1.i
type Receive struct{ Element, From, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "receive ELEMENT from PLACE before LOOP",
	Doc:     "what ranks receive by hand",
	Example: "receive A[last + 1 .. last + 1][0 .. N - 1] from rank + 1 before S0.i",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Receive{} },
	Random:  proposeReceive,
	Say:     schedule.Silent,
})

// Apply notes it at the mark of the loop.
func (c Receive) Apply(t *schedule.Tree) error {
	return byHand(t, c.Element, c.From, c.Loop, mark.Hand{Receives: true, Command: schedule.Text(c, t.Program)})
}

// proposeReceive is a row of an array from the rank behind.
func proposeReceive(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	loop, array := sharedLoop(random, t), randomArray(random, t.Program)
	if loop == "" || array == nil {
		return nil
	}
	return []schedule.Command{Receive{Element: rowOf(array, "last + 1 .. last + 1"), From: "rank + 1", Loop: loop}}
}
