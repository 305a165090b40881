package schedule

import (
	"fmt"

	"polytune/scop/mark"
)

// Relay has threads run through the parts of a sequential loop as in a relay, each with its own share of the columns of a matrix, say, all the time:
//
//	relay c0.1t hands c0_0.3 shares c0_1.2r from 64
//
//	for c0.1t       #pragma omp parallel
//	  for c0_0.3      for c0.1t {
//	  for c0_1.2r       wait for the thread before, which then is behind its part of c0_0.3 in this iteration
//	            -->     for c0_0.3, the thread's share
//	                    wait until all threads are behind c0_0.3 in an iteration further back
//	                    for c0_1.2r, the thread's share, of that iteration }
//
// The first part adds up the elements of rows, whose order says that one thread after the other adds its own; the second one uses the sums for the same elements, which
// each thread then finds in its cache. What parts between these two do, as with a sum that is complete, the last thread does. Nobody waits for long, because every thread is one iteration further than the one behind it. It is legal where what
// threads do at the same time is independent, as depend.RelayMark says.
type Relay struct {
	// Loop is the sequential loop, Handed the one of its first part that threads hand on, Shared the one of its last part that they share.
	Loop, Handed, Shared string
	// From is the least number of iterations of Shared for several threads.
	From int64
	// Ahead asks, while the second part runs, for what the first part reads in the thread's next iteration.
	Ahead bool
}

var _ = register(Spec{
	Syntax:  "relay LOOP hands LOOP shares LOOP from NUMBER [ahead]",
	Doc:     "how threads run through a loop",
	Example: "relay c0.1t hands c0_0.3 shares c0_1.2r from 64",
	New:     func() Command { return Relay{} },
})

// Apply notes the relay at its loop.
func (c Relay) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case l.IsParallel() || l.IsVector() || l.StartsThreads():
		return fmt.Errorf("loop %q is marked already; threads run through a sequential loop", c.Loop)
	case place != len(n.Loops)-1 || len(n.Parts) < 2:
		return fmt.Errorf("in loop %q are not two parts or more and nothing else", c.Loop)
	case anyParallel(n.Loops[:place], n.Parts):
		return fmt.Errorf("there is a parallel loop around %q or inside", c.Loop)
	case c.From < 1:
		return fmt.Errorf("the number of iterations for several threads is one at least")
	}
	handed, err := n.Parts[0].plainLoop(c.Handed)
	if err != nil {
		return err
	}
	shared, err := n.Parts[len(n.Parts)-1].plainLoop(c.Shared)
	if err != nil {
		return err
	}
	if own, other := max(1, handed.Terms[0].Size), max(1, shared.Terms[0].Size); other%own != 0 {
		return fmt.Errorf("%q runs over blocks of %d, which are no multiples of the %d of %q", c.Shared, other, own, c.Handed)
	}
	l.Relay = &c
	return nil
}

// plainLoop is a loop of the node by its name, which is no wavefront.
func (n *Node) plainLoop(name string) (*Loop, error) {
	for _, l := range n.Loops {
		if l.Name == name && len(l.Terms) == 1 {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%q is no loop of %s with values of its own", name, n.Name)
}

// mark is the mark above the relay's loop, around which are so many others.
func (c Relay) mark(t *Tree, depth int) mark.Relay {
	m := mark.Relay{Loop: c.Loop, From: c.From, Ahead: c.Ahead}
	size := func(name string) (place int, size int64) {
		n, place, err := t.loop(name)
		if err != nil {
			return 0, 1
		}
		return depth + 1 + place, max(1, n.Loops[place].Terms[0].Size)
	}
	handed, own := size(c.Handed)
	shared, other := size(c.Shared)
	m.Handed, m.Shared, m.Size = handed, shared, other/own
	return m
}

// Advance is the iterator of a statement that a loop's iterations count alone, and by how much it grows from one to the next. ok is false where there is none.
func (t *Tree) Advance(loop string, s int) (iterator int, by int64, ok bool) {
	n, place, err := t.loop(loop)
	if err != nil || len(n.Loops[place].Terms) != 1 {
		return 0, 0, false
	}
	term := n.Loops[place].Terms[0]
	for k, c := range term.Rows[s].Iterators {
		switch {
		case c == 0:
		case c != 1 || ok:
			return 0, 0, false
		default:
			iterator, ok = k, true
		}
	}
	return iterator, max(1, term.Size), ok
}
