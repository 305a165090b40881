package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Exchange says how ranks tell each other elements of arrays in front of a loop that they share: with
// async, what reads none of the elements runs while messages are under way; with apart, each array has
// messages of its own.
//
//	exchange A before S0.i async
//
//	exchange                  send
//	for i in my block   -->   for i that reads nothing of others
//	                          receive
//	                          for i of the rest
type Exchange struct {
	Arrays       []string
	Loop         string
	Async, Apart bool
}

var _ = All.Add(schedule.Spec{
	Syntax:  "exchange ARRAYS before LOOP [async] [apart]",
	Doc:     "how ranks tell each other elements",
	Example: "exchange A before S0.i async",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Exchange{} },
	Random:  schedule.Chosen[Exchange],
	Say:     schedule.Silent,
})

// Apply notes it at the mark of the loop.
func (c Exchange) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	ranks, is := mark.Of[mark.Ranks](n.Loops[place].Marks)
	if !is {
		return fmt.Errorf("ranks do not share the iterations of %q: write \"ranks %s\" before", c.Loop, c.Loop)
	}
	for _, name := range c.Arrays {
		if t.Program.Array(name) == nil {
			return fmt.Errorf("the program has no array %q", name)
		}
		if slices.ContainsFunc(ranks.Ways, func(w mark.Told) bool { return slices.Contains(w.Arrays, name) }) {
			return fmt.Errorf("it is said already how elements of %s are told before %q", name, c.Loop)
		}
	}
	ranks.Ways = append(slices.Clip(ranks.Ways), mark.Told{Arrays: c.Arrays, Async: c.Async, Apart: c.Apart})
	n.Loops[place].Marks = n.Loops[place].Marks.With(ranks)
	return nil
}
