package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Layout gives all copies of an array's elements inside a loop memory side by side, for as long as the loop runs. The array's elements are brought
// there once in front of the loop and back behind it, and no copy inside moves any:
//
//	copy A at c1p1.2t
//	layout A around c1.1t
//
//	                                           copy A, tile by tile
//	for c1.1t                                  for c1.1t
//	  for c1p1.2t { copy; … ; copy back } -->    for c1p1.2t { … tile c1 of the copy … }
//	                                           copy it back
//
// It is the block data layout of a matrix's tiles, for the time of a loop nest. All that uses the array inside the loop has to use such a copy, with tiles along
// one and the same dimension. depend.Graph.Check proves that each element has one place.
type Layout struct{ Array, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "layout ARRAY around LOOP",
	Doc:     "the layout of an array's copies",
	Example: "layout A around c1.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Layout{} },
	Random:  randomLayout,
	Say:     sayLayout,
	Without: withoutLayout,
})

// Apply notes the layout at the loop.
func (c Layout) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	around := append(t.Outside(n), n.Loops[:place]...)
	if k := slices.IndexFunc(around, runsAtOnce); k >= 0 {
		return fmt.Errorf("iterations of %q, around %q, run at the same time and would share the layout's memory", around[k].Name, c.Loop)
	}
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(l.Layouts, c.Array) }); other != "" {
		return fmt.Errorf("%s has a layout around %q already", c.Array, other)
	}
	if err := t.CheckLayout(n, place, c.Array); err != nil {
		return err
	}
	n.Loops[place].Layouts = append(n.Loops[place].Layouts, c.Array)
	return nil
}

// runsAtOnce says whether iterations of the loop run at the same time, or threads start there that all run it.
func runsAtOnce(l *schedule.Loop) bool {
	return l.IsParallel() || l.Collapsed || l.IsVector() || mark.Has[mark.Beside](l.Marks) || l.StartsThreads()
}

// randomLayout has the copies of an array that there are in memory side by side, around the loops that allow it.
func randomLayout(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	copied := namesAtLoops(t, func(l *schedule.Loop) []string { return l.Copies })
	array := pick(random, except(copied, namesAtLoops(t, func(l *schedule.Loop) []string { return l.Layouts })))
	if array == "" {
		return nil
	}
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Layout{Array: array, Loop: loop})
	}
	return commands
}

// sayLayout says which copies inside a loop lie side by side.
func sayLayout(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range l.Layouts {
		text := "with all copies of " + array + " inside side by side"
		phrases = append(phrases, t.SayOr(l.Name, withoutLayout, schedule.AboutCopies, text)...)
	}
	return phrases
}

func withoutLayout(m mark.Mark) string {
	if layout, is := m.(mark.Layout); is {
		return "without copies of " + layout.Array + " side by side"
	}
	return ""
}
