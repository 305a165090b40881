package schedule

import (
	"fmt"
	"polytune/scop"
	"polytune/scop/mark"
	"slices"
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

var _ = register(Spec{
	Syntax:  "parallel LOOP CLAUSES",
	Doc:     "a loop on several threads",
	Example: "parallel c0.1t reduction(+:x)",
	New:     func() Command { return Parallel{} },
})

// Apply marks the loop.
func (c Parallel) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if err := t.checkClauses(c.Reductions); err != nil {
		return err
	}
	l := n.Loops[place]
	if mark.Has[mark.Beside](l.Marks) || mark.Has[mark.Overlap](l.Marks) {
		return fmt.Errorf("iterations of %q run beside each other in vectors that overlap; threads can share another loop", c.Loop)
	}
	if slices.ContainsFunc(t.outside(n), func(outer *Loop) bool { return outer.IsVector() }) {
		return fmt.Errorf("loop %q is inside of a vector loop, whose lanes cannot start threads", c.Loop)
	}
	l.Marks = l.Marks.With(mark.Parallel{Reductions: c.Reductions})
	if l.IsVector() {
		l.Marks = l.Marks.With(mark.Vector{Reductions: c.Reductions})
	}
	return nil
}
