package codegen

import (
	"polytune/loopir"
	"polytune/scop/mark"
)

// sharedBody is the body of a loop, and the number of loops whose iterations threads share together, 0 for that of the loop alone.
func (n *nodes) sharedBody(header loopHeader, said loopMarks) (body fragment, loops int64) {
	if !said.isCollapsed() {
		return n.fragment(header.body), 0
	}
	body, ok := n.collapsed(header)
	if noteOf[mark.Collapse](n.place, said, ok, "the bounds of the loop inside depend on the outer one, or the code has several loops there"); ok {
		loops = 2
	}
	return body, loops
}

// collapsed is the body of a parallel loop, which is another loop whose iterations
// threads share too, without a pragma of its own. Where isl has made something else of that, such
// as several loops, or where it has bounds that the outer loop moves, ok is false, and the
// body is for a loop whose iterations alone are shared.
func (n *nodes) collapsed(header loopHeader) (body fragment, ok bool) {
	if n.isBox(header) {
		n.inBox = true
		return n.fragment(header.body), true
	}
	return n.fragment(forOneThread(header.body)), false
}

// isBox says whether the body of a loop is another parallel one whose bounds do not depend on it.
func (n *nodes) isBox(header loopHeader) bool {
	inner := loopInside(header.body)
	if inner == nil {
		return false
	}
	said, outer := n.said(inner), map[string]bool{header.variable: true}
	return said.isOfThreads() && len(said.clauses) == 0 && isCanonical(inner.While, inner.Var) && !loopir.Mentions(inner.From, outer) && !loopir.Mentions(inner.While, outer)
}

// loopInside is the loop that some code is but for marks which have no code of their own; nil for other code.
func loopInside(code loopir.Code) *loopir.For {
	switch node := code.Only().(type) {
	case *loopir.For:
		switch {
		case !node.Once:
			return node
		case !loopir.Names(node.Body, node.Var):
			return loopInside(node.Body)
		}
	case *loopir.Marked:
		switch node.Mark.(type) {
		case mark.Private, mark.Local, mark.Layout, mark.Pack, mark.Registers, mark.Relay:
			if !node.Spent {
				return nil
			}
		}
		return loopInside(node.Body)
	}
	return nil
}
