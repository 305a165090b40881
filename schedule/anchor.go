package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop/mark"
)

// leastMoved is the least number of statements in a loop with steps of which isl may have some run
// too early.
const leastMoved = 3

// hasSteps says whether a loop around has several statements that run at different remainders of
// its steps, as those of hexagons do at 3t, 3t + 1 and 3t + 2. An outermost loop around those of
// blocks does not count: in a step of it isl may put the blocks of several statements, which are a
// kernel, and its shifts are right there, where statements have instances at once that have any.
func (l *lowering) hasSteps() bool {
	for k, loop := range l.around {
		isBlock := func(inner *Loop) bool { return mark.Has[mark.Block](inner.Marks) }
		if len(loop.Terms) == 1 && loop.Terms[0].Size <= 1 && areSteps(loop.Terms[0].Rows) && (k > 0 || !slices.ContainsFunc(l.around, isBlock)) {
			return true
		}
	}
	return false
}

// isAnchored says whether an anchor is written below the loops of a node at the present place.
func (l *lowering) isAnchored(n *Node) bool { return len(n.Parts) == 0 && l.hasSteps() }

// areSteps says whether there are several rows of which some have steps, at different remainders.
func areSteps(rows map[int]Row) bool {
	constants, isStep := map[int64]bool{}, false
	for _, row := range rows {
		constants[row.Constant] = true
		isStep = isStep || slices.ContainsFunc(row.Iterators, func(c int64) bool { return max(c, -c) > 1 })
	}
	return isStep && len(rows) >= leastMoved && len(constants) > 1
}

// anchor has isl leave statements in the iterations that the schedule says: it moves those of loops
// with steps towards each other, so that several are in one iteration, unless a node below says
// something of the loops around. isl 0.25 had the statement at 3t + 2 in iteration 3t, and the one
// at 3t + 1 behind it, where a fourth one ran once in a tile.
func (l *lowering) anchor(indent int) {
	var names []string
	for k := range l.around {
		names = append(names, fmt.Sprint("tune_a", k))
	}
	l.line(l.child(indent), "guard: %q", fmt.Sprintf("%s{ [%s] }", l.tree.Program.ParametersText(), strings.Join(names, ", ")))
}
