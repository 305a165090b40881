package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Dynamic gives the iterations of a parallel loop to threads one by one, as they are
// done with the last: where iterations differ in their work, equally many of them
// for each thread would leave some idle.
//
//	parallel c0.1t
//	dynamic c0.1t
//
//	#pragma omp parallel for  -->  #pragma omp parallel for schedule(dynamic)
type Dynamic struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "dynamic LOOP",
	Doc:     "a parallel loop whose iterations threads get one by one",
	Example: "dynamic c0.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Dynamic{} },
	Random:  randomDynamic,
	Say:     sayDynamic,
	Without: withoutDynamic,
})

// Apply notes it at the loop.
func (c Dynamic) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].IsParallel() {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Dynamic{})
	return nil
}

// randomDynamic are threads that get the iterations of a loop one by one.
func randomDynamic(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	l := pick(random, n.Loops)
	return append(onThreads(l), Dynamic{Loop: l.Name})
}

var withoutDynamic = schedule.Lacking[mark.Dynamic]("without threads that get iterations one by one")

// sayDynamic says how threads get the iterations of a loop.
func sayDynamic(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	return sayToThreads[mark.Dynamic](l, t, withoutDynamic, ", which get iterations one by one")
}

// sayToThreads goes on about the threads of a parallel loop that has a mark, or says what the code
// lacks of it.
func sayToThreads[M mark.Mark](l *schedule.Loop, t schedule.Telling, without func(mark.Mark) string, text string) []schedule.Phrase {
	if !mark.Has[M](l.Marks) || t.Lacks(l.Name, withoutParallel) != "" {
		return nil
	}
	if missing := t.Lacks(l.Name, without); missing != "" {
		return schedule.Say(schedule.AboutThreadsShare, missing)
	}
	return []schedule.Phrase{{Topic: schedule.AboutThreadsShare, Text: text, Joint: schedule.GoingOn}}
}
