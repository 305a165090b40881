package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// OverlappedSuffix stands behind the names of loops over overlapped tiles.
const OverlappedSuffix = "o"

// Overlapped tiles a loop over time and loops over space with tiles that compute what they need of
// each other again: those of one time tile are independent, and start once for several steps.
//
//	overlapped c0.1 c0.2 c0.3 by 3 32 32 slopes 1 1 rest 1
//
//	for c0.1                c0p0: for c0p0.1o                    time tiles of 3 steps
//	  for c0.2      -->             for c0p0.2o for c0p0.3o      tiles of 32 x 32 points, in any order
//	    for c0.3                      for c0p0.1                 the steps of a tile
//	      …                             for c0p0.2 for c0p0.3    its points, and at each step before the last one those a slope further away
//	                        c0p1: for c0p1.1                     the steps that are left, 1 at least
//	                                for c0p1.2 for c0p1.3
//
// The sizes are the number of steps and the widths of tiles. The slopes say how far values are
// needed along each dimension of space for each step. Each tile has what it writes in memory of its
// own (copy A at c0p0.3o to shared), and stores its own points at the last step alone, or at as many
// of the last steps as keeping says. The steps that are left write what no tile has stored.
//
// What tiles store others of their launch may not load, where it is in the same place. Arrays behind
// swapping have a second grid, which tiles store to, and which takes the first one's place behind
// each launch:
//
//	overlapped c0.1 c0.2 c0.3 by 6 32 32 slopes 1 1 rest 1 keeping 2 swapping ex ey hz
//
// Tiles of two dimensions of space or more may be streamed along one of them:
//
//	overlapped c0.1 c0.2 c0.3 by 3 64 58 slopes 1 1 rest 1 streaming c0.2
//
//	for c0.1                c0p0: for c0p0.1o
//	  for c0.2      -->             for c0p0.2o for c0p0.3o
//	    for c0.3                      for c0p0.2                 planes: that of each step, one behind the other
//	      …                             for c0p0.1               the steps
//	                                      for c0p0.3             the points of a step's plane
//	                        c0p1: …
//
// Then values stay in the registers of the thread that has computed them, and threads give each
// other what they need in two planes in shared memory. There are no copies.
type Overlapped struct {
	Loops     []string
	Sizes     []int64
	Slopes    []schedule.Slope
	Rest      int64
	Streaming string
	Keeping   int64
	Swapping  []string
}

var _ = All.Add(schedule.Spec{
	Syntax:  "overlapped LOOPS by SIZES slopes SLOPES rest COUNT [streaming LOOP] [keeping COUNT] [swapping ARRAYS]",
	Doc:     "tiles that compute values of their neighbours again",
	Example: "overlapped c0.1 c0.2 c0.3 by 3 32 32 slopes 1 1 rest 1",
	On:      schedule.Devices,
	New:     func() schedule.Command { return Overlapped{Keeping: 1} },
	Random:  randomOverlapped,
	Say:     sayOverlapped,
	Most:    1 << 16,
})

// Apply makes a part with loops over tiles, and one for the steps that are left.
func (c Overlapped) Apply(t *schedule.Tree) error {
	n, first, err := c.loops(t)
	if err != nil {
		return err
	}
	points := n.Loops[first : first+len(c.Loops)]
	shape := &schedule.Overlapped{Time: points[0].Terms[0].Rows, Sizes: c.Sizes, Slopes: c.Slopes, Rest: c.Rest, Keeping: c.Keeping, Swapped: c.Swapping}
	if shape.Stream, err = c.streaming(t, n, first); err != nil {
		return err
	}
	for _, l := range points[1:] {
		shape.Space = append(shape.Space, l.Terms[0].Rows)
	}
	phases := make([]*schedule.Node, schedule.OverlappedPhases)
	for k := range phases {
		phases[k] = phaseOf(n, first, len(c.Loops), k)
		phases[k].Phase = &schedule.OverlappedPhase{Of: shape, Number: k}
	}
	tiles := phases[0]
	if shape.Stream != nil {
		streamFirst(tiles, shape)
	}
	var over []*schedule.Loop
	for k := range c.Loops {
		band := tiles.Bands
		if k == 0 {
			band++
		}
		name := phases[1].Loops[k].Name
		over = append(over, &schedule.Loop{Name: tiles.Name + strings.TrimPrefix(name, phases[1].Name) + OverlappedSuffix, Band: band, Permutable: k > 0, Level: 1, Overlapped: &schedule.OverlappedPlace{Of: shape, Place: k}})
	}
	tiles.Bands += 2
	tiles.Loops = slices.Insert(tiles.Loops, 0, over...)
	n.Loops, n.Parts = n.Loops[:first:first], phases
	return nil
}

// loops are the loops, from a place of a node on.
func (c Overlapped) loops(t *schedule.Tree) (n *schedule.Node, first int, err error) {
	switch {
	case len(c.Loops) < 2:
		return nil, 0, fmt.Errorf("overlapped tiles have a loop over time and one over space, and perhaps more of these, not %d loops", len(c.Loops))
	case len(c.Sizes) != len(c.Loops):
		return nil, 0, fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	case len(c.Slopes) != len(c.Loops)-1:
		return nil, 0, fmt.Errorf("%d slopes for %d loops over space", len(c.Slopes), len(c.Loops)-1)
	case slices.Min(c.Sizes) < 1:
		return nil, 0, fmt.Errorf("the size %d is not positive", slices.Min(c.Sizes))
	}
	if n, first, err = stencilLoops(t, c.Loops); err != nil {
		return nil, 0, err
	}
	for _, array := range c.Swapping {
		if !slices.Contains(writtenIn(t.Program, n.Statements), array) {
			return nil, 0, fmt.Errorf("the statements of the tiles write no array %s, which would have a second grid", array)
		}
	}
	again := loopWith(n, t.Outside(n), func(l *schedule.Loop) bool { return l.Overlapped != nil || l.Hexagon != nil })
	t.Walk(func(other *schedule.Node) bool {
		for _, l := range other.Loops {
			if l.Overlapped != nil && slices.ContainsFunc(other.Statements, func(s int) bool { return slices.Contains(n.Statements, s) }) {
				again = l.Name
			}
		}
		return true
	})
	if again != "" {
		return nil, 0, fmt.Errorf("loop %q runs over tiles of these statements already", again)
	}
	return n, first, nil
}

// randomOverlapped tiles the loops of a node from the outermost plain one on; now and then with
// what makes a kernel of the tiles. The slopes may be too small, and tiles may store what others
// load.
func randomOverlapped(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(plainChain(n)) > 1 })
	if n == nil {
		return nil
	}
	points := plainChain(n)
	c := Overlapped{Loops: points[:min(maxDimensions+1, 2+random.IntN(len(points)-1))], Rest: 1 + random.Int64N(2), Keeping: 1}
	if random.IntN(2) == 0 {
		c.Keeping, c.Swapping = 1+random.Int64N(3), writtenIn(t.Program, n.Statements)
	}
	for k := range c.Loops {
		c.Sizes = append(c.Sizes, 1+random.Int64N(5))
		if k > 0 {
			c.Slopes = append(c.Slopes, schedule.RandomSlope(random))
		}
	}
	if len(c.Loops) > 2 && len(n.Loops) == len(c.Loops) && random.IntN(3) == 0 {
		c.Streaming = c.Loops[1+random.IntN(len(c.Loops)-1)]
	}
	if random.IntN(2) == 0 {
		return []schedule.Command{c}
	}
	part := fmt.Sprint(n.Name, phaseMark, 0)
	var tiles []string
	for _, name := range c.Loops {
		tiles = append(tiles, part+strings.TrimPrefix(name, n.Name)+OverlappedSuffix)
	}
	commands := []schedule.Command{c, Block{Loops: tiles[1:]}}
	if c.Streaming != "" {
		return append(commands, c.randomThreads(random, n)...)
	}
	for _, array := range writtenIn(t.Program, n.Statements) {
		commands = append(commands, Copy{Array: array, Loop: tiles[len(tiles)-1], Memory: string(mark.Shared)})
	}
	return commands
}

// writtenIn are the arrays that some statements write.
func writtenIn(p *scop.Program, statements []int) (arrays []string) {
	for _, s := range statements {
		for _, access := range p.Statements[s].Accesses {
			if access.Write && !slices.Contains(arrays, access.Array) {
				arrays = append(arrays, access.Array)
			}
		}
	}
	return arrays
}

// sayOverlapped says of what tiles a loop runs over.
func sayOverlapped(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	switch {
	case l.Overlapped == nil:
		return nil
	case l.Overlapped.Place == 0:
		return schedule.Say(schedule.AboutRange, fmt.Sprintf("over tiles of %d steps", l.Overlapped.Of.Sizes[0]))
	}
	return schedule.Say(schedule.AboutRange, fmt.Sprintf("over tiles of %d that overlap", l.Overlapped.Of.Sizes[l.Overlapped.Place]))
}
