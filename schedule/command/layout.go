package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Layout gives all copies of an array's elements inside a loop memory side by side, for as long as
// the loop runs. The array's elements are brought there once in front of the loop and back behind
// it, and no copy inside moves any:
//
//	copy A at c1p1.2t
//	layout A around c1.1t
//
//	                                           copy A, tile by tile
//	for c1.1t                                  for c1.1t
//	  for c1p1.2t { copy; … ; copy back } -->    for c1p1.2t { … tile c1 of the copy … }
//	                                           copy it back
//
// It is the block data layout of a matrix's tiles, for the time of a loop nest. All that uses the
// array inside the loop has to use such a copy, with tiles along one and the same dimension.
// depend.Graph.Check proves that each element has one place.
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
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(arraysAt[Layout](l), c.Array) }); other != "" {
		return fmt.Errorf("%s has a layout around %q already", c.Array, other)
	}
	if _, err := layoutSide(t, n, place, c.Array); err != nil {
		return err
	}
	n.Loops[place].Ask(c)
	return nil
}

// Stands is above the loop.
func (Layout) Stands() schedule.Standing { return schedule.AroundLoop }

// Marks have the tiles that lie behind each other.
func (c Layout) Marks(at *schedule.Place) []mark.Mark {
	d, err := layoutSide(at.Tree, at.Node, len(at.Node.Loops)-len(at.Inside), c.Array)
	if err != nil {
		return nil
	}
	return []mark.Mark{mark.Layout{Loop: at.Loop.Name, Array: c.Array, Dimension: d.dimension, Size: d.size}}
}

func (c Layout) array() string { return c.Array }

// layoutSide is the one dimension along which all copies of an array inside a loop of a node have
// tiles.
func layoutSide(t *schedule.Tree, n *schedule.Node, place int, array string) (*side, error) {
	copies, err := copiesInside(t, n, place, array)
	if err != nil {
		return nil, err
	}
	var all *side
	for _, c := range copies {
		subscripts, err := subscriptsBelow(t.Program, c.node, array)
		if err != nil {
			return nil, err
		}
		sides := copiedSides(t.Program, subscripts, append(t.Outside(c.node), c.node.Loops[:c.place+1]...))
		switch {
		case len(sides) != 1 || sides[0].size < 2 || sides[0].least != 0 || sides[0].most != 0 || sides[0].dimension == 0:
			return nil, fmt.Errorf("the copy of %s at %q is not that of a tile along one dimension, with another in front", array, c.node.Loops[c.place].Name)
		case all != nil && (all.dimension != sides[0].dimension || all.size != sides[0].size):
			return nil, fmt.Errorf("the copies of %s inside %q have different tiles", array, n.Loops[place].Name)
		}
		all = &sides[0]
	}
	if all == nil {
		return nil, fmt.Errorf("nothing inside %q uses a copy of %s", n.Loops[place].Name, array)
	}
	return all, nil
}

// loopOf is a loop of a node.
type loopOf struct {
	node  *schedule.Node
	place int
}

// copiesInside are the loops of a node from a place on, or inside of it, at which an array is
// copied; the error names what uses the array elsewhere.
func copiesInside(t *schedule.Tree, n *schedule.Node, place int, array string) (copies []loopOf, err error) {
	for k := place; k < len(n.Loops); k++ {
		if slices.Contains(arraysAt[Copy](n.Loops[k]), array) {
			return []loopOf{{n, k}}, nil
		}
	}
	for _, part := range n.Parts {
		inside, err := copiesInside(t, part, 0, array)
		if err != nil {
			return nil, err
		}
		copies = append(copies, inside...)
	}
	for _, s := range n.Statements {
		if statement := &t.Program.Statements[s]; len(n.Parts) == 0 && statement.Names(array) {
			return nil, fmt.Errorf("%s uses %s where it has no copy", statement.Spelling(), array)
		}
	}
	return copies, nil
}

// runsAtOnce says whether iterations of the loop run at the same time, or threads start there that
// all run it.
func runsAtOnce(l *schedule.Loop) bool {
	return l.IsParallel() || l.Collapsed || l.IsVector() || mark.Has[mark.Beside](l.Marks) || l.StartsThreads()
}

// randomLayout has the copies of an array that there are in memory side by side, around the loops
// that allow it.
func randomLayout(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	copied := namesAtLoops(t, arraysAt[Copy])
	array := pick(random, except(copied, namesAtLoops(t, arraysAt[Layout])))
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
	for _, array := range arraysAt[Layout](l) {
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
