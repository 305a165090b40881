package schedule

import (
	"fmt"

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

var _ = register(Spec{
	Syntax:  "collapse LOOP LOOP",
	Doc:     "a pair of loops whose iterations threads share together",
	Example: "collapse c0.1t c0.2t",
	New:     func() Command { return Collapse{} },
})

// Apply notes it at both loops.
func (c Collapse) Apply(t *Tree) error {
	n, place, err := t.loop(c.Outer)
	if err != nil {
		return err
	}
	outer := n.Loops[place]
	threads, _ := mark.Of[mark.Threads](outer.Marks)
	switch {
	case !outer.IsParallel() || outer.IsVector() || threads.From > 0 && len(threads.Of) == 0 || len(outer.Reductions()) > 0:
		return fmt.Errorf("loop %q is no parallel loop of any length, without vectors and reductions", c.Outer)
	case place+1 == len(n.Loops) || n.Loops[place+1].Name != c.Inner || n.Loops[place+1].Band != outer.Band || n.Loops[place+1].Level != outer.Level:
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
