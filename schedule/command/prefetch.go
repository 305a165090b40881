package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Prefetch has each iteration of a loop ask for the lines of an array's memory that the iteration
// so many later reads, and that no iteration before that reads (software prefetching; section I of
// the Tiramisu paper lists it among the optimisations that people write by hand):
//
//	prefetch B at c0.2 by 8
//
//	for c0.2 { … B[k][j] … }  -->  for c0.2 { ask for the lines of B[k + 8][…]; … B[k][j] … }
//
// The elements asked for are ones that are read, so that no address is outside of the array.
type Prefetch struct {
	Array, Loop string
	By          int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "prefetch ARRAY at LOOP by COUNT",
	Doc:     "what iterations ask for that later ones read",
	Example: "prefetch A at c0.2 by 8",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Prefetch{} },
	Random:  randomPrefetch,
	Say:     sayPrefetch,
	Without: withoutPrefetch,
})

// Apply notes at the loop what is asked for.
func (c Prefetch) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l, array := n.Loops[place], t.Program.Array(c.Array)
	reads := func(s int) bool {
		return slices.ContainsFunc(t.Program.Statements[s].Accesses, func(a scop.Access) bool { return a.Array == c.Array && a.Read })
	}
	isPrivate := slices.ContainsFunc(t.Program.Privates(), func(p scop.Private) bool { return p.Name == c.Array })
	switch {
	case array == nil:
		return fmt.Errorf("there is no array %q", c.Array)
	case len(array.Extents) == 0:
		return fmt.Errorf("%s is no array", array.Spelling())
	case isPrivate:
		return fmt.Errorf("iterations have %s of their own, which nobody can ask for before", array.Spelling())
	case l.IsVector():
		return fmt.Errorf("the iterations of %q run in lanes; have the loop around ask for what they read", c.Loop)
	case l.Collapsed || mark.Has[mark.Collapse](l.Marks):
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	case l.Block || l.Unrolled:
		return fmt.Errorf("loop %q is one of register blocks; have a loop around them ask", c.Loop)
	case !slices.ContainsFunc(n.Statements, reads):
		return fmt.Errorf("nothing inside %q reads %s%s", c.Loop, array.Spelling(), storedHint(t.Program, c.Array))
	case slices.Contains(arraysAt[Prefetch](l), c.Array):
		return fmt.Errorf("%q asks for %s already", c.Loop, array.Spelling())
	}
	l.Ask(c)
	return nil
}

// Stands is below the loop.
func (Prefetch) Stands() schedule.Standing { return schedule.AheadOfLoop }

// Marks say what is asked for.
func (c Prefetch) Marks(at *schedule.Place) []mark.Mark {
	return []mark.Mark{mark.Prefetch{Loop: at.Loop.Name, Array: c.Array, By: c.By}}
}

func (c Prefetch) array() string { return c.Array }

// randomPrefetch are the lines of some array, asked for at the loops that allow it.
func randomPrefetch(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	array := pick(random, t.Program.Arrays).Name
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Prefetch{Array: array, Loop: loop, By: 1 + random.Int64N(4)})
	}
	return commands
}

var withoutPrefetch = schedule.Lacking[mark.Prefetch]("without asking for what later iterations read")

// sayPrefetch says what a loop asks for.
func sayPrefetch(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, c := range schedule.Requested[Prefetch](l) {
		text := fmt.Sprintf("asking for the lines of %s that the iteration %d later reads", c.Array, c.By)
		phrases = append(phrases, t.SayOr(l.Name, withoutPrefetch, schedule.AboutAhead, text)...)
	}
	return phrases
}
