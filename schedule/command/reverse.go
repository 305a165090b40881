package command

import (
	"math/rand/v2"

	"polytune/schedule"
)

// Reverse has a loop run from its last iteration to its first one (loop reversal):
//
//	reverse c0.2
//
//	for c0.2 = j  -->  for c0.2 = -j
type Reverse struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "reverse LOOP",
	Doc:     "the reversal of a loop",
	Example: "reverse c0.2",
	New:     func() schedule.Command { return Reverse{} },
	Random:  randomReverse,
	Say:     schedule.Silent,
})

// Apply negates the loop's rows.
func (c Reverse) Apply(t *schedule.Tree) error {
	n, places, err := pointsOf(t, []string{c.Loop}, "reverse it")
	if err != nil {
		return err
	}
	return multiply(n, places, [][]int64{{-1}})
}

// randomReverse is a loop over points.
func randomReverse(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	return []schedule.Command{Reverse{pick(random, n.Loops).Name}}
}
