package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
)

// Interchange has two loops of one chain change places, whatever is between them:
//
//	interchange c0.1 c0.3
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.3 for c0.2 for c0.1
type Interchange struct{ One, Other string }

var _ = All.Add(schedule.Spec{
	Syntax:  "interchange LOOP LOOP",
	Doc:     "the exchange of two loops",
	Example: "interchange c0.1 c0.3",
	New:     func() schedule.Command { return Interchange{} },
	Random:  randomInterchange,
	Say:     schedule.Silent,
})

// Apply exchanges the loops.
func (c Interchange) Apply(t *schedule.Tree) error {
	n, places, err := ofOneChain(t, []string{c.One, c.Other})
	if err != nil {
		return err
	}
	if places[0] < places[1] {
		slices.Reverse(places)
	}
	return putInOrder(n, places, "interchange loops")
}

// putInOrder has loops of a node in the order of the places that they had, in these places. what is
// what has to come before loops are marked.
func putInOrder(n *schedule.Node, places []int, what string) error {
	for _, l := range n.Loops[slices.Min(places) : slices.Max(places)+1] {
		if isTouched(l) {
			return fmt.Errorf("loop %q is marked already; %s before", l.Name, what)
		}
	}
	loops := slices.Clone(n.Loops)
	for k, place := range slices.Sorted(slices.Values(places)) {
		loops[place] = n.Loops[places[k]]
	}
	n.Loops = loops
	return nil
}

// randomInterchange are two loops of a node.
func randomInterchange(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(2))
	if n == nil {
		return nil
	}
	order := random.Perm(len(n.Loops))
	return []schedule.Command{Interchange{n.Loops[order[0]].Name, n.Loops[order[1]].Name}}
}
