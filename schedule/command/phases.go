package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
)

// Phases runs the tiles of each iteration of a tile loop in phases, which are told apart by the
// tile loops of the same band right inside it that stand at the same tile as it does: first those
// tiles at which all do, last those at which none does. So blocked decompositions are run: the
// diagonal tile, the panels below and beside it, and the update of all that is left, whose tiles do
// not wait for each other.
//
//	phases c0.3t
//
//	for c0.3t             for c0.3t
//	  for c0.2t     -->     c0p0: c0.2t = c0.3t, c0.1t = c0.3t
//	    for c0.1t           c0p1: c0.2t = c0.3t, c0.1t elsewhere
//	                        c0p2: c0.2t elsewhere, c0.1t = c0.3t
//	                        c0p3: both elsewhere
//
// Each phase has all loops inside for itself, under names of its own: c0p1.1t is the c0.1t of
// phase c0p1. It follows the commands that are the same for all phases.
type Phases struct{ Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "phases LOOP",
	Doc:     "the division of tiles into phases",
	Example: "phases c0.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Phases{} },
	Random:  randomPhases,
	Say:     schedule.Silent,
})

// mostPhased bounds the tile loops that tell phases apart: each of them doubles their number.
const mostPhased = 3

// phaseMark stands in the name of a phase between the node's name and the phase's number.
const phaseMark = "p"

// Apply makes a part of the node for each phase.
func (c Phases) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	outer, inside := n.Loops[place], n.Loops[place+1:]
	count := 0
	for count < len(inside) && t.ShareBand(inside[count], outer) && inside[count].Level == outer.Level && !inside[count].Block {
		count++
	}
	switch {
	case outer.Level != 1 || count == 0 || count > mostPhased:
		return fmt.Errorf("loop %q is no tile loop with one to %d others of its band right inside it", c.Loop, mostPhased)
	case outer.Hexagon != nil:
		return fmt.Errorf("loop %q runs over hexagons, which have phases already", c.Loop)
	case isMarked(outer):
		return fmt.Errorf("loop %q has a mark that its phases could not keep", c.Loop)
	}
	for _, l := range append([]*schedule.Loop{outer}, inside[:count]...) {
		if len(l.Terms) != 1 || l.Terms[0].Size < 2 || l.Terms[0].Size != outer.Terms[0].Size || l.IsParallel() || l.StartsThreads() || bringsElements(l) {
			return fmt.Errorf("loop %q is no plain tile loop with tiles of %d iterations, of two at least", l.Name, outer.Terms[0].Size)
		}
	}
	phases := make([]*schedule.Node, 1<<count)
	for k := range phases {
		phases[k] = c.phase(n, place, count, k)
	}
	n.Loops, n.Parts = n.Loops[:place+1], phases
	return nil
}

// isMarked says whether something is noted at the loop that is about the loops inside.
func isMarked(l *schedule.Loop) bool {
	return l.IsParallel() || l.StartsThreads() || isSeparate(l) || bringsElements(l)
}

// bringsElements says whether elements are packed or copied at the loop.
func bringsElements(l *schedule.Loop) bool {
	return len(schedule.Requested[Pack](l)) > 0 || len(schedule.Requested[Copy](l)) > 0 || len(l.Boxes) > 0
}

// phase is the phase of a number, in whose bits, the highest first, the loops inside stand
// elsewhere.
func (c Phases) phase(n *schedule.Node, place, count, number int) *schedule.Node {
	own := renamed(n, n.Name, fmt.Sprint(n.Name, phaseMark, number))
	own.Loops, own.Marks = own.Loops[place+1:], nil
	phase := &schedule.TilePhase{Outer: n.Loops[place]}
	own.Phase = phase
	for k, l := range own.Loops[:count] {
		if number>>(count-1-k)&1 == 0 {
			phase.At = append(phase.At, l)
		} else {
			phase.Elsewhere = append(phase.Elsewhere, l)
		}
	}
	return own
}

// renamed is a copy of a node with its loops and parts, whose names begin differently.
func renamed(n *schedule.Node, before, after string) *schedule.Node {
	own := *n
	own.Name = after + strings.TrimPrefix(n.Name, before)
	own.Statements = slices.Clone(n.Statements)
	own.Loops, own.Parts = nil, nil
	for _, loop := range n.Loops {
		l := *loop
		l.Name = after + strings.TrimPrefix(loop.Name, before)
		l.Terms = slices.Clone(loop.Terms)
		own.Loops = append(own.Loops, &l)
	}
	for _, part := range n.Parts {
		own.Parts = append(own.Parts, renamed(part, before, after))
	}
	return &own
}

// In is the name that a loop inside has in a phase, by the phase's number.
func (c Phases) In(number int, loop string) string {
	node := c.Loop[:max(0, strings.LastIndex(c.Loop, "."))]
	return fmt.Sprint(node, phaseMark, number) + strings.TrimPrefix(loop, node)
}

// randomPhases are square tiles of the innermost loops of a node, moved inwards at times, in phases
// along one of them.
func randomPhases(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(squareOf(t, n)) > 1 })
	if n == nil {
		return nil
	}
	tile := Tile{Loops: squareOf(t, n)}
	size := 2 + random.Int64N(3)
	for range tile.Loops {
		tile.Sizes = append(tile.Sizes, size)
	}
	commands, order := []schedule.Command{tile}, slices.Clone(tile.Loops)
	for range random.IntN(len(tile.Loops)) {
		sunk := pick(random, order)
		order = append(except(order, []string{sunk}), sunk)
		commands = append(commands, Sink{Loop: sunk + "t"})
	}
	return append(commands, Phases{Loop: order[0] + "t"})
}

// squareOf are the names of the innermost loops of a node that are plain and of one permutable
// band.
func squareOf(t *schedule.Tree, n *schedule.Node) (names []string) {
	for _, l := range slices.Backward(n.Loops) {
		if !t.MayMove(l) || !isPlain(l) || !t.ShareBand(l, n.Loops[len(n.Loops)-1]) {
			break
		}
		names = append([]string{l.Name}, names...)
	}
	return names
}
