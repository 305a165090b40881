package codegen

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// bounds gives such loops names for their last values.
func bounds(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		loop, is := s.(*loopir.For)
		if !is || loop.Lanes == nil || !loop.Lanes.Independent {
			return s, nil
		}
		return e.nodes.boundInFront(loop), nil
	})
}

// boundInFront gives the last value of a loop's variable a name in front of the loop where it is
// the smaller of several: gcc takes such a condition apart, and what it is told of the loop is lost
// then.
func (n *place) boundInFront(loop *loopir.For) loopir.Stmt {
	arguments := loop.While.Args
	code := n.expression(arguments[1]).code
	if !slices.ContainsFunc(ctext.Words(code), func(word string) bool { return slices.Contains(n.helpers[:], word) }) && !strings.Contains(code, "?") {
		return loop
	}
	last := n.fresh("tune_last")
	loop.While = loopir.Operation(loop.While.Op, arguments[0], loopir.Named(last))
	return &loopir.Let{Var: last, Value: arguments[1], Body: loopir.Code{loop}}
}
