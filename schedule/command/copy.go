package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Copy copies the elements of an array that one iteration of a loop touches into memory of their own, where everything inside the loop uses them,
// and those that are written there back behind it. Along each dimension along which that loop, or one around it, runs over tiles of the
// array's subscripts, the copy is as long as a tile, and as what references beside it need, so that rows that lie far apart in the array lie behind each
// other in it:
//
//	copy A at c1p1.2t
//
//	for c1p1.2t { … A[i][j] … } --> for c1p1.2t { copy A's elements; … copy[i][j - 32 c1] … ; copy them back }
//
// It is what Exo calls stage_mem, and a blocked BLAS does before it updates a block many times. Below a parallel loop each thread has a copy of its own.
// depend.Graph.Check proves that the copy has all elements that are used, and that nobody else sees a difference.
type Copy struct{ Array, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "copy ARRAY at LOOP",
	Doc:     "the copy of an array's elements",
	Example: "copy A at c0.1t",
	New:     func() schedule.Command { return Copy{} },
	Random:  randomCopy,
	Say:     sayCopy,
	Without: withoutCopy,
})

// Apply notes the copy at the loop.
func (c Copy) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	array := t.Program.Array(c.Array)
	switch {
	case array == nil:
		return fmt.Errorf("there is no array %q", c.Array)
	case array.Linear:
		return fmt.Errorf("%s has its rows in one subscript, which a copy would not count from its own first element", array.Spelling())
	}
	if place == len(n.Loops)-1 && len(n.Parts) == 0 {
		return fmt.Errorf("nothing is inside %q that could use the copy", c.Loop)
	}
	subscripts, err := schedule.SubscriptsBelow(t.Program, n, c.Array)
	if err != nil {
		return err
	}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(l.Copies, c.Array) }); other != "" {
		return fmt.Errorf("%s is copied at %q already", c.Array, other)
	}
	if !t.CanCopy(subscripts, around) {
		return fmt.Errorf("neither %q nor a loop around it runs over tiles of a subscript of %s in all statements alike, such as j of A[i][j]; tile it", c.Loop, c.Array)
	}
	n.Loops[place].Copies = append(n.Loops[place].Copies, c.Array)
	return nil
}

// loopWith is the name of a loop around or inside a node that has something, "" for none.
func loopWith(n *schedule.Node, around []*schedule.Loop, has func(*schedule.Loop) bool) string {
	loops := append(slices.Clip(around), n.Loops...)
	for parts := slices.Clone(n.Parts); len(parts) > 0; parts = parts[1:] {
		loops, parts = append(loops, parts[0].Loops...), append(parts, parts[0].Parts...)
	}
	if k := slices.IndexFunc(loops, has); k >= 0 {
		return loops[k].Name
	}
	return ""
}

// randomCopy are copies of the elements of an array at the loops that allow it, of one without any where there is one.
func randomCopy(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	copied := namesAtLoops(t, func(l *schedule.Loop) []string { return l.Copies })
	var arrays []string
	for _, a := range t.Program.Arrays {
		arrays = append(arrays, a.Name)
	}
	array := pick(random, except(arrays, copied))
	if array == "" {
		array = pick(random, arrays)
	}
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Copy{Array: array, Loop: loop})
	}
	return commands
}

// sayCopy says of which arrays a loop has copies.
func sayCopy(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range l.Copies {
		text := "with a copy of the elements of " + array + " that an iteration touches"
		phrases = append(phrases, t.SayOr(l.Name, withoutCopy, schedule.AboutCopies, text)...)
	}
	return phrases
}

func withoutCopy(m mark.Mark) string {
	if local, is := m.(mark.Local); is {
		return "without a copy of " + local.Array
	}
	return ""
}
