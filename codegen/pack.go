package codegen

import (
	"fmt"
	"maps"
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// openLoop is a loop around the present node, or a condition, which has no variable.
type openLoop struct {
	variable string
	loop     *loopir.For
	choice   *loopir.If
	// assumed says that this is a condition that is known where the code is printed.
	assumed bool
}

// packing is a mark inside which full register blocks read a reference's
// elements from a buffer.
type packing struct {
	mark.Pack
	// outside is the number of loops and conditions around the mark.
	outside int
	// buffer is the name of the buffer, and elements how many it has, for each iteration
	// of a loop of so many where extent is not nil; 0 until a register block uses it.
	buffer   string
	elements int64
	extent   linear
	element  string
	// copies are the loops that fill the buffer, one for each way in which
	// register blocks need it.
	copies []loopir.Code
	// late are those that are made by the first full block that needs them.
	late []lateCopy
}

// lateCopy are loops that fill a buffer when the flag is not set.
type lateCopy struct {
	flag   string
	copied loopir.Code
}

// code is the code of blocks that use the buffer, behind what fills that.
func (p *packing) code(body loopir.Code) *loopir.Packed {
	made := &loopir.Packed{Body: body}
	if !p.Shared {
		made.Fill = append(made.Fill, &loopir.Buffer{Name: p.buffer, Type: p.element, Elements: p.elements})
	}
	for _, c := range p.late {
		made.Fill = append(made.Fill, &loopir.Flag{Name: c.flag})
	}
	for _, c := range p.copies {
		made.Fill = append(made.Fill, c...)
	}
	return made
}

// inside is what is open inside the outermost mark.
func (p *packing) inside(n *copies) []openLoop { return n.open[p.outside:] }

// packedOperand is an operand that a register block reads from a buffer.
type packedOperand struct {
	*packing
	// place is that of the value in the statement's source which the buffer has.
	place scop.Place
	// position is the place in the buffer, over the variables of the code.
	position linear
	// whole are the unrolled loops for whose blocks the buffer has room even where they
	// are partial.
	whole []string
}

// element is the value in the buffer at some offsets, or those that begin there; single says that
// all lanes have the first one.
func (p *packedOperand) element(w *blockWriter, offsets []int64, single bool) *loopir.Buffered {
	index := w.block.at(w.block.tile.expressionOf(p.position), offsets)
	w.nodes.needs(index)
	return &loopir.Buffered{Buffer: p.buffer, Index: index, Single: single}
}

// room is the number of elements that the buffer may have.
func (p *packing) room() int64 {
	if p.Shared {
		return schedule.MostShared
	}
	return schedule.MostOwn
}

// packedOf finds the buffer of an operand; nil where it is in none, or where its
// position in the buffer or the elements to be copied are not known; and in statements whose
// operands have no places of their own, such as calls.
func (w *blockWriter) packedOf(s *blockStatement, k int) *packedOperand {
	if s.assignment == nil {
		return nil
	}
	for _, p := range slices.Backward(w.nodes.packings[w.nodes.packingsOutside(s.operands[k].array):]) {
		if p.Statement != s.model.Statement.Name || p.Reference != k {
			continue
		}
		c := &copyWriter{blockWriter: w, packing: p, statement: s, operand: &s.operands[k]}
		position, elements := c.position()
		if position == nil || c.operand.step != uniform && !w.lanesAreLast(position) {
			return nil
		}
		if p.elements > 0 && !maps.Equal(p.extent, c.whole.extent) {
			return nil
		}
		loops, ok := c.loops()
		if !ok {
			return nil
		}
		c.whole.putFirst(loops)
		late := !c.isAllowed(loops) && !c.isAllowedWhereUsed(loops)
		if late && !c.isOfBlock(loops) {
			return nil
		}
		c.place, c.at = s.assignment.Scaled[k].At(), position
		if q := c.alike(loops, elements); q != nil && !late {
			return &packedOperand{q, c.place, position, c.blocks}
		}
		if p.buffer == "" {
			p.buffer, p.element = w.nodes.freshBuffer(), s.assignment.Element
		}
		copied := c.guarded(c.copy(loops))
		if c.namesOther(loops, copied) {
			return nil
		}
		p.elements, p.extent = max(p.elements, elements), c.whole.extent
		if late {
			w.late = append(w.late, p.addLate(w.nodes, copied))
		} else {
			p.add(w.nodes, copied)
		}
		return &packedOperand{p, c.place, position, c.blocks}
	}
	return nil
}

// freshBuffer is the name of another buffer.
func (n *memories) freshBuffer() string {
	n.buffers++
	return n.fresh(fmt.Sprintf("tune_packed%d", n.buffers-1))
}

// add notes the loops that fill the buffer, once.
func (p *packing) add(n *copies, copied loopir.Code) {
	if !slices.ContainsFunc(p.copies, func(c loopir.Code) bool { return n.sameCode(c, copied) }) {
		p.copies = append(p.copies, copied)
	}
}

// sameCode says whether both are printed alike.
func (p *printer) sameCode(a, b loopir.Code) bool { return slices.Equal(p.lines(a), p.lines(b)) }

// addLate notes loops that fill the buffer when they are needed, once, and is the code for that.
func (p *packing) addLate(n *copies, copied loopir.Code) *loopir.Once {
	k := slices.IndexFunc(p.late, func(c lateCopy) bool { return n.sameCode(c.copied, copied) })
	if k < 0 {
		k = len(p.late)
		p.late = append(p.late, lateCopy{n.fresh(fmt.Sprintf("%s_is_filled%d", p.buffer, k)), copied})
	}
	return &loopir.Once{Flag: p.late[k].flag, Body: copied}
}

// lanesAreLast says whether vectors' elements lie behind each other in a buffer.
func (w *blockFacts) lanesAreLast(position linear) bool {
	return position[w.block.unrolled[len(w.block.unrolled)-1].variable] == 1
}

// copyWriter writes the loops that copy an operand's elements to a buffer.
type copyWriter struct {
	*blockWriter
	*packing
	statement *blockStatement
	operand   *blockOperand
	place     scop.Place
	at        linear
	// guards are loops inside the mark that must have an iteration for the copy to
	// be made.
	guards []copyLoop
	// blocks are the unrolled loops whose blocks have all their places in the buffer.
	blocks []string
	// whole is the loop of which the buffer has elements for all iterations.
	whole wholeLoop
}

// position is the place of the operand's element in the buffer, and the number of
// places: first by register blocks, then by the loops that are not unrolled, and by
// the unrolled ones last. It is nil when a loop that moves the element has a
// range that is not known.
func (c *copyWriter) position() (position linear, elements int64) {
	var blocks, streams, unrolled []dimension
	for _, loop := range c.pointLoops() {
		if !c.operand.movesAlong(loop) {
			continue
		}
		depth := c.nodes.depths[loop]
		k := slices.IndexFunc(c.Sides, func(s mark.PackSide) bool { return s.Loop == depth })
		if k < 0 && c.takeWhole(loop) {
			continue
		}
		if k < 0 {
			return nil, 0
		}
		side := c.Sides[k]
		if side.Size == 1 {
			continue
		}
		point, tile := linear{loop: 1}, c.coordinate(side.Tile)
		block := c.coordinate(side.Block)
		if tile == nil || side.Block >= 0 && block == nil || c.movesInside(tile) {
			return nil, 0
		}
		switch {
		case !c.isUnrolled(loop):
			streams = append(streams, dimension{point.plus(tile, -side.Size), side.Size})
		case side.Block >= 0:
			blocks = append(blocks, dimension{block.plus(tile, -side.Size/side.BlockSize), side.Size / side.BlockSize})
			unrolled = append(unrolled, c.unrolledSide(point, block, side.BlockSize))
		default:
			unrolled = append(unrolled, c.unrolledSide(point, tile, side.Size))
		}
	}
	position, elements = linear{}, 1
	for _, d := range slices.Backward(slices.Concat(blocks, streams, unrolled)) {
		if d.size > c.room() {
			return nil, 0
		}
		position = position.plus(d.offset, elements)
		if elements *= d.size; elements > c.room() {
			return nil, 0
		}
	}
	return position.plus(c.whole.offset, elements), elements
}

// dimension is one of a buffer: an index from 0 to size - 1.
type dimension struct {
	offset linear
	size   int64
}

// unrolledSide is the dimension of an unrolled loop, whose points begin at a
// multiple of the value of another one.
func (c *copyWriter) unrolledSide(point, begin linear, size int64) dimension {
	for _, u := range c.block.unrolled {
		if point[u.variable] != 0 && u.count == size && len(u.lower.plus(begin, -size)) == 0 {
			c.blocks = append(c.blocks, u.variable)
		}
	}
	return dimension{point.plus(begin, -size), size}
}

// pointLoops are the variables of the loops inside the mark.
func (c *copyWriter) pointLoops() []string {
	var loops []string
	for _, open := range c.inside(c.nodes) {
		if open.variable != "" {
			loops = append(loops, open.variable)
		}
	}
	if c.block.stream != nil {
		loops = append(loops, c.block.stream.Var)
	}
	for _, loop := range c.block.unrolled {
		loops = append(loops, loop.variable)
	}
	return loops
}

// coordinate is a tile coordinate of the statement over the variables of the code, nil for none or
// one that is not affine. The loops over tiles themselves may be left out by isl, where they have
// one iteration.
func (c *copyWriter) coordinate(place int) linear {
	tiles := c.statement.run.Tiles
	if place < 0 || place >= len(tiles) {
		return nil
	}
	l := c.block.tile.linearOf(tiles[place])
	for name := range l {
		if c.block.tile.opaque[name] != nil {
			return nil
		}
	}
	return l
}

// movesInside says whether a value changes inside the mark.
func (c *copyWriter) movesInside(l linear) bool {
	return slices.ContainsFunc(c.pointLoops(), func(variable string) bool { return l[variable] != 0 })
}

// loops are those of the copy: over all loops inside the mark that move the
// operand or the block that it is in. Bounds by other loops are left out. It is false for
// loops that have none left.
func (c *copyWriter) loops() (loops []copyLoop, ok bool) {
	inside := c.pointLoops()
	needed := map[string]bool{}
	for _, variable := range inside {
		needed[variable] = c.operand.movesAlong(variable)
	}
	for _, side := range c.Sides {
		isMoving := slices.ContainsFunc(inside, func(v string) bool { return c.nodes.depths[v] == side.Loop && needed[v] })
		for name := range c.coordinate(side.Block) {
			needed[name] = needed[name] || isMoving && slices.Contains(inside, name)
		}
	}
	return c.loopsAlong(needed)
}

// loopsAlong are those of a copy over some loops, and over those that these are bounded by where
// no bounds would be left otherwise.
func (c *copyWriter) loopsAlong(needed map[string]bool) (loops []copyLoop, ok bool) {
	inside := c.pointLoops()
	for _, node := range c.loopsInside() {
		if !needed[node.Var] {
			continue
		}
		keep := func(e *loopir.Expr) bool {
			return !slices.ContainsFunc(inside, func(v string) bool { return !needed[v] && loopir.Mentions(e, map[string]interval{v: {}}) })
		}
		loop, ok := copyLoopOf(node, keep)
		if !ok && c.addBounding(needed, node) {
			return c.loopsAlong(needed)
		}
		if !ok {
			return nil, false
		}
		loops = append(loops, loop)
	}
	c.addGuards(loops)
	return c.withChain(loops), true
}

// addBounding adds the loops inside the mark that bound a loop, such as those over the tiles that
// its blocks are of, and says whether there are others than before.
func (c *copyWriter) addBounding(needed map[string]bool, loop *loopir.For) bool {
	loop = loop.InAnyTile()
	added := false
	for _, v := range c.pointLoops() {
		bound := map[string]interval{v: {}}
		if !needed[v] && (loopir.Mentions(loop.From, bound) || loopir.Mentions(loop.While, bound)) {
			needed[v], added = true, true
		}
	}
	return added
}

// loopsInside are the loops inside the mark, outermost first.
func (c *copyWriter) loopsInside() (loops []*loopir.For) {
	for _, open := range c.inside(c.nodes) {
		if open.variable != "" {
			loops = append(loops, open.loop)
		}
	}
	if c.block.stream != nil {
		loops = append(loops, c.block.stream)
	}
	for _, u := range c.block.unrolled {
		loops = append(loops, u.loop)
	}
	return loops
}

// namesOther says whether the code of a copy names a loop inside the mark that it
// does not have, as where subscripts cancel out.
func (c *copyWriter) namesOther(loops []copyLoop, copied loopir.Code) bool {
	for _, l := range c.nodes.lines(copied) {
		for _, word := range ctext.Words(l.code) {
			isInside := slices.Contains(c.pointLoops(), word)
			if isInside && !slices.ContainsFunc(loops, func(loop copyLoop) bool { return loop.variable == word }) {
				return true
			}
		}
	}
	return false
}
