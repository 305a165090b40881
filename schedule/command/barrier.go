package command

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Barrier has all threads of a block wait for each other at the end of each iteration of a loop,
// or, with after, behind a part of a loop:
//
//	barrier c0.1
//	barrier after c0_0
//
//	for c0.1          for c0.1
//	  c0_0              c0_0
//	  c0_1              all threads wait
//	            -->     c0_1
//	                    all threads wait
//
// With grid all threads of all blocks of a resident kernel wait:
//
//	barrier grid c0.1
//
// Ranks, which share loops inside or beside, wait, too (MPI_Barrier), where all have the same
// iterations:
//
//	ranks S0.i S1.i
//	barrier S0.t
//
// Threads of a processor, which start at a team or a region at the loop or around it, wait, too.
type Barrier struct {
	Grid, After bool
	Of          string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "barrier [grid] [after] NODE",
	Doc:     "where threads or ranks wait",
	Example: "barrier c0.1",
	OnLine:  barrierOn,
	New:     func() schedule.Command { return Barrier{} },
	Random:  randomBarrier,
	Say:     sayBarrier,
	Without: withoutBarrier,
})

// barrierOn is what the code of a line runs on.
func barrierOn(line string) schedule.Runner {
	if words := strings.Fields(line); slices.Contains(words, "grid") || slices.Contains(words, "after") {
		return schedule.Devices
	}
	return schedule.Anywhere
}

// Apply marks the loop, or the part.
func (c Barrier) Apply(t *schedule.Tree) error {
	if c.After {
		n, err := t.Node(c.Of)
		if err != nil {
			return err
		}
		n.Marks = n.Marks.With(mark.Barrier{Grid: c.Grid, Part: n.Name})
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
	if around := append(t.Outside(n), n.Loops[:place+1]...); slices.ContainsFunc(around, (*schedule.Loop).StartsThreads) {
		if slices.ContainsFunc(around, (*schedule.Loop).IsParallel) || c.Grid {
			return fmt.Errorf("threads share the iterations of a loop around, or of %q, and cannot wait for each other inside", c.Of)
		}
		l.Marks = l.Marks.With(mark.Wait{})
		return nil
	}
	if rankGroups(t) > 0 {
		return meet(t, n, place)
	}
	l.Marks = l.Marks.With(mark.Barrier{Grid: c.Grid})
	return nil
}

// meet has all ranks wait for each other at the end of each iteration of a loop.
func meet(t *schedule.Tree, n *schedule.Node, place int) error {
	own := n.Loops[place]
	for _, l := range append(t.Outside(n), n.Loops[:place+1]...) {
		at := "in which"
		if l != own {
			at = fmt.Sprintf("which is inside of %q, in which", t.Written(l.Name))
		}
		switch {
		case mark.Has[mark.Ranks](l.Marks):
			if l == own {
				return fmt.Errorf("ranks share the iterations of %q: one has more of them than another, and would wait for ever", t.Written(own.Name))
			}
			return fmt.Errorf("ranks share the iterations of %q, which is around %q: one has more of them than another, and would wait for ever", t.Written(l.Name), t.Written(own.Name))
		case l != own && isGhostLoop(l):
			return fmt.Errorf("ranks compute values of others again in the iterations of %q, which is around %q: one may have more of them than another, and would wait for ever", t.Written(l.Name), t.Written(own.Name))
		case l.IsParallel() || l.IsVector():
			return fmt.Errorf("threads or lanes run the iterations of %q, %s nobody can wait for other ranks", t.Written(own.Name), at)
		}
	}
	own.Marks = mark.Without[mark.Barrier](own.Marks).With(mark.Meet{})
	return nil
}

// meetAll has ranks wait where barriers were named before the loops that they share.
func meetAll(t *schedule.Tree) (err error) {
	t.Walk(func(n *schedule.Node) bool {
		for place, l := range n.Loops {
			if mark.Has[mark.Barrier](l.Marks) || mark.Has[mark.Meet](l.Marks) {
				err = cmp.Or(err, meet(t, n, place))
			}
		}
		return true
	})
	return err
}

// randomBarrier is a barrier in a loop, one of the grid now and then.
func randomBarrier(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	return []schedule.Command{Barrier{Grid: random.IntN(4) == 0, Of: pick(random, n.Loops).Name}}
}

// withoutBarrier says what code does without that lacks a mark of the command.
func withoutBarrier(m mark.Mark) string {
	switch m.(type) {
	case mark.Barrier, mark.Wait, mark.Meet:
		return "without a barrier"
	}
	return ""
}

// sayBarrier says that threads wait in a loop.
func sayBarrier(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if mark.Has[mark.Wait](l.Marks) {
		return t.SayOr(l.Name, withoutBarrier, schedule.AboutThreadsShare, "at the end of each iteration of which all threads wait for each other")
	}
	m, is := mark.Of[mark.Barrier](l.Marks)
	switch {
	case mark.Has[mark.Meet](l.Marks):
		return t.SayOr(l.Name, withoutBarrier, schedule.AboutThreadsShare, "at the end of each iteration of which all ranks wait for each other")
	case !is:
		return nil
	}
	who := "the threads of a block"
	if m.Grid {
		who = "the threads of all blocks"
	}
	return t.SayOr(l.Name, withoutBarrier, schedule.AboutThreadsShare, "at the end of each iteration of which "+who+" wait for each other")
}
