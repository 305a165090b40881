package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Allocate says in the iterations of which loop memory is made that other commands ask for (Tiramisu,
// Table II: allocate_at): that of copies of an array inside the loop, or of what is computed again
// there, is made once for all of it, and not each time. How large it is follows:
//
//	copy A at c0.2t
//	allocate A at c0.1t
//
//	for c0.1t                                  for c0.1t {
//	  for c0.2t {                                double own[32][32];
//	    double own[32][32];             -->      for c0.2t
//	    copy A to own; … }                         copy A to own; …
//	                                           }
//
// depend.Graph.Check proves that nothing that shares the memory is there at the same time.
type Allocate struct{ Array, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "allocate ARRAY at LOOP",
	Doc:     "where memory is made",
	Example: "allocate A at c0.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Allocate{} },
	Random:  randomAllocate,
	Say:     sayAllocate,
	Without: withoutAllocate,
})

// Apply notes the memory at the loop.
func (c Allocate) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(arraysAt[Allocate](l), c.Array) }); other != "" {
		return fmt.Errorf("the memory of %s is made at %q already", c.Array, other)
	}
	if len(c.computed(t, &schedule.Node{Loops: n.Loops[place+1:], Parts: n.Parts})) > 0 {
		n.Loops[place].Ask(c)
		return nil
	}
	copies, err := copiesInside(t, n, place, c.Array)
	switch {
	case err != nil:
		err = fmt.Errorf("nothing inside %q has memory of its own for %s (%w); copy or compute it before", c.Loop, c.Array, err)
	case len(copies) == 0:
		err = fmt.Errorf("nothing inside %q has memory of its own for %s; copy or compute it before", c.Loop, c.Array)
	}
	for _, copied := range copies {
		if copied.node == n && copied.place <= place {
			return fmt.Errorf("the memory of the copy of %s is made in each iteration of %q anyway", c.Array, c.Loop)
		}
	}
	if err != nil {
		return err
	}
	n.Loops[place].Ask(c)
	return nil
}

// computed are the arrays that have the array's values computed again in loops of a node, or inside.
func (c Allocate) computed(t *schedule.Tree, n *schedule.Node) (names []string) {
	for _, own := range t.Program.Computed {
		isHeld := func(l *schedule.Loop) bool { return slices.Contains(arraysAt[held](l), own.Array) }
		if own.Of == c.Array && loopWith(n, nil, isHeld) != "" {
			names = append(names, own.Array)
		}
	}
	return names
}

// Stands is below the loop, around copies.
func (Allocate) Stands() schedule.Standing { return schedule.WithMemory }

// Marks say whose memory is made.
func (c Allocate) Marks(at *schedule.Place) []mark.Mark {
	var marks []mark.Mark
	for _, name := range c.computed(at.Tree, &schedule.Node{Loops: at.Inside, Parts: at.Node.Parts}) {
		marks = append(marks, mark.Allocate{Loop: at.Loop.Name, Array: name})
	}
	if len(marks) == 0 {
		marks = append(marks, mark.Allocate{Loop: at.Loop.Name, Array: c.Array})
	}
	return marks
}

func (c Allocate) array() string { return c.Array }

// randomAllocate is the memory of an array that has some of its own, at the loops that allow it.
func randomAllocate(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	arrays := namesAtLoops(t, arraysAt[Copy])
	for _, own := range t.Program.Computed {
		arrays = append(arrays, own.Of)
	}
	array := pick(random, arrays)
	if array == "" {
		return nil
	}
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Allocate{Array: array, Loop: loop})
	}
	return commands
}

var withoutAllocate = schedule.Lacking[mark.Allocate]("without memory for copies made once for all of them")

// sayAllocate says whose memory a loop makes.
func sayAllocate(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range arraysAt[Allocate](l) {
		text := "with memory for " + array + " in each iteration"
		phrases = append(phrases, t.SayOr(l.Name, withoutAllocate, schedule.AboutCopies, text)...)
	}
	return phrases
}
