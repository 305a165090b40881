package schedule

import (
	"fmt"

	"polytune/scop"
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

// Name is the command's word.
func (Dynamic) Name() string { return "dynamic" }

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

// Text is the command's line.
func (c Dynamic) Text(*scop.Program) string { return "dynamic " + c.Loop }
