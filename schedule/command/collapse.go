package command

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Collapse has threads share the iterations of a parallel loop and of the loop right
// inside it together: where the outer one has few iterations for the threads, both have
// enough. The inner one carries no dependence either.
//
//	parallel c0.1t
//	collapse c0.1t c0.2t
//
//	#pragma omp parallel for  -->  #pragma omp parallel for collapse(2)
//	for c0.1t                      for c0.1t
//	  for c0.2t                      for c0.2t
type Collapse struct{ Outer, Inner string }

var _ = All.Add(schedule.Spec{
	Syntax:  "collapse LOOP LOOP",
	Doc:     "a pair of loops whose iterations threads share together",
	Example: "collapse c0.1t c0.2t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Collapse{} },
	Random:  randomCollapse,
	Say:     sayCollapse,
	Without: withoutCollapse,
})

// Apply notes it at both loops.
func (c Collapse) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Outer)
	if err != nil {
		return err
	}
	outer := n.Loops[place]
	threads, _ := mark.Of[mark.Threads](outer.Marks)
	switch {
	case !outer.IsParallel() || outer.IsVector() || threads.From > 0 && len(threads.Of) == 0 || len(outer.Reductions()) > 0:
		return fmt.Errorf("loop %q is no parallel loop of any length, without vectors and reductions", c.Outer)
	case place+1 == len(n.Loops) || n.Loops[place+1].Name != c.Inner || !t.AreOfOneBand(n.Loops[place+1], outer):
		return fmt.Errorf("%q is not the loop of the same band right inside %q", c.Inner, c.Outer)
	case n.Loops[place+1].IsVector() || n.Loops[place+1].Unrolled || n.Loops[place+1].IsParallel():
		return fmt.Errorf("loop %q is a vector loop, unrolled, or parallel by itself", c.Inner)
	}
	for _, l := range n.Loops[:place] {
		if mark.Has[mark.Region](l.Marks) {
			return fmt.Errorf("the threads of loop %q start outside, at %q", c.Outer, l.Name)
		}
	}
	outer.Marks = outer.Marks.With(mark.Collapse{})
	n.Loops[place+1].Collapsed = true
	return nil
}

// randomCollapse are two loops right inside each other whose iterations threads share.
func randomCollapse(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(2))
	if n == nil {
		return nil
	}
	outer := random.IntN(len(n.Loops) - 1)
	return append(onThreads(n.Loops[outer]), Collapse{Outer: n.Loops[outer].Name, Inner: n.Loops[outer+1].Name})
}

var withoutCollapse = schedule.Lacking[mark.Collapse]("without the loop inside among threads")

// sayCollapse says that threads share the iterations of two loops together.
func sayCollapse(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !l.Collapsed {
		return nil
	}
	node, _, _ := strings.Cut(l.Name, ".")
	for _, d := range t.Declined {
		if m, is := d.Mark.(mark.Collapse); is && strings.HasPrefix(m.Loop, node+".") {
			return schedule.Say(schedule.AboutThreads, "not shared by threads together with the loop outside, because "+d.Reason)
		}
	}
	return schedule.Say(schedule.AboutThreads, "whose iterations threads share together with those of the loop outside")
}
