package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Ivdep says of a vector loop no more than that it carries no dependence: the compiler
// decides whether vectors pay, which OpenMP's pragma takes out of its hands. Clang has no such
// pragma, and gets OpenMP's.
//
//	vectorize c0.3
//	ivdep c0.3
//
//	#pragma omp simd  -->  #pragma GCC ivdep
type Ivdep struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "ivdep LOOP",
	Doc:     "a vector loop that the compiler decides about",
	Example: "ivdep c0.3",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Ivdep{} },
	Random:  randomIvdep,
	Say:     sayIvdep,
	Without: withoutIvdep,
})

// Apply notes it at the loop.
func (c Ivdep) Apply(t *schedule.Tree) error {
	_, l, err := vectorLoop(t, c.Loop)
	if err != nil {
		return err
	}
	if len(l.Reductions()) > 0 {
		return fmt.Errorf("loop %q carries reductions, for which each lane needs an accumulator", c.Loop)
	}
	l.Marks = l.Marks.With(mark.Ivdep{})
	return nil
}

// vectorLoop is the vector loop of that name, of which more is to be said, and its node.
func vectorLoop(t *schedule.Tree, name string) (*schedule.Node, *schedule.Loop, error) {
	n, place, err := t.Loop(name)
	if err != nil {
		return nil, nil, err
	}
	l := n.Loops[place]
	if !l.IsVector() || l.Unrolled {
		return nil, nil, fmt.Errorf("loop %q is not vectorised; say so before", name)
	}
	if mark.Has[mark.Overlap](l.Marks) {
		return nil, nil, fmt.Errorf("loop %q is written in vectors that overlap, of which nothing more can be said", name)
	}
	return n, l, nil
}

// randomIvdep are the lanes of an innermost loop that the compiler decides about.
func randomIvdep(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n, loop, before := inLanes(random, t, anyNode)
	if n == nil {
		return nil
	}
	return append(before, Ivdep{Loop: loop})
}

var withoutIvdep = schedule.Lacking[mark.Ivdep]("without a choice of the compiler's about lanes")

// sayIvdep says who decides about the vectors of a loop.
func sayIvdep(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Ivdep](l.Marks) || t.Lacks(l.Name, withoutLanes) != "" || t.Lacks(l.Name, withoutIvdep) != "" {
		return nil
	}
	return []schedule.Phrase{{Topic: schedule.AboutLanesHow, Text: " where the compiler thinks that they pay", Joint: schedule.GoingOn}}
}
