package schedule

import (
	"fmt"
	"slices"

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

var _ = register(Spec{
	Syntax:  "registers LOOPS by SIZES [apart] [ahead] [lanes COUNT]",
	Doc:     "register blocks",
	Example: "registers c0.1 c0.3 by 4 8 apart ahead lanes 4",
	New:     func() Command { return Registers{} },
})

// blockSuffix is what the name of a loop over blocks has behind that of its point loop.
const blockSuffix = "r"

// mostUnrolled bounds the instances of a statement in a full block, and mostVectors the
// vectors of them, so that the code stays small enough to be compiled in a second.
const mostUnrolled, mostVectors = 1024, 256

// MostTransposed bounds the vectors that a block transposes at a time.
const MostTransposed = 64

// Apply reorders the point loops.
func (c Registers) Apply(t *Tree) error {
	n, first, err := c.pointLoops(t)
	if err != nil {
		return err
	}
	if err := c.checkSizes(); err != nil {
		return err
	}
	points := n.Loops[first:]
	var blocks, others, unrolled []*Loop
	for k, name := range c.Loops {
		place := slices.IndexFunc(points, func(l *Loop) bool { return l.Name == name })
		if place < 0 {
			return fmt.Errorf("%q is not a point loop of %s, or is named twice", name, n.Name)
		}
		l := points[place]
		points = slices.Concat(points[:place], points[place+1:])
		blocks = append(blocks, &Loop{Name: l.Name + blockSuffix, Terms: []Term{{Rows: l.Terms[0].Rows, Size: c.Sizes[k]}}, Band: l.Band, Permutable: true, Block: true})
		inner := *l
		inner.Unrolled = true
		if c.Lanes > 0 && k == len(c.Loops)-1 {
			inner.Marks = inner.Marks.With(mark.Vector{})
		}
		unrolled = append(unrolled, &inner)
	}
	others = points
	if c.Apart {
		if err := t.mayBeApart(n, others); err != nil {
			return err
		}
	}
	inside := slices.Concat(others, unrolled)
	head := *inside[0]
	head.Registers = &RegisterBlock{Sizes: c.Sizes, Lanes: c.Lanes, Apart: c.Apart, Ahead: c.Ahead}
	inside[0] = &head
	n.Loops = slices.Concat(n.Loops[:first], blocks, inside)
	return nil
}

// pointLoops are the node and the place of its first point loop.
func (c Registers) pointLoops(t *Tree) (*Node, int, error) {
	if len(c.Loops) == 0 || len(c.Sizes) != len(c.Loops) {
		return nil, 0, fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	n, place, err := t.loop(c.Loops[0])
	if err != nil {
		return nil, 0, err
	}
	band := n.Loops[place].Band
	first := slices.IndexFunc(n.Loops, func(l *Loop) bool { return l.Band == band && l.Level == 0 })
	for _, l := range n.Loops[first:] {
		switch {
		case l.Band != band || l.Level > 0 || l.Block || len(l.Terms) != 1 || l.IsParallel() || l.IsVector() || l.Collapsed:
			return nil, 0, fmt.Errorf("loop %q is among the point loops of %s; registers needs plain point loops of one band innermost", l.Name, n.Name)
		}
	}
	if anyLoops(n.Parts) {
		return nil, 0, fmt.Errorf("the parts of %s have loops of their own", n.Name)
	}
	return n, first, nil
}

// mayBeApart makes sure that there is one loop along which stretches follow each
// other, and no private variable whose object two of them would share.
func (t *Tree) mayBeApart(n *Node, streams []*Loop) error {
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

// RegisterBlock says how the loops inside a register block are printed.
type RegisterBlock struct {
	// Sizes are the most iterations, in a block, of each of the innermost loops, which full blocks
	// unroll.
	Sizes []int64
	// Lanes is the number of elements of a vector, 0 for none.
	Lanes int64
	// Apart says that full stretches are scheduled apart from everything else.
	Apart bool
	// Ahead says that full blocks ask for what the next one keeps in registers.
	Ahead bool
}

// mark is the block's mark above the first of the loops inside.
func (b RegisterBlock) mark(inside []*Loop) mark.Registers {
	streams := 0
	for streams < len(inside) && !inside[streams].Unrolled {
		streams++
	}
	return mark.Registers{Loop: inside[0].Name, Streams: streams, Sizes: b.Sizes, Lanes: b.Lanes, Ahead: b.Ahead}
}
