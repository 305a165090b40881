package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// copyLoop is a loop of a copy: from the largest of the lowers to the least of the
// uppers.
type copyLoop struct {
	variable       string
	lowers, uppers []*loopir.Expr
	// cutLower and cutUpper say that bounds were left out.
	cutLower, cutUpper bool
}

// isExact says whether no bound of the loop was left out.
func (l copyLoop) isExact() bool { return !l.cutLower && !l.cutUpper }

// copyLoopOf is a loop with those of its bounds that can be kept; ok is
// false for one with none, or with another step than one.
func copyLoopOf(node *loopir.For, keep func(*loopir.Expr) bool) (loop copyLoop, ok bool) {
	node = node.InAnyTile()
	loop = copyLoop{variable: node.Var}
	start, condition := node.From, node.While
	if node.Once {
		loop.lowers, loop.uppers = []*loopir.Expr{start}, []*loopir.Expr{start}
		return loop, keep(start) && isReadable(start)
	}
	if !isCanonical(condition, node.Var) || !node.Step.IsInt(1) || !isReadable(start) || !isReadable(condition.Args[1]) {
		return loop, false
	}
	for _, e := range operandsOf(start, isl.OpMax) {
		if !keep(e) {
			loop.cutLower = true
			continue
		}
		loop.lowers = append(loop.lowers, e)
	}
	for _, e := range operandsOf(condition.Args[1], isl.OpMin) {
		if !keep(e) {
			loop.cutUpper = true
			continue
		}
		if condition.Is(isl.OpLt) {
			e = loopir.Operation(isl.OpSub, e, loopir.Int(1))
		}
		loop.uppers = append(loop.uppers, e)
	}
	return loop, len(loop.lowers) > 0 && len(loop.uppers) > 0
}
