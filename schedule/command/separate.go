package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Separate splits full tiles from partial ones at the innermost tile loop: where the whole tile
// lies inside the statements' domains, the point loops have constant trip counts.
//
//	separate c0.3t
type Separate struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "separate LOOP",
	Doc:     "the separation of full tiles from partial ones",
	Example: "separate c0.3t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Separate{} },
	Random:  randomSeparate,
	Say:     saySeparate,
	Without: withoutSeparate,
})

// Apply marks the loop, which must be the innermost tile loop of its band.
func (c Separate) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if l.Level == 0 {
		return fmt.Errorf("loop %q is not a tile loop", c.Loop)
	}
	if place+1 < len(n.Loops) && n.Loops[place+1].Level == l.Level {
		return fmt.Errorf("loop %q is not the innermost tile loop", c.Loop)
	}
	l.Ask(c)
	return nil
}

// Stands is above the loops over the points of a tile.
func (Separate) Stands() schedule.Standing { return schedule.AroundPoints }

// Marks name the loop over tiles.
func (Separate) Marks(at *schedule.Place) []mark.Mark {
	return []mark.Mark{mark.Tile{Loop: at.Loop.Name}}
}

// isSeparate says whether full tiles of a loop are apart from partial ones.
func isSeparate(l *schedule.Loop) bool { return len(schedule.Requested[Separate](l)) > 0 }

// randomSeparate has full tiles of a node apart.
func randomSeparate(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	isTile := func(l *schedule.Loop) bool { return l.Level > 0 }
	n := pickNode(random, t, func(n *schedule.Node) bool { return slices.ContainsFunc(n.Loops, isTile) })
	if n == nil {
		return nil
	}
	for _, l := range slices.Backward(n.Loops) {
		if isTile(l) {
			return []schedule.Command{Separate{Loop: l.Name}}
		}
	}
	return nil
}

var withoutSeparate = schedule.Lacking[mark.Tile]("without full tiles apart from partial ones")

// saySeparate says that full tiles of a loop have code of their own.
func saySeparate(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	if !isSeparate(l) {
		return nil
	}
	return t.SayOr(l.Name, withoutSeparate, schedule.AboutTiles, "full tiles apart from partial ones")
}
