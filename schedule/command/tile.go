package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Tile blocks consecutive loops of a permutable band:
//
//	tile c0.1 c0.2 by 32 64
//
//	for c0.1 for c0.2  -->  for c0.1t for c0.2t for c0.1 for c0.2
//
// One loop alone is strip-mined. As are names that the tile loops get, and behind these the loops
// themselves; there may be none, or names of the tile loops alone.
type Tile struct {
	Loops []string
	Sizes []int64
	As    []string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "tile LOOPS by SIZES [as NAMES]",
	Doc:     "tiling",
	Example: "tile c0.1 c0.2 by 32 32 as i0 j0 i1 j1",
	New:     func() schedule.Command { return Tile{} },
	Random:  schedule.Chosen[Tile],
	Say:     sayTiles,
})

// Apply puts the tile loops in front of the loops.
func (c Tile) Apply(t *schedule.Tree) error {
	n, first, err := t.Chain(c.Loops)
	if err != nil {
		return err
	}
	if len(c.Sizes) != len(c.Loops) {
		return fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	tiles := make([]*schedule.Loop, len(c.Loops))
	for k, size := range c.Sizes {
		point := n.Loops[first+k]
		if size < 1 {
			return fmt.Errorf("the tile size of %q is %d; it must be positive", point.Name, size)
		}
		if len(point.Terms) != 1 || point.IsParallel() || point.IsVector() || point.Collapsed {
			return fmt.Errorf("loop %q is a wavefront, a loop over hexagons, or a parallel or vector loop already; tile it before", point.Name)
		}
		tiles[k] = &schedule.Loop{
			Name:       point.Name + "t",
			Of:         point.Of,
			Terms:      []schedule.Term{{Rows: point.TilingRows(), Size: point.Terms[0].Size * size}},
			Band:       point.Band,
			Permutable: !t.Unclaimed,
			Level:      point.Level + 1,
		}
		if _, _, err := t.Loop(tiles[k].Name); err == nil {
			return fmt.Errorf("loop %q is tiled already; tile %q for a further level", point.Name, tiles[k].Name)
		}
	}
	if err := c.name(t, append(slices.Clone(tiles), n.Loops[first:first+len(tiles)]...)); err != nil {
		return err
	}
	for k := range tiles {
		point := n.Loops[first+k]
		if ranks, is := mark.Of[mark.Ranks](point.Marks); is {
			tiles[0].Marks, point.Marks = tiles[0].Marks.With(ranks), mark.Without[mark.Ranks](point.Marks)
		}
	}
	n.Loops = slices.Insert(n.Loops, first, tiles...)
	return nil
}

// name gives the tile loops, and the loops behind them, the names that there are for them.
func (c Tile) name(t *schedule.Tree, loops []*schedule.Loop) error {
	if count := len(c.As); count != 0 && count != len(c.Loops) && count != len(loops) {
		return fmt.Errorf("%d names for %d tile loops and %[2]d loops over their points", count, len(c.Loops))
	}
	return t.Give(loops[:len(c.As)], c.As)
}

// sayTiles says of what size the tiles are that a loop runs over.
func sayTiles(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	if len(l.Terms) != 1 || l.Level == 0 {
		return nil
	}
	return schedule.Say(schedule.AboutRange, fmt.Sprintf("over tiles of %d", l.Terms[0].Size))
}
