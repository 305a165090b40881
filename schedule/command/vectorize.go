package command

import (
	"fmt"
	"math/rand/v2"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Vectorize runs the iterations of a node's innermost loop in SIMD lanes, with
// an accumulator for each lane for the clauses:
//
//	vectorize c0.3
//	vectorize c0.3 reduction(max:x)
type Vectorize struct {
	Loop       string
	Reductions []scop.Clause
}

var _ = All.Add(schedule.Spec{
	Syntax:  "vectorize LOOP CLAUSES",
	Doc:     "a loop in SIMD lanes",
	Example: "vectorize c0.3 reduction(max:x)",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Vectorize{} },
	Random:  randomVectorize,
	Say:     sayVectorize,
	Without: withoutVectorize,
})

// Apply marks the loop, which must be the innermost of its node. Loops of parts inside are for the
// compiler to unroll.
func (c Vectorize) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	if place != len(n.Loops)-1 {
		return fmt.Errorf("loop %q is not innermost; sink it before", c.Loop)
	}
	if len(c.Reductions) > 0 && n.PartsHaveLoops() {
		return fmt.Errorf("loop %q has loops inside, and lanes have accumulators in innermost loops alone", c.Loop)
	}
	if n.Loops[place].Collapsed {
		return fmt.Errorf("threads share the iterations of %q together with those of the loop outside", c.Loop)
	}
	if anyParallel(nil, n.Parts) {
		return fmt.Errorf("loop %q has a parallel loop inside, whose threads lanes cannot start", c.Loop)
	}
	if err := t.CheckClauses(c.Reductions); err != nil {
		return err
	}
	l := n.Loops[place]
	l.Marks = l.Marks.With(mark.Vector{Reductions: c.Reductions})
	if l.IsParallel() {
		l.Marks = l.Marks.With(mark.Parallel{Reductions: c.Reductions})
	}
	return nil
}

// randomVectorize are the lanes of an innermost loop, with some reduction at times.
func randomVectorize(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	c := Vectorize{Loop: n.Loops[len(n.Loops)-1].Name}
	if known := t.Program.Reductions(); len(known) > 0 && random.IntN(2) == 0 {
		c.Reductions = []scop.Clause{pick(random, known)}
	}
	return []schedule.Command{c}
}

var withoutVectorize = schedule.Lacking[mark.Vector]("without SIMD lanes")

// sayVectorize says that a loop runs in lanes.
func sayVectorize(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !l.IsVector() {
		return nil
	}
	return t.SayOr(l.Name, withoutVectorize, schedule.AboutLanes, "in SIMD lanes")
}
