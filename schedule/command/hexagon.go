package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
)

// HexagonSuffix stands behind the names of loops over hexagonal tiles.
const HexagonSuffix = "h"

// Hexagon tiles loops over time and space with hexagons in time and the first dimension of space,
// and with parallelograms in the others (INRIA RR-8339, section 3). The tiles of a time tile run in
// two phases, in each of which those along the first dimension do not wait for each other:
//
//	hexagon c0.1 c0.2 c0.3 by 4 8 32 slopes 1 1 1
//
//	for c0.1                 for c0.1h                    time tiles of 8 steps
//	  for c0.2      -->        c0p0: for c0p0.2h          hexagons of the first phase, in any order
//	    for c0.3                       for c0p0.3h        parallelograms of 32, in order
//	      …                              for c0p0.1       the steps of a tile
//	                                       for c0p0.2 for c0p0.3
//	                           c0p1: the same for the second phase
//
// The sizes are half of a tile's height h + 1, its least width w0 + 1, and the widths of the
// parallelograms. The slopes say how far dependences go for each step at most: upwards and
// downwards along the first dimension, downwards along each of the others. Every value of the loop
// over time carries all dependences, which nothing claims: the proof looks at instances.
type Hexagon struct {
	Loops  []string
	Sizes  []int64
	Slopes []schedule.Slope
}

var _ = All.Add(schedule.Spec{
	Syntax:  "hexagon LOOPS by SIZES slopes SLOPES",
	Doc:     "hexagonal tiles in time and space",
	Example: "hexagon c0.1 c0.2 by 4 8 slopes 1 1",
	New:     func() schedule.Command { return Hexagon{} },
	Random:  randomHexagon,
	Say:     sayHexagon,
	Most:    1 << 16,
})

// Apply makes a loop over time tiles, and a part for each phase.
func (c Hexagon) Apply(t *schedule.Tree) error {
	n, first, err := c.loops(t)
	if err != nil {
		return err
	}
	points := n.Loops[first : first+len(c.Loops)]
	shape := &schedule.Hexagon{Time: points[0].Terms[0].Rows, Sizes: c.Sizes, Slopes: c.Slopes}
	for _, l := range points[1:] {
		shape.Space = append(shape.Space, l.Terms[0].Rows)
	}
	if err := shape.Check(); err != nil {
		return err
	}
	phases := make([]*schedule.Node, schedule.HexagonPhases)
	for k := range phases {
		phases[k] = c.phase(n, first, shape, k)
	}
	n.Loops = append(n.Loops[:first:first], c.tile(points[0], shape, 0))
	n.Parts = phases
	return nil
}

// loops are the loops, from a place of a node on.
func (c Hexagon) loops(t *schedule.Tree) (n *schedule.Node, first int, err error) {
	switch {
	case len(c.Loops) < 2:
		return nil, 0, fmt.Errorf("a hexagon has a loop over time and one over space, and perhaps more of these, not %d loops", len(c.Loops))
	case len(c.Sizes) != len(c.Loops):
		return nil, 0, fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	case len(c.Slopes) != len(c.Loops):
		return nil, 0, fmt.Errorf("%d slopes for %d loops: there are two for the first dimension of space, and one for each of the others", len(c.Slopes), len(c.Loops))
	case slices.Min(c.Sizes) < 1:
		return nil, 0, fmt.Errorf("the size %d is not positive", slices.Min(c.Sizes))
	}
	return stencilLoops(t, c.Loops)
}

// stencilLoops are loops right inside each other that run over the points of time and space, from a
// place of a node on.
func stencilLoops(t *schedule.Tree, names []string) (n *schedule.Node, first int, err error) {
	for k, name := range names {
		node, place, err := t.Loop(name)
		switch {
		case err != nil:
			return nil, 0, err
		case k == 0:
			n, first = node, place
		case node != n || place != first+k:
			return nil, 0, fmt.Errorf("loop %q does not come right inside %q", name, names[k-1])
		}
		l := n.Loops[place]
		if l.Level > 0 || l.Block || len(l.Terms) != 1 || l.TileRows != nil || l.IsVector() || l.IsOnDevice() || l.Collapsed || isMarked(l) {
			return nil, 0, fmt.Errorf("loop %q is no plain loop over points", name)
		}
		if _, _, err := t.Loop(name + "t"); err == nil {
			return nil, 0, fmt.Errorf("loop %q is tiled already", name)
		}
	}
	return n, first, nil
}

// tile is a loop over tiles, by the place of its coordinate.
func (c Hexagon) tile(point *schedule.Loop, shape *schedule.Hexagon, place int) *schedule.Loop {
	return &schedule.Loop{Name: point.Name + HexagonSuffix, Band: point.Band, Level: 1, Hexagon: &schedule.HexagonPlace{Of: shape, Place: place}}
}

// phase is the part of a phase: loops over its tiles along the dimensions of space, and the loops
// inside a tile.
func (c Hexagon) phase(n *schedule.Node, first int, shape *schedule.Hexagon, number int) *schedule.Node {
	own := phaseOf(n, first, len(c.Loops), number)
	own.Phase = &schedule.HexagonPhase{Of: shape, Number: number}
	var tiles []*schedule.Loop
	for k, l := range own.Loops[1:len(c.Loops)] {
		tiles = append(tiles, c.tile(l, shape, k+1))
	}
	own.Loops = slices.Insert(own.Loops, 0, tiles...)
	return own
}

// phaseOf is the part of a phase: the loops of a node from a place on, of which those over space
// may change places.
func phaseOf(n *schedule.Node, first, loops, number int) *schedule.Node {
	own := renamed(n, n.Name, fmt.Sprint(n.Name, phaseMark, number))
	own.Loops, own.Marks = own.Loops[first:], nil
	for _, l := range own.Loops[1:loops] {
		l.Band, l.Permutable = n.Bands, true
	}
	own.Bands++
	return own
}

// randomHexagon tiles the loops of a node from the outermost plain one on. In half of the cases
// where these are a permutable band, the first one becomes the sum of all, which carries what any
// of them does, so that slopes of 1 upwards and of 0 downwards are legal. Other slopes may be too
// small, and the width may be smaller than they need, now and then.
func randomHexagon(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(plainChain(n)) > 1 })
	if n == nil {
		return nil
	}
	points := plainChain(n)
	c := Hexagon{Loops: points[:2+random.IntN(len(points)-1)]}
	commands, isBand := []schedule.Command{}, len(squareOf(t, n)) >= len(points)
	if isBand && random.IntN(2) == 0 {
		for _, along := range points[1:] {
			commands = append(commands, Skew{Loop: points[0], Factor: 1, Along: along})
		}
		c.Slopes = []schedule.Slope{schedule.NewSlope(1, 1), schedule.NewSlope(0, 1)}
	}
	for len(c.Slopes) < len(c.Loops) {
		c.Slopes = append(c.Slopes, schedule.RandomSlope(random))
	}
	for range c.Loops {
		c.Sizes = append(c.Sizes, 1+random.Int64N(3))
	}
	least := (&schedule.Hexagon{Sizes: c.Sizes, Slopes: c.Slopes}).LeastWidth()
	if c.Sizes[1] = max(c.Sizes[1], least); random.IntN(3) == 0 {
		c.Sizes[1] = max(1, least-1)
	}
	return append(commands, c)
}

// plainChain are the names of a node's loops from its first plain one on, as far as they are plain.
func plainChain(n *schedule.Node) (names []string) {
	for _, l := range n.Loops {
		switch {
		case isPlain(l) && !l.IsOnDevice():
			names = append(names, l.Name)
		case len(names) > 0:
			return names
		}
	}
	return names
}

// sayHexagon says of what tiles a loop runs over.
func sayHexagon(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	switch {
	case l.Hexagon == nil:
		return nil
	case l.Hexagon.Place == 0:
		return schedule.Say(schedule.AboutRange, fmt.Sprintf("over tiles of %d steps, in two phases", schedule.HexagonPhases*l.Hexagon.Of.Sizes[0]))
	case l.Hexagon.Place == 1:
		return schedule.Say(schedule.AboutRange, fmt.Sprintf("over hexagons at least %d wide", l.Hexagon.Of.Sizes[1]))
	}
	return schedule.Say(schedule.AboutRange, fmt.Sprintf("over sloped tiles of %d", l.Hexagon.Of.Sizes[l.Hexagon.Place]))
}
