package codegen

import "polytune/isl"

// copyLoop is a loop of a copy: from the largest of the lowers to the least of the
// uppers.
type copyLoop struct {
	variable       string
	lowers, uppers []*expression
	// cutLower and cutUpper say that bounds were left out.
	cutLower, cutUpper bool
}

// isExact says whether no bound of the loop was left out.
func (l copyLoop) isExact() bool { return !l.cutLower && !l.cutUpper }

// copyLoopOf is a loop with those of its bounds that can be kept; ok is
// false for one with none, or with another step than one.
func copyLoopOf(variable string, node *isl.AstNode, keep func(*expression) bool) (loop copyLoop, ok bool) {
	loop = copyLoop{variable: variable}
	start := expressionOf(node.ForInit())
	if degenerate, err := node.ForIsDegenerate(); err != nil || degenerate {
		loop.lowers, loop.uppers = []*expression{start}, []*expression{start}
		return loop, err == nil && keep(start) && isReadable(start)
	}
	condition, step := expressionOf(node.ForCond()), expressionOf(node.ForInc())
	if !isCanonical(condition, variable) || step.kind != isl.AstInt || step.value != 1 || !isReadable(start) || !isReadable(condition.arguments[1]) {
		return loop, false
	}
	for _, e := range operandsOf(start, isl.OpMax) {
		if !keep(e) {
			loop.cutLower = true
			continue
		}
		loop.lowers = append(loop.lowers, e)
	}
	for _, e := range operandsOf(condition.arguments[1], isl.OpMin) {
		if !keep(e) {
			loop.cutUpper = true
			continue
		}
		if condition.is(isl.OpLt) {
			e = operation(isl.OpSub, e, integer(1))
		}
		loop.uppers = append(loop.uppers, e)
	}
	return loop, len(loop.lowers) > 0 && len(loop.uppers) > 0
}
