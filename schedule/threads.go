package schedule

import (
	"fmt"

	"polytune/scop/mark"
)

// Threads leaves a parallel loop to one thread where it has fewer iterations
// than a number, because starting the others and waiting for them costs more
// than they save:
//
//	parallel c0.2
//	threads c0.2 from 4000
//
//	#pragma omp parallel for  -->  if (N >= 4000) {
//	for (...)                        #pragma omp parallel for
//	                                 for (...)
//	                               } else
//	                                 for (...)
//
// There is only one loop, with an if clause, where other loops are inside. Of a nest whose
// loop has long iterations or short ones, the product of some extents counts:
//
//	threads c0.1t from 65536 of NI, NJ, NK
//
//	#pragma omp parallel for  -->  #pragma omp parallel for if((double) NI * NJ * NK >= 65536)
//	for (...)                      for (...)
type Threads struct {
	Loop string
	// From is the least number of iterations for several threads, or the least product
	// of the extents.
	From int64
	// Of are extents, affine in the parameters, or nil.
	Of []Row
}

var _ = register(Spec{
	Syntax:  "threads LOOP from COUNT [of EXTENTS]",
	Doc:     "what is too short for several threads",
	Example: "threads c0.1t from 65536 of NI, NJ",
	New:     func() Command { return Threads{} },
	Most:    maxNumber,
})

// Apply notes the number.
func (c Threads) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].IsParallel() {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	if mark.Has[mark.Collapse](n.Loops[place].Marks) && len(c.Of) == 0 {
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Threads{From: c.From, Of: c.Of, Extents: extentsText(c.Of, t.Program.Parameters)})
	return nil
}
