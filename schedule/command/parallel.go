package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Parallel runs the iterations of a loop on several threads, each of which has
// accumulators of its own for the clauses:
//
//	parallel c0.1t
//	parallel c0.1t reduction(+:x)
type Parallel struct {
	Loop       string
	Reductions []scop.Clause
}

var _ = All.Add(schedule.Spec{
	Syntax:  "parallel LOOP CLAUSES",
	Doc:     "a loop on several threads",
	Example: "parallel c0.1t reduction(+:x)",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Parallel{} },
	Random:  schedule.Chosen[Parallel],
	Say:     sayParallel,
	Without: withoutParallel,
})

// Apply marks the loop.
func (c Parallel) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	if err := t.CheckClauses(c.Reductions); err != nil {
		return err
	}
	l := n.Loops[place]
	if mark.Has[mark.Beside](l.Marks) || mark.Has[mark.Overlap](l.Marks) {
		return fmt.Errorf("iterations of %q run beside each other in vectors that overlap; threads can share another loop", c.Loop)
	}
	if slices.ContainsFunc(t.Outside(n), func(outer *schedule.Loop) bool { return outer.IsVector() }) {
		return fmt.Errorf("loop %q is inside of a vector loop, whose lanes cannot start threads", c.Loop)
	}
	l.Marks = l.Marks.With(mark.Parallel{Reductions: c.Reductions})
	if l.IsVector() {
		l.Marks = l.Marks.With(mark.Vector{Reductions: c.Reductions})
	}
	return nil
}

var withoutParallel = schedule.Lacking[mark.Parallel]("without threads")

// sayParallel says on how many threads a loop runs.
func sayParallel(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !l.IsParallel() {
		return nil
	}
	return t.SayOr(l.Name, withoutParallel, schedule.AboutThreads, fmt.Sprintf("on %d threads", t.Threads))
}
