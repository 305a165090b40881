package schedule

import (
	"fmt"

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

var _ = register(Spec{
	Syntax:  "dynamic LOOP",
	Doc:     "a parallel loop whose iterations threads get one by one",
	Example: "dynamic c0.1t",
	New:     func() Command { return Dynamic{} },
})

// Apply notes it at the loop.
func (c Dynamic) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].IsParallel() {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Dynamic{})
	return nil
}
