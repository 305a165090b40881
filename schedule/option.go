package schedule

import "slices"

// option is isl's AST generation option of a loop in its place: tile loops are not split, and the iterations that only
// some statements run are treated apart in point loops, so that no condition stays inside. Wavefronts may be split,
// because the one bound of all statements' wavefronts can be hard to find.
func (l *lowering) option(loop *Loop) string {
	switch {
	case l.atomic:
		return "{ atomic[0] }"
	case loop.standsStill() || loop.Shifted && loop.Level == 0:
		return "{ separate[0] }"
	case (loop.Level > 0 || loop.Block) && len(loop.Terms) == 1:
		return "{ atomic[0] }"
	case l.isDelayed(loop):
		return "{ separate[0] }"
	}
	return ""
}

// standsStill says whether some statement runs in one iteration of the loop
// only while others move on.
func (l *Loop) standsStill() bool {
	still, moving := false, false
	for _, row := range l.Terms[0].Rows {
		still = still || row.IsConstant()
		moving = moving || !row.IsConstant()
	}
	return still && moving
}

// mostSeparated is the largest number of statements whose ranges are told apart: the code grows with their combinations.
const mostSeparated = 4

// isDelayed says whether some of the few statements of a loop without tiles run later in a loop outside than others:
// then their ranges differ, too. Where a statement has not every iteration between its first and last, a condition
// would stay all the same.
func (l *lowering) isDelayed(loop *Loop) bool {
	rows := loop.Terms[0].Rows
	isTiled := func(outer *Loop) bool { return outer.Level > 0 }
	if len(rows) > mostSeparated || loop.Level > 0 || loop.Parallel || loop.Vector || slices.ContainsFunc(l.around, isTiled) {
		return false
	}
	for _, row := range rows {
		if slices.ContainsFunc(row.Iterators, func(c int64) bool { return max(c, -c) > 1 }) {
			return false
		}
	}
	return slices.ContainsFunc(l.rows, func(outer map[int]Row) bool {
		constants := map[int64]bool{}
		for s := range rows {
			constants[outer[s].Constant] = true
		}
		return len(constants) > 1
	})
}
