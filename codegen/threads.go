package codegen

import (
	"fmt"
	"slices"

	"polytune/internal/ctext"
	"polytune/scop"
	"polytune/scop/mark"
)

// limit gives a loop the condition under which it has several threads, which copies inside, that
// these threads make, and a team have too as far as it is one of the parameters. The result takes it from the copies.
func (n *place) limit(header *loopHeader, said loopMarks) func() {
	outer := n.grain
	threads, _ := mark.Of[mark.Threads](said.marks)
	switch {
	case len(threads.Of) > 0:
		header.grain = fmt.Sprintf("%s >= %d", n.product(threads.Of), threads.From)
		header.threads, n.grain = header.grain, header.grain
		if said.isCollapsed() {
			break
		}
		header.threads += " && " + n.expression(atLeast(2, header.start, header.condition, header.step)).within(comparison)
		if n.isOfParameters(header.threads) {
			n.grain = header.threads
		}
	case threads.From > 1:
		header.threads = n.expression(atLeast(threads.From, header.start, header.condition, header.step)).code
	}
	return func() { n.grain = outer }
}

// isOfParameters says whether a condition has no variables of loops.
func (n *place) isOfParameters(condition string) bool {
	return !slices.ContainsFunc(ctext.Words(condition), func(word string) bool {
		_, isVariable := n.depths[word]
		return isVariable
	})
}

// product is that of expressions over the parameters, in floating point, which cannot overflow.
func (n *place) product(extents []scop.Row) string {
	code := "(double)"
	for k, extent := range extents {
		sum := linear{"": extent.Constant}
		for p, c := range extent.Parameters {
			if c != 0 {
				sum[n.model.Program.Parameters[p]] = c
			}
		}
		if k > 0 {
			code += " *"
		}
		code += " " + n.expression((&fullTile{}).expressionOf(sum)).within(unary)
	}
	return code
}
