package codegen

import (
	"maps"
	"polytune/loopir"
	"slices"
)

// wholeLoop is a loop whose iterations all have elements in a buffer, as many as the parameters
// say: the slowest dimension of the buffer, whose memory is allocated when the parameters are
// known.
type wholeLoop struct {
	variable string
	// offset is the iteration's number from 0 on, and extent the number of iterations, which can be
	// negative where there are none; nil without such a loop.
	offset, extent linear
}

// takeWhole takes a loop inside the mark as the one whose iterations all have elements, and says
// whether it can be: its bounds are one expression over the parameters each, the buffer is one of
// the region, and there is no other.
func (c *copyWriter) takeWhole(variable string) bool {
	if c.whole.extent != nil || !c.Shared || c.isUnrolled(variable) {
		return false
	}
	for _, node := range c.loopsInside() {
		if node.Var != variable {
			continue
		}
		loop, ok := copyLoopOf(node, func(*loopir.Expr) bool { return true })
		if !ok || len(loop.lowers) != 1 || len(loop.uppers) != 1 {
			return false
		}
		first, last := c.block.tile.linearOf(loop.lowers[0]), c.block.tile.linearOf(loop.uppers[0])
		extent := last.plus(first, -1).plus(linear{"": 1}, 1)
		if !c.isOfParameters(first) || !c.isOfParameters(last) {
			return false
		}
		c.whole = wholeLoop{variable, linear{variable: 1}.plus(first, -1), extent}
		return true
	}
	return false
}

// isOfParameters says whether an expression names parameters alone.
func (c *copyWriter) isOfParameters(l linear) bool {
	for name := range l {
		if name != "" && !slices.Contains(c.nodes.model.Program.Parameters, name) {
			return false
		}
	}
	return true
}

// putFirst makes the loop the outermost of a copy, which then fills the buffer from its begin to
// its end.
func (l wholeLoop) putFirst(loops []copyLoop) {
	k := slices.IndexFunc(loops, func(loop copyLoop) bool { return loop.variable == l.variable })
	if k > 0 {
		first := loops[k]
		copy(loops[1:k+1], loops[:k])
		loops[0] = first
	}
}

// alike is the reference, packed at the same place, whose buffer has the same elements in the same
// order; nil for none.
func (c *copyWriter) alike(loops []copyLoop, elements int64) *packing {
	own := c.packing
	defer func() { c.packing = own }()
	for _, q := range c.nodes.packings {
		if own.buffer != "" || q == own || q.outside != own.outside || q.Shared != own.Shared || q.elements != elements || q.element != c.statement.assignment.Element ||
			len(q.late) > 0 || !maps.Equal(q.extent, c.whole.extent) {
			continue
		}
		c.packing = q
		copied := c.guarded(c.copy(loops))
		if slices.ContainsFunc(q.copies, func(other loopir.Code) bool { return c.nodes.sameCode(other, copied) }) {
			return q
		}
	}
	return nil
}
