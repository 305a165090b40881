package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Relay has threads run through the parts of a sequential loop as in a relay, each with its own
// share of the columns of a matrix, say, all the time:
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
// The first part adds up the elements of rows, whose order says that one thread after the other
// adds its own; the second one uses the sums for the same elements, which each thread then finds in
// its cache. What parts between these two do, as with a sum that is complete, the last thread does.
// Nobody waits for long, because every thread is one iteration further than the one behind it. It
// is legal where what threads do at the same time is independent, as mark.Relay says.
type Relay struct {
	// Loop is the sequential loop, Handed the one of its first part that threads hand on, Shared
	// the one of its last part that they share.
	Loop, Handed, Shared string
	// From is the least number of iterations of Shared for several threads.
	From int64
	// Ahead asks, while the second part runs, for what the first part reads in the thread's next
	// iteration.
	Ahead bool
}

var _ = All.Add(schedule.Spec{
	Syntax:  "relay LOOP hands LOOP shares LOOP from NUMBER [ahead]",
	Doc:     "how threads run through a loop",
	Example: "relay c0.1t hands c0_0.3 shares c0_1.2r from 64",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Relay{} },
	Random:  randomRelay,
	Say:     sayRelay,
	Without: withoutRelay,
})

// Apply notes the relay at its loop.
func (c Relay) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
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
	handed, err := plainLoop(n.Parts[0], c.Handed)
	if err != nil {
		return err
	}
	shared, err := plainLoop(n.Parts[len(n.Parts)-1], c.Shared)
	if err != nil {
		return err
	}
	if own, other := max(1, handed.Terms[0].Size), max(1, shared.Terms[0].Size); other%own != 0 {
		return fmt.Errorf("%q runs over blocks of %d, which are no multiples of the %d of %q", c.Shared, other, own, c.Handed)
	}
	l.Ask(c)
	return nil
}

// Stands is above the loop.
func (Relay) Stands() schedule.Standing { return schedule.AboveThreads }

// StartsThreads says that threads start there.
func (Relay) StartsThreads() {}

// Marks have the depths of the loops that threads hand on and share.
func (c Relay) Marks(at *schedule.Place) []mark.Mark {
	handed, size := depthInRelay(at, c.Handed)
	shared, block := depthInRelay(at, c.Shared)
	return []mark.Mark{mark.Relay{Loop: c.Loop, Handed: handed, Shared: shared, Size: block / size, From: c.From, Ahead: c.Ahead}}
}

// IsRelay says whether threads run a loop as in a relay.
func IsRelay(l *schedule.Loop) bool { return len(schedule.Requested[Relay](l)) > 0 }

// depthInRelay is the depth of a loop right inside that of a relay, and how many iterations one of
// its values stands for.
func depthInRelay(at *schedule.Place, loop string) (depth int, size int64) {
	n, place, err := at.Tree.Loop(loop)
	if err != nil {
		return 0, 1
	}
	return len(at.Around) + 1 + place, max(1, n.Loops[place].Terms[0].Size)
}

// plainLoop is a loop of the node by its name, which is no wavefront.
func plainLoop(n *schedule.Node, name string) (*schedule.Loop, error) {
	for _, l := range n.Loops {
		if l.Name == name && len(l.Terms) == 1 {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%q is no loop of %s with values of its own", name, n.Name)
}

// randomRelay is a relay through the first and the last part of a node, the last one in register
// blocks at times.
func randomRelay(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool {
		last := len(n.Parts) - 1
		return len(n.Loops) > 0 && last > 0 && len(n.Parts[0].Loops) > 0 && len(n.Parts[last].Loops) > 0
	})
	if n == nil {
		return nil
	}
	handed, shared := pick(random, n.Parts[0].Loops), pick(random, n.Parts[len(n.Parts)-1].Loops)
	c := Relay{Loop: n.Loops[len(n.Loops)-1].Name, Handed: handed.Name, Shared: shared.Name, From: 1 + random.Int64N(3), Ahead: random.IntN(2) == 0}
	if random.IntN(2) == 0 {
		return []schedule.Command{c}
	}
	blocks := Registers{Loops: []string{shared.Name}, Sizes: []int64{2 + random.Int64N(3)}}
	c.Shared += schedule.BlockSuffix
	return []schedule.Command{blocks, c}
}

var withoutRelay = schedule.Lacking[mark.Relay]("without a relay of threads")

// sayRelay says how threads run through a loop.
func sayRelay(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	r, is := schedule.RequestOf[Relay](l)
	if !is {
		return nil
	}
	return t.SayOr(l.Name, withoutRelay, schedule.AboutThreads, fmt.Sprintf(
		"run by %d threads as in a relay from %d iterations of %s on, each with its share of that and of %s", t.Threads, r.From, r.Shared, r.Handed))
}
