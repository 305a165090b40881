package command

import (
	"fmt"

	"polytune/schedule"
)

// Wavefront replaces the first of consecutive loops of a permutable band by
// the sum of all, after which the others carry no dependence:
//
//	wavefront c0.1t c0.2t
//
//	for c0.1t for c0.2t  -->  for w = c0.1t + c0.2t  parfor c0.2t
type Wavefront struct{ Loops []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "wavefront LOOPS",
	Doc:     "a loop over wavefronts",
	Example: "wavefront c0.1t c0.2t",
	New:     func() schedule.Command { return Wavefront{} },
	Random:  schedule.Chosen[Wavefront],
	Say:     sayWavefront,
})

// Apply replaces the first loop's value by the sum.
func (c Wavefront) Apply(t *schedule.Tree) error {
	n, first, err := t.Chain(c.Loops)
	if err != nil {
		return err
	}
	if len(c.Loops) < 2 {
		return fmt.Errorf("a wavefront needs two loops or more")
	}
	var sum []schedule.Term
	for k := range c.Loops {
		l := n.Loops[first+k]
		if len(l.Terms) != 1 {
			return fmt.Errorf("loop %q is a wavefront already", l.Name)
		}
		sum = append(sum, l.Terms[0])
	}
	n.Loops[first].Terms = sum
	n.Loops[first].Permutable = false
	return nil
}

// sayWavefront says over how many loops' wavefronts a loop runs.
func sayWavefront(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	if len(l.Terms) < 2 {
		return nil
	}
	return schedule.Say(schedule.AboutRange, fmt.Sprintf("over wavefronts of %d loops", len(l.Terms)))
}
