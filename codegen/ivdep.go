package codegen

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// boundInFront gives the last value of a loop's variable a name in front of the loop where it is the smaller of several: gcc takes such a condition apart, and
// what it is told of the loop is lost then.
func (n *place) boundInFront(header *loopHeader) *loopir.Let {
	arguments := header.condition.Args
	code := n.expression(arguments[1]).code
	if !slices.ContainsFunc(ctext.Words(code), func(word string) bool { return slices.Contains(n.helpers[:], word) }) && !strings.Contains(code, "?") {
		return nil
	}
	last := n.fresh("tune_last")
	header.condition = loopir.Operation(header.condition.Op, arguments[0], loopir.Named(last))
	return &loopir.Let{Var: last, Value: arguments[1]}
}
