package codegen

import (
	"polytune/loopir"
	"polytune/scop/mark"
)

// isl leaves out loops that run once, those around a register block's loops as well as the block's
// own. So the innermost loops that are there need not be the block's: which they are is told by
// their depths in the schedule tree.

// placedBlock is a register block whose own loops, those that full blocks unroll, begin at a depth
// of the schedule tree.
type placedBlock struct {
	mark.Registers
	depth int
	// marked is its mark.
	marked *loopir.Marked
}

// depthOfLoop is the depth of a loop in the schedule tree; -1 for none.
func (n *place) depthOfLoop(loop *loopir.For) int {
	if loop == nil {
		return -1
	}
	return n.depths[loop.Var]
}

// isAround says whether a loop is one around a block's own.
func (n *place) isAround(loop *loopir.For, block placedBlock) bool {
	depth := n.depthOfLoop(loop)
	return depth >= 0 && depth < block.depth
}

// registerBlockOf finds the loops of a block; nil when they are others than
// expected or no block can be full.
func (n *place) registerBlockOf(code loopir.Code, block placedBlock) *registerBlock {
	b := &registerBlock{tile: &fullTile{opaque: map[string]*loopir.Expr{}}, lanes: block.Lanes, ahead: block.Ahead}
	ranges := map[string]interval{}
	for loop := loopBelow(code); n.isAround(loop, block); loop = loopBelow(code) {
		if loop.Once && !b.unroll(loop, 1, ranges) || !loop.Once && !b.setStream(loop) {
			return nil
		}
		code = loop.Body
	}
	for k, size := range block.Sizes {
		loop := loopBelow(code)
		if n.depthOfLoop(loop) != block.depth+k || !b.unroll(loop, size, ranges) {
			return nil
		}
		code = loop.Body
	}
	if !b.collect(code, ranges, nil) || !b.divide() {
		return nil
	}
	if !n.relay.allows(b) {
		return nil
	}
	return b
}

// streamsOf is the number of loops of more than one iteration around the block's
// own.
func (n *place) streamsOf(code loopir.Code, block placedBlock) int {
	count := 0
	for loop := loopBelow(code); n.isAround(loop, block); loop = loopBelow(loop.Body) {
		if !loop.Once {
			count++
		}
	}
	return count
}

// honourLanesIn notes that the loops of a block are in vectors that are marked so.
func (e *Env) honourLanesIn(code loopir.Code) {
	switch node := code.Only().(type) {
	case *loopir.For:
		e.honourLanesIn(node.Body)
	case *loopir.Copies:
		e.honourLanesIn(node.Body)
	case *loopir.Packed:
		e.honourLanesIn(node.Body)
	case *loopir.Marked:
		if m, is := node.Mark.(mark.Vector); is {
			e.Honour(m)
		}
		e.honourLanesIn(node.Body)
	}
}

// loopBelow is the loop that some code is, but for marks that say nothing about a block's inside;
// nil for other code.
func loopBelow(code loopir.Code) *loopir.For {
	loop, _ := skipMarks(code).Only().(*loopir.For)
	return loop
}

// skipMarks is the code below marks that say nothing about a block's inside; nil
// below those of private variables and of loops on several threads.
func skipMarks(code loopir.Code) loopir.Code {
	switch s := code.Only().(type) {
	case *loopir.Copies:
		return skipMarks(s.Body)
	case *loopir.Packed:
		return skipMarks(s.Body)
	}
	marked, is := code.Only().(*loopir.Marked)
	if !is {
		return code
	}
	switch m := marked.Mark.(type) {
	case mark.Private, mark.Parallel:
		return nil
	case mark.Vector:
		if len(m.Reductions) > 0 {
			return nil
		}
	}
	return skipMarks(marked.Body)
}

// setStream takes a loop that advances by one as the stream, of which there is
// one only.
func (b *registerBlock) setStream(loop *loopir.For) bool {
	if b.stream != nil || !isCanonical(loop.While, loop.Var) || !loop.Step.IsInt(1) {
		return false
	}
	b.stream, b.first, b.last = loop, loop.From, lastOf(loop.While)
	return true
}

// unroll takes a loop as the next one to be unrolled, with the conditions under
// which it has a constant number of iterations, which is at most its size in a block.
func (b *registerBlock) unroll(loop *loopir.For, size int64, ranges map[string]interval) bool {
	full := interval{depth: len(ranges)}
	if loop.Once {
		full.lower = b.tile.linearOf(loop.From)
		full.upper = full.lower
	} else {
		lowers, uppers, ok := b.tile.boundsOf(loop)
		switch {
		case !ok:
			return false
		case len(lowers) == 1 && len(uppers) == 1:
			full.lower, full.upper = lowers[0], uppers[0]
		default:
			chosen := b.tile.choose(lowers, uppers, ranges)
			if chosen == nil {
				return false
			}
			full.lower, full.upper = chosen.lower, chosen.upper
		}
	}
	width, constant := full.width()
	if _, found := innermost(full.lower, ranges); found || !constant || width >= size || b.tile.isOpaqueIn(full.lower, ranges) {
		return false
	}
	ranges[loop.Var] = full
	b.unrolled = append(b.unrolled, unrolledLoop{loop.Var, full.lower, width + 1, loop})
	return true
}
