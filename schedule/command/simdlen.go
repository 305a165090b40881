package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Simdlen asks the compiler for so many lanes of a vector loop, which it need not heed: more than
// a register has make it unroll the loop, fewer make it use shorter vectors.
//
//	vectorize c0.3
//	simdlen c0.3 8
//
//	#pragma omp simd  -->  #pragma omp simd simdlen(8)
type Simdlen struct {
	Loop  string
	Lanes int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "simdlen LOOP NUMBER",
	Doc:     "the number of lanes of a vector loop",
	Example: "simdlen c0.3 8",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Simdlen{} },
	Random:  randomSimdlen,
	Say:     schedule.Silent,
	Without: withoutSimdlen,
})

var withoutSimdlen = schedule.Lacking[mark.Simdlen]("without the number of lanes that the compiler is asked for")

// Apply notes the lanes at the loop.
func (c Simdlen) Apply(t *schedule.Tree) error {
	_, l, err := vectorLoop(t, c.Loop)
	if err != nil {
		return err
	}
	switch {
	case len(l.Reductions()) > 0:
		return fmt.Errorf("loop %q carries reductions, whose lanes the compiler chooses", c.Loop)
	case c.Lanes < 2 || c.Lanes > mostUnrolled || c.Lanes&(c.Lanes-1) != 0:
		return fmt.Errorf("%d lanes are not a power of two from 2 to %d", c.Lanes, mostUnrolled)
	}
	l.Marks = l.Marks.With(mark.Simdlen{Lanes: c.Lanes})
	return nil
}

// randomSimdlen are so many lanes of an innermost loop.
func randomSimdlen(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n, loop, before := inLanes(random, t, anyNode)
	if n == nil {
		return nil
	}
	return append(before, Simdlen{Loop: loop, Lanes: 2 << random.IntN(3)})
}
