package command

import (
	"fmt"
	"math"

	"polytune/schedule"
)

// Diamond gives the tiles of a loop a hyperplane of their own, and leaves the
// loop as it is, for the order of the instances inside a tile:
//
//	diamond c0.1 S0[t, i] -> [2t - i]
//	tile c0.1 c0.2 by 32 32
//
//	for c0.1 = t  for c0.2 = 2t + i  -->  for c0.1t = floor((2t - i) / 32)
//	                                        for c0.2t = floor((2t + i) / 32)
//	                                          for c0.1 = t  for c0.2 = 2t + i
//
// This is the eviction of a hyperplane in diamond tiling: Bandishti,
// Pananilath, Bondhugula: Tiling stencil computations to maximize parallelism,
// SC'12, section III. The band of the tile loops, with the new hyperplane in
// the place of the old one, is claimed to be permutable.
type Diamond struct {
	Loop string
	Rows map[int]schedule.Row
}

var _ = All.Add(schedule.Spec{
	Syntax:  "diamond LOOP ROW",
	Doc:     "the direction of tiles that start together",
	Example: "diamond c0.1 S0[t, i] -> [2t - i]; S1[t, i] -> [2t - i + 1]",
	New:     func() schedule.Command { return Diamond{} },
	Random:  schedule.Chosen[Diamond],
	Say:     schedule.Silent,
	Most:    math.MaxInt64,
})

// Apply notes the rows of the tile loop that is made later.
func (c Diamond) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case l.Level > 0 || len(l.Terms) != 1:
		return fmt.Errorf("loop %q is a tile loop or a wavefront; name the loop over points", c.Loop)
	case !t.MayMove(l):
		return fmt.Errorf("loop %q is in a band that is not permutable", c.Loop)
	case l.IsParallel() || l.IsVector():
		return fmt.Errorf("loop %q is parallel or vector already; give its tiles their rows before", c.Loop)
	case l.TileRows != nil:
		return fmt.Errorf("the tiles of loop %q have rows of their own already", c.Loop)
	}
	if _, _, err := t.Loop(c.Loop + "t"); err == nil {
		return fmt.Errorf("loop %q is tiled already; give its tiles their rows before", c.Loop)
	}
	if err := schedule.CheckRows(t, n, []map[int]schedule.Row{c.Rows}); err != nil {
		return err
	}
	l.TileRows = c.Rows
	return nil
}
