package codegen

import (
	"polytune/loopir"
	"polytune/scop/mark"
)

// collapse has threads share the iterations of two loops together where marks of the outer one say
// so. Where isl has made something else of the inner one, such as several loops, or where it has
// bounds that the outer loop moves, they share those of the outer loop alone.
func collapse(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		outer, is := s.(*loopir.For)
		if !is || !isShared(outer) || !mark.Has[mark.Collapse](outer.Marks) {
			return s, nil
		}
		inner := boxOf(outer)
		noteOf[mark.Collapse](e.nodes.place, loopMarks{marks: outer.Marks}, inner != nil, "the bounds of the loop inside depend on the outer one, or the code has several loops there")
		if inner == nil {
			outer.Body = forOneThread(outer.Body)
			return s, nil
		}
		outer.Threads.Collapsed = 2
		inner.Threads, inner.Plain = nil, loopir.NotPlain
		return s, nil
	})
}

// isShared says whether threads share a loop's iterations, which neither add up nor have lanes.
func isShared(loop *loopir.For) bool {
	return loop.Threads != nil && loop.Lanes == nil && len(loop.Threads.Reductions) == 0
}

// boxOf is the loop that is the body of another one, and on whose bounds that has no influence;
// nil for none.
func boxOf(outer *loopir.For) *loopir.For {
	inner, is := outer.Body.Only().(*loopir.For)
	variable := map[string]bool{outer.Var: true}
	if !is || !isShared(inner) || !isCanonical(inner.While, inner.Var) || loopir.Mentions(inner.From, variable) || loopir.Mentions(inner.While, variable) {
		return nil
	}
	return inner
}
