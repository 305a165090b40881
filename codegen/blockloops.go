package codegen

import (
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// isl leaves out loops that run once, those around a register block's loops as well as the
// block's own. So the innermost loops that are there need not be the block's: which they are is told by
// their depths in the schedule tree.

// placedBlock is a register block whose own loops, those that full blocks unroll, begin at a depth of the
// schedule tree.
type placedBlock struct {
	mark.Registers
	depth int
}

// depthOfLoop is the depth of a loop in the schedule tree; -1 for other nodes, and for none.
func (n *place) depthOfLoop(node *isl.AstNode) int {
	if node == nil || node.Type() != isl.AstFor {
		return -1
	}
	return n.depths[node.ForIterator().ID()]
}

// isAround says whether a node is a loop around a block's own.
func (n *place) isAround(node *isl.AstNode, block placedBlock) bool {
	depth := n.depthOfLoop(node)
	return depth >= 0 && depth < block.depth
}

// registerBlockOf finds the loops of a block; nil when they are others than
// expected or no block can be full.
func (n *place) registerBlockOf(node *isl.AstNode, block placedBlock) *registerBlock {
	b := &registerBlock{marks: n.marks, tile: &fullTile{opaque: map[string]*loopir.Expr{}}, lanes: block.Lanes, ahead: block.Ahead}
	ranges := map[string]interval{}
	for node = skipMarks(n.marks, node); n.isAround(node, block); node = skipMarks(n.marks, node.ForBody()) {
		if degenerate, err := node.ForIsDegenerate(); err != nil || degenerate && !b.unroll(node, 1, ranges) || !degenerate && !b.setStream(node) {
			return nil
		}
	}
	for k, size := range block.Sizes {
		if n.depthOfLoop(node) != block.depth+k || !b.unroll(node, size, ranges) {
			return nil
		}
		node = skipMarks(n.marks, node.ForBody())
	}
	if !b.collect(node, ranges, nil) || !b.divide() {
		return nil
	}
	if !n.relay.shares(n, b) {
		return nil
	}
	return b
}

// streamsOf is the number of loops of more than one iteration around the block's
// own.
func (n *place) streamsOf(node *isl.AstNode, block placedBlock) int {
	count := 0
	for node = skipMarks(n.marks, node); n.isAround(node, block); node = skipMarks(n.marks, node.ForBody()) {
		if degenerate, err := node.ForIsDegenerate(); err == nil && !degenerate {
			count++
		}
	}
	return count
}

// honourLanes notes that the loops of a block are in vectors that are marked so.
func (n *place) honourLanes(node *isl.AstNode) {
	for node != nil && (node.Type() == isl.AstMark || node.Type() == isl.AstFor) {
		if node.Type() == isl.AstFor {
			node = node.ForBody()
			continue
		}
		if m, is := n.marks.OfCode(node).(mark.Vector); is {
			n.env.Honour(m)
		}
		node = node.MarkNode()
	}
}

// skipMarks is the node below marks that say nothing about a block's inside; nil
// below those of private variables and of loops on several threads.
func skipMarks(marks *mark.Table, node *isl.AstNode) *isl.AstNode {
	for node != nil && node.Type() == isl.AstMark {
		switch m := marks.OfCode(node).(type) {
		case mark.Private, mark.Parallel:
			return nil
		case mark.Vector:
			if len(m.Reductions) > 0 {
				return nil
			}
		}
		node = node.MarkNode()
	}
	return node
}

// setStream takes a loop that advances by one as the stream, of which there is
// one only.
func (b *registerBlock) setStream(node *isl.AstNode) bool {
	condition, step := loopir.FromISL(node.ForCond()), loopir.FromISL(node.ForInc())
	variable := node.ForIterator().ID()
	if b.stream != nil || !isCanonical(condition, variable) || step.Kind != isl.AstInt || step.Value != 1 {
		return false
	}
	b.stream, b.first, b.last = node, loopir.FromISL(node.ForInit()), lastOf(condition)
	return true
}

// unroll takes a loop as the next one to be unrolled, with the conditions under
// which it has a constant number of iterations, which is at most its size in a block.
func (b *registerBlock) unroll(node *isl.AstNode, size int64, ranges map[string]interval) bool {
	variable := node.ForIterator().ID()
	full := interval{depth: len(ranges)}
	if degenerate, err := node.ForIsDegenerate(); err == nil && degenerate {
		full.lower = b.tile.linearOf(loopir.FromISL(node.ForInit()))
		full.upper = full.lower
	} else {
		lowers, uppers, ok := b.tile.boundsOf(node, variable)
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
	ranges[variable] = full
	b.unrolled = append(b.unrolled, unrolledLoop{variable, full.lower, width + 1, node})
	return true
}
