package schedule

import (
	"fmt"
	"slices"
)

// Tile blocks consecutive loops of a permutable band:
//
//	tile c0.1 c0.2 by 32 64
//
//	for c0.1 for c0.2  -->  for c0.1t for c0.2t for c0.1 for c0.2
type Tile struct {
	Loops []string
	Sizes []int64
}

var _ = register(Spec{
	Syntax:  "tile LOOPS by SIZES",
	Doc:     "tiling",
	Example: "tile c0.1 c0.2 by 32 32",
	New:     func() Command { return Tile{} },
})

// Apply puts the tile loops in front of the loops.
func (c Tile) Apply(t *Tree) error {
	n, first, err := t.chain(c.Loops)
	if err != nil {
		return err
	}
	if len(c.Sizes) != len(c.Loops) {
		return fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	tiles := make([]*Loop, len(c.Loops))
	for k, size := range c.Sizes {
		point := n.Loops[first+k]
		if size < 1 {
			return fmt.Errorf("the tile size of %q is %d; it must be positive", point.Name, size)
		}
		if len(point.Terms) != 1 || point.IsParallel() || point.IsVector() || point.Collapsed {
			return fmt.Errorf("loop %q is a wavefront, parallel or vector loop already; tile it before", point.Name)
		}
		tiles[k] = &Loop{
			Name:       point.Name + "t",
			Terms:      []Term{{Rows: point.TilingRows(), Size: point.Terms[0].Size * size}},
			Band:       point.Band,
			Permutable: true,
			Level:      point.Level + 1,
		}
		if _, _, err := t.loop(tiles[k].Name); err == nil {
			return fmt.Errorf("loop %q is tiled already; tile %q for a further level", point.Name, tiles[k].Name)
		}
	}
	n.Loops = slices.Insert(n.Loops, first, tiles...)
	return nil
}
