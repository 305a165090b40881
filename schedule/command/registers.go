package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Registers tiles point loops by a few iterations each, whose values are kept in
// registers: register tiling, or unroll-and-jam. The loops go innermost, in the order in
// which they are named, and a loop over blocks of each stays in front of the
// other point loops, which run inside a block:
//
//	registers c0.1 c0.3 by 4 8
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.1r for c0.3r for c0.2 { for c0.1 for c0.3 }
//
// In full blocks the loops in braces are unrolled, and elements that stay the
// same along the loops around them are kept in variables. With lanes the last
// loop runs in SIMD lanes, and full blocks are written with vectors of so many
// elements.
type Registers struct {
	Loops []string
	Sizes []int64
	// Apart schedules what is full apart from what is not, for bands whose statements
	// have different depths or ranges: in a full stretch of the iterations inside a block
	// a single statement runs, at all points; everything else runs before it or behind
	// it, without vectors. There is one loop inside blocks beside those that are named.
	Apart bool
	// Ahead asks for the elements that the next block keeps in registers while one
	// runs: they come from a far cache, or from memory, where tiles are large.
	Ahead bool
	// Lanes is the number of elements of a vector, a divisor of the last size; 0
	// for code without vectors.
	Lanes int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "registers LOOPS by SIZES [apart] [ahead] [lanes COUNT]",
	Doc:     "register blocks",
	Example: "registers c0.1 c0.3 by 4 8 apart ahead lanes 4",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Registers{} },
	Random:  randomRegisters,
	Say:     sayRegisters,
	Without: withoutRegisters,
})

// mostUnrolled bounds the instances of a statement in a full block, and mostVectors the
// vectors of them, so that the code stays small enough to be compiled in a second.
const mostUnrolled, mostVectors = 1024, 256

// Apply reorders the point loops.
func (c Registers) Apply(t *schedule.Tree) error {
	n, first, err := c.pointLoops(t)
	if err != nil {
		return err
	}
	if err := c.checkSizes(); err != nil {
		return err
	}
	points := n.Loops[first:]
	var blocks, others, unrolled []*schedule.Loop
	for k, name := range c.Loops {
		place := slices.IndexFunc(points, func(l *schedule.Loop) bool { return l.Name == name })
		if place < 0 {
			return fmt.Errorf("%q is not a point loop of %s, or is named twice", name, n.Name)
		}
		l := points[place]
		points = slices.Concat(points[:place], points[place+1:])
		blocks = append(blocks, &schedule.Loop{Name: l.Name + schedule.BlockSuffix, Of: l.Of, Terms: []schedule.Term{{Rows: l.Terms[0].Rows, Size: c.Sizes[k]}}, Band: l.Band, Permutable: true, Block: true})
		inner := *l
		inner.Unrolled = true
		if c.Lanes > 0 && k == len(c.Loops)-1 {
			inner.Marks = inner.Marks.With(mark.Vector{})
		}
		unrolled = append(unrolled, &inner)
	}
	others = points
	if c.Apart {
		if err := mayBeApart(t, n, others); err != nil {
			return err
		}
	}
	inside := slices.Concat(others, unrolled)
	head := *inside[0]
	head.Ask(c)
	inside[0] = &head
	n.Loops = slices.Concat(n.Loops[:first], blocks, inside)
	return nil
}

// Stands is above the first loop inside a block.
func (Registers) Stands() schedule.Standing { return schedule.AboveBlock }

// Marks say how the loops inside a block are printed.
func (c Registers) Marks(at *schedule.Place) []mark.Mark {
	streams := slices.IndexFunc(at.Inside, func(l *schedule.Loop) bool { return l.Unrolled })
	if streams < 0 {
		streams = len(at.Inside)
	}
	return []mark.Mark{mark.Registers{Loop: at.Loop.Name, Streams: streams, Sizes: c.Sizes, Lanes: c.Lanes, Ahead: c.Ahead}}
}

// Divides says whether full stretches are scheduled apart from everything else, and how many loops
// full blocks unroll.
func (c Registers) Divides() (unrolled int, is bool) { return len(c.Sizes), c.Apart }

// InStretch are the blocks in a full stretch; there are none in others.
func (c Registers) InStretch(isFull bool) schedule.Request {
	if !isFull {
		return nil
	}
	c.Apart = false
	return c
}

// BlockAt are the register blocks inside which a loop is the outermost one; ok is false where there
// are none.
func BlockAt(l *schedule.Loop) (blocks Registers, ok bool) { return schedule.RequestOf[Registers](l) }

// startsBlock says whether a loop is the outermost one inside register blocks.
func startsBlock(l *schedule.Loop) bool {
	_, is := BlockAt(l)
	return is
}

// pointLoops are the node and the place of its first point loop.
func (c Registers) pointLoops(t *schedule.Tree) (*schedule.Node, int, error) {
	if len(c.Loops) == 0 || len(c.Sizes) != len(c.Loops) {
		return nil, 0, fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	n, place, err := t.Loop(c.Loops[0])
	if err != nil {
		return nil, 0, err
	}
	named := n.Loops[place]
	isFirst := func(l *schedule.Loop) bool { return t.ShareBand(l, named) && l.Level == 0 }
	if t.Unclaimed {
		isFirst = func(l *schedule.Loop) bool { return slices.Contains(c.Loops, l.Name) }
	}
	first := slices.IndexFunc(n.Loops, isFirst)
	if first < 0 {
		return nil, 0, fmt.Errorf("%q is not a point loop of %s, or is named twice", c.Loops[0], n.Name)
	}
	for _, l := range n.Loops[first:] {
		switch {
		case !t.ShareBand(l, named) || l.Level > 0 || l.Block || len(l.Terms) != 1 || l.IsParallel() || l.IsVector() || l.Collapsed:
			return nil, 0, fmt.Errorf("loop %q is among the point loops of %s; registers needs plain point loops of one band innermost", l.Name, n.Name)
		}
	}
	if n.PartsHaveLoops() {
		return nil, 0, fmt.Errorf("the parts of %s have loops of their own", n.Name)
	}
	return n, first, nil
}

// mayBeApart makes sure that there is one loop along which stretches follow each
// other, and no private variable whose object two of them would share.
func mayBeApart(t *schedule.Tree, n *schedule.Node, streams []*schedule.Loop) error {
	if len(streams) != 1 {
		return fmt.Errorf("apart needs one loop inside the blocks of %s that is not unrolled; there are %d", n.Name, len(streams))
	}
	for _, private := range t.Program.Privates() {
		if slices.ContainsFunc(private.Statements, func(s int) bool { return slices.Contains(n.Statements, s) }) {
			return fmt.Errorf("the statements of %s share the private variable %s, so that they cannot run apart", n.Name, private.Name)
		}
	}
	return nil
}

// checkSizes makes sure that blocks are not empty, not too large, and of whole
// vectors.
func (c Registers) checkSizes() error {
	product, most := int64(1), max(mostUnrolled, mostVectors*c.Lanes)
	for _, size := range c.Sizes {
		if size < 1 || size > mostUnrolled {
			return fmt.Errorf("the size %d of a register block is not between 1 and %d", size, mostUnrolled)
		}
		if product *= size; product > most {
			return fmt.Errorf("a register block has %v iterations, more than %d", c.Sizes, most)
		}
	}
	if c.Lanes > 0 && c.Lanes&(c.Lanes-1) != 0 {
		return fmt.Errorf("%d lanes are not a power of two", c.Lanes)
	}
	if last := c.Sizes[len(c.Sizes)-1]; c.Lanes < 0 || c.Lanes > 0 && last%c.Lanes != 0 {
		return fmt.Errorf("%d iterations are not a whole number of vectors of %d lanes", last, c.Lanes)
	}
	return nil
}

// randomRegisters are register blocks of one or two loops of a node: with lanes, or, where these
// are refused, without.
func randomRegisters(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, func(n *schedule.Node) bool { return len(plainPoints(t, n)) > 0 })
	if n == nil {
		return nil
	}
	points := shuffled(random, plainPoints(t, n))
	c := Registers{Loops: points[:1+random.IntN(min(2, len(points)))], Ahead: random.IntN(2) == 0}
	for range c.Loops {
		c.Sizes = append(c.Sizes, 2*(1+random.Int64N(2)))
	}
	var commands []schedule.Command
	for _, lanes := range []int64{4, 2, 0} {
		c.Lanes, c.Apart = lanes, lanes < 4 && random.IntN(2) == 0
		if lanes <= c.Sizes[len(c.Sizes)-1] {
			commands = append(commands, c)
		}
	}
	return commands
}

var withoutRegisters = schedule.Lacking[mark.Registers]("without register blocks")

// sayRegisters says what a loop has to do with register blocks.
func sayRegisters(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	var phrases []schedule.Phrase
	switch {
	case len(l.Terms) > 1 || l.Level > 0:
	case l.Block:
		phrases = schedule.Say(schedule.AboutRange, fmt.Sprintf("over register blocks of %d", l.Terms[0].Size))
	case l.Unrolled:
		phrases = schedule.Say(schedule.AboutRange, "unrolled in full blocks")
	}
	if missing := t.Lacks(l.Name, withoutRegisters); missing != "" {
		phrases = append(phrases, schedule.Say(schedule.AboutRange, missing)...)
	}
	if blocks, is := BlockAt(l); is && blocks.Ahead {
		phrases = append(phrases, schedule.Say(schedule.AboutAhead, "while what the next block keeps is fetched")...)
	}
	return phrases
}
