package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Atomics has the threads of a parallel loop that adds up in arrays update these themselves, each
// element by an atomic operation, where copies for each thread would be large beside the loop, or
// nobody knows how large:
//
//	parallel c0.1 reduction(+:f)
//	atomics c0.1
//
//	each thread adds up in a copy of f  -->  #pragma omp atomic in front of the updates of f
type Atomics struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "atomics LOOP",
	Doc:     "a parallel loop whose threads update elements of arrays by atomic operations",
	Example: "atomics c0.1",
	New:     func() schedule.Command { return Atomics{} },
	Random:  randomAtomics,
	Say:     sayAtomics,
	Without: withoutAtomics,
})

// Apply notes it at the loop.
func (c Atomics) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if !l.IsParallel() || len(l.Reductions()) == 0 {
		return fmt.Errorf("no threads add up in loop %q; say parallel %s reduction(+:x) before", c.Loop, c.Loop)
	}
	l.Marks = l.Marks.With(mark.Atomics{})
	return nil
}

// randomAtomics are atomic operations of the threads of a loop, which is one that adds up only by
// chance.
func randomAtomics(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	return []schedule.Command{Atomics{Loop: pick(random, n.Loops).Name}}
}

var withoutAtomics = schedule.Lacking[mark.Atomics]("without atomic operations")

// sayAtomics says how threads add up.
func sayAtomics(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	return sayToThreads[mark.Atomics](l, t, withoutAtomics, ", which update elements by atomic operations")
}
