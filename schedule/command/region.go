package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Region starts the threads of a parallel loop further outside, at a sequential
// loop around it. All threads run that loop, each with its own share of
// the parallel loop's iterations, the same all the time; so none waits for
// another before the end:
//
//	parallel c0.2
//	region c0.1 around c0.2
//
//	for c0.1                      #pragma omp parallel
//	  #pragma omp parallel for -> for c0.1
//	  for c0.2                      #pragma omp for schedule(static) nowait
//	                                for c0.2
//
// It is legal where the parallel loop could as well be outside of the other.
type Region struct {
	// Outer is the loop at which the threads start, Loop the parallel one.
	Outer, Loop string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "region LOOP around LOOP",
	Doc:     "where the threads of a parallel loop start",
	Example: "region c0.1 around c0.2",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Region{} },
	Random:  randomRegion,
	Say:     sayRegion,
	Without: withoutRegion,
})

// Apply notes the region at the outer loop.
func (c Region) Apply(t *schedule.Tree) error {
	n, last, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	first := slices.IndexFunc(n.Loops, func(l *schedule.Loop) bool { return l.Name == c.Outer })
	switch {
	case first < 0 || first >= last:
		return fmt.Errorf("%q is no loop of %s around %q", c.Outer, n.Name, c.Loop)
	case !n.Loops[last].IsParallel() || n.Loops[last].IsVector() || len(n.Loops[last].Reductions()) > 0:
		return fmt.Errorf("loop %q is no parallel loop without vectors and reductions", c.Loop)
	case mark.Has[mark.Collapse](n.Loops[last].Marks):
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	case slices.ContainsFunc(n.Loops[first:last], func(l *schedule.Loop) bool { return l.IsParallel() || l.IsVector() || mark.Has[mark.Region](l.Marks) }):
		return fmt.Errorf("there is another parallel loop from %q to %q", c.Outer, c.Loop)
	}
	n.Loops[first].Marks = n.Loops[first].Marks.With(mark.Region{})
	return nil
}

// startsThreads is said of a loop at which threads start, and withoutThreads where they do not.
const startsThreads, withoutThreads = "run by all threads, which start here", "without threads that start there"

// randomRegion are threads that share the iterations of a loop and start at one around it.
func randomRegion(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(2))
	if n == nil {
		return nil
	}
	inner := 1 + random.IntN(len(n.Loops)-1)
	return append(onThreads(n.Loops[inner]), Region{Outer: n.Loops[random.IntN(inner)].Name, Loop: n.Loops[inner].Name})
}

var withoutRegion = schedule.Lacking[mark.Region](withoutThreads)

// sayRegion says that threads start at a loop.
func sayRegion(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Region](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutRegion, schedule.AboutStart, startsThreads)
}
