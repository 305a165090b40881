package codegen

import (
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop/mark"
)

// collapse is where threads share the iterations of a parallel loop and of the next one
// together.
type collapse struct {
	// outer is the variable of the first loop, inner that of the second, "" before that
	// has been found.
	outer, inner string
	// isBox says that the bounds of the second do not depend on the first.
	isBox bool
}

// sharedBody is the body of a loop, and the number of loops whose iterations threads share together, 0 for that of the loop alone.
func (n *nodes) sharedBody(header loopHeader, said loopMarks, s scope) (body fragment, loops int64) {
	if !said.isCollapsed() {
		return n.body(header.body, s), 0
	}
	body, ok := n.collapsed(header, s)
	if noteOf[mark.Collapse](n, said, ok, "the bounds of the loop inside depend on the outer one, or the code has several loops there"); ok {
		loops = 2
	}
	return body, loops
}

// collapsed is the body of a parallel loop, which is another loop whose iterations
// threads share too, without a pragma of its own. Where isl has made something else of that, such
// as several loops, or where it has bounds that the outer loop moves, ok is false, and the
// body is for a loop whose iterations alone are shared.
func (n *nodes) collapsed(header loopHeader, s scope) (body fragment, ok bool) {
	buffers := len(n.shared)
	both := &collapse{outer: header.variable}
	n.collapse = both
	body = n.body(header.body, s)
	n.collapse = nil
	if both.isBox && body.isLoop(both.inner) {
		return body, true
	}
	n.shared = n.shared[:buffers]
	single := n.single
	n.single = true
	body = n.body(header.body, s)
	n.single = single
	return body, false
}

// take notes the second loop.
func (c *collapse) take(header loopHeader, bounds ...text) {
	c.inner, c.isBox = header.variable, true
	for _, bound := range bounds {
		c.isBox = c.isBox && !slices.Contains(ctext.Words(bound.code), c.outer)
	}
}

// isLoop says whether the fragment is a loop with that variable and nothing else.
func (f fragment) isLoop(variable string) bool {
	if len(f.declares) > 0 || len(f.code) != 1 {
		return false
	}
	loop, ok := f.code[0].(*loopir.For)
	return ok && loop.Var == variable
}
