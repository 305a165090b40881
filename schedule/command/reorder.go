package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
)

// Reorder puts loops of one chain in the order in which they are named, in the places that they
// have together:
//
//	reorder c0.3 c0.1
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.3 for c0.2 for c0.1
type Reorder struct{ Loops []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "reorder LOOPS",
	Doc:     "the order of loops",
	Example: "reorder c0.3 c0.1 c0.2",
	New:     func() schedule.Command { return Reorder{} },
	Random:  randomReorder,
	Say:     schedule.Silent,
})

// Apply moves the loops.
func (c Reorder) Apply(t *schedule.Tree) error {
	if len(c.Loops) < 2 {
		return fmt.Errorf("an order is one of two loops or more")
	}
	n, places, err := ofOneChain(t, c.Loops)
	if err != nil {
		return err
	}
	return putInOrder(n, places, "reorder loops")
}

// randomReorder are some loops of a node in any order.
func randomReorder(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(2))
	if n == nil {
		return nil
	}
	var c Reorder
	for _, k := range random.Perm(len(n.Loops))[:2+random.IntN(len(n.Loops)-1)] {
		c.Loops = append(c.Loops, n.Loops[k].Name)
	}
	return []schedule.Command{c}
}
