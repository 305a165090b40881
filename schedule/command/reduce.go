package command

import (
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Reduce has the threads of a kernel add up in accumulators of their own what the iterations of a
// loop, of blocks, of threads or of each thread, update one element with. Behind the loop the
// threads of a block put theirs together as a tree, in shared memory, and each of the blocks that
// share the loop updates the element by one atomic operation:
//
//	reduce c0.1t reduction(+:s)
//
//	for c0.1t               kernel: own = 0
//	  for c0.1 = i    -->     for c0.1t, of blocks
//	    s += a[i]               for c0.1 = i, of threads: own += a[i]
//	                          the own of all threads of a block, added up, is added to s
type Reduce struct {
	Loop       string
	Reductions []scop.Clause
}

var _ = All.Add(schedule.Spec{
	Syntax:  "reduce LOOP CLAUSES",
	Doc:     "a loop of a kernel whose threads have accumulators of their own",
	Example: "reduce c0.1t reduction(+:x)",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Reduce{} },
	Random:  schedule.Chosen[Reduce],
	Say:     sayReduce,
	Without: withoutReduce,
})

// Apply marks the loop.
func (c Reduce) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	if err := t.CheckClauses(c.Reductions); err != nil {
		return err
	}
	l := n.Loops[place]
	l.Marks = l.Marks.With(mark.Reduce{Reductions: c.Reductions})
	return nil
}

var withoutReduce = schedule.Lacking[mark.Reduce]("without accumulators of threads")

// sayReduce says that threads have accumulators of their own.
func sayReduce(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Reduce](l.Marks) {
		return nil
	}
	return t.SayOr(l.Name, withoutReduce, schedule.AboutThreadsShare, "with accumulators of threads, put together as a tree")
}
