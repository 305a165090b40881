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
// its steps, as those of hexagons do at 3t, 3t + 1 and 3t + 2. Loops around those of blocks do not
// count: in a step of theirs isl may put the blocks of several statements, which are a kernel.
func (l *lowering) hasSteps() bool {
	for k := len(l.around) - 1; k >= 0 && !mark.Has[mark.Block](l.around[k].Marks); k-- {
		if terms := l.around[k].Terms; len(terms) == 1 && terms[0].Size <= 1 && areSteps(terms[0].Rows) {
			return true
		}
	}
	return false
}

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
		names = append(names, fmt.Sprint("a", k))
	}
	l.line(l.child(indent), "guard: %q", fmt.Sprintf("%s{ [%s] }", l.tree.Program.ParametersText(), strings.Join(names, ", ")))
}
