package codegen

import (
	"fmt"
	"slices"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// limit gives a loop the condition under which it has several threads, which copies inside, that
// these threads make, and a team have too as far as it is one of the parameters. The result takes
// it from the copies.
func (n *place) limit(header *loopHeader, said loopMarks) func() {
	outer := n.grain
	threads, _ := mark.Of[mark.Threads](said.marks)
	if len(said.clauses) > 0 && said.isOfThreads() {
		header.worth = n.worthCopying(header, threads)
	}
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

// copiedElements is the number of elements of which each thread may have a copy in a loop that is
// just large enough for several threads, so that there are 64 accesses for each element that is
// copied (transform's grain): each thread clears its copy, and adds it up when no other one does.
// leastCopied is that for each iteration of a loop of which nobody knows how large it is.
const copiedElements, leastCopied = 1 << 11, 1

// worthCopying is the number of elements up to which it pays to copy an array for the threads of a
// loop.
func (n *place) worthCopying(header *loopHeader, threads mark.Threads) string {
	if len(threads.Of) > 0 {
		return fmt.Sprintf("%s * %d / %d", n.product(threads.Of), copiedElements, threads.From)
	}
	length := header.condition.Args[1]
	if header.start.Kind != isl.AstInt || header.start.Value != 0 {
		length = loopir.Operation(isl.OpSub, length, header.start)
	}
	n.needs(length)
	return fmt.Sprintf("%d * (double) %s", max(leastCopied, copiedElements/max(1, threads.From)*min(1, threads.From)), n.expression(length).within(unary))
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
