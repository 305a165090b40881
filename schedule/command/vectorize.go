package command

import (
	"cmp"
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
//
// With a number of lanes the code has loops of so many iterations, which the compiler finds easy,
// and one for the rest.
type Vectorize struct {
	Loop       string
	Lanes      int64
	Reductions []scop.Clause
}

var _ = All.Add(schedule.Spec{
	Syntax:  "vectorize LOOP [by COUNT] CLAUSES",
	Doc:     "a loop in SIMD lanes",
	Example: "vectorize c0.3 by 8",
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
	if err := c.checkLanes(l); err != nil {
		return err
	}
	l.Marks = l.Marks.With(mark.Vector{Reductions: c.Reductions})
	if c.Lanes > 0 {
		l.Marks = l.Marks.With(mark.Strips{Lanes: c.Lanes})
	}
	if l.IsParallel() {
		l.Marks = l.Marks.With(mark.Parallel{Reductions: c.Reductions})
	}
	return nil
}

// checkLanes says why the loop cannot be written as loops of so many lanes, or nil.
func (c Vectorize) checkLanes(l *schedule.Loop) error {
	switch {
	case c.Lanes == 0:
		return nil
	case c.Lanes < 2 || c.Lanes > mostUnrolled || c.Lanes&(c.Lanes-1) != 0:
		return fmt.Errorf("%d lanes are not a power of two from 2 to %d", c.Lanes, mostUnrolled)
	case len(c.Reductions) > 0:
		return fmt.Errorf("loop %q carries reductions, whose lanes the compiler chooses", c.Loop)
	case l.IsParallel():
		return fmt.Errorf("threads share the iterations of %q; tile it, and share those of %q instead", c.Loop, c.Loop+"t")
	}
	return nil
}

// randomVectorize are the lanes of an innermost loop, with some reduction at times.
func randomVectorize(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	c := Vectorize{Loop: n.Loops[len(n.Loops)-1].Name, Lanes: []int64{0, 0, 2, 4}[random.IntN(4)]}
	if known := t.Program.Reductions(); len(known) > 0 && c.Lanes == 0 && random.IntN(2) == 0 {
		c.Reductions = []scop.Clause{pick(random, known)}
	}
	return []schedule.Command{c}
}

var (
	withoutLanes  = schedule.Lacking[mark.Vector]("without SIMD lanes")
	withoutStrips = schedule.Lacking[mark.Strips]("without loops of a constant number of lanes")
)

// withoutVectorize says what code does without that lacks a mark of the command.
func withoutVectorize(m mark.Mark) string { return cmp.Or(withoutLanes(m), withoutStrips(m)) }

// sayVectorize says that a loop runs in lanes.
func sayVectorize(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !l.IsVector() {
		return nil
	}
	if m, is := mark.Of[mark.Strips](l.Marks); is && t.Lacks(l.Name, withoutStrips) == "" {
		return t.SayOr(l.Name, withoutLanes, schedule.AboutLanes, fmt.Sprintf("in %d SIMD lanes at a time", m.Lanes))
	}
	return t.SayOr(l.Name, withoutLanes, schedule.AboutLanes, "in SIMD lanes")
}
