package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// Beside says for how many of the program's statements of the largest depth, which have the
// most instances but for those that bring last values back, a recipe runs several instances beside each other, in register blocks or in
// vector lanes. Those in blocks that stay in registers along a loop count twice: they use there what they load several
// times. Those whose writes depend on data do not count: nothing of theirs stays in a register, and lanes need a branch each.
func Beside(p *scop.Program, recipe schedule.Recipe) (int, error) {
	tree, err := recipe.Replay(p)
	if err != nil {
		return 0, err
	}
	deepest, count := p.Deepest(), 0
	for nodes := tree.Classes; len(nodes) > 0; nodes = nodes[1:] {
		n := nodes[0]
		value := besideIn(n)
		if value == 0 {
			nodes = append(slices.Clip(nodes), n.Parts...)
			continue
		}
		for _, s := range n.Statements {
			if p.Statements[s].Depth() == deepest && !p.BringsBack(s) && !p.Statements[s].WritesPerhaps() {
				count += value
			}
		}
	}
	return count, nil
}

// besideIn is how much each statement of a node counts.
func besideIn(n *schedule.Node) (value int) {
	for _, l := range n.Loops {
		switch {
		case l.Registers != nil && !l.Unrolled:
			value = max(value, 2)
		case l.Registers != nil || l.Vector:
			value = max(value, 1)
		}
	}
	return value
}
