package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// Blocked is the number of the program's statements of the largest depth that a
// recipe runs in register blocks: those have the most instances. Programs whose
// deepest statements have fewer than three loops have none.
func Blocked(p *scop.Program, recipe schedule.Recipe) (int, error) {
	tree, err := recipe.Replay(p)
	if err != nil {
		return 0, err
	}
	deepest := 0
	for _, s := range p.Statements {
		deepest = max(deepest, s.Depth())
	}
	count := 0
	for nodes := tree.Classes; len(nodes) > 0; nodes = nodes[1:] {
		n := nodes[0]
		nodes = append(slices.Clip(nodes), n.Parts...)
		if !slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool { return l.Registers != nil }) {
			continue
		}
		for _, s := range n.Statements {
			if p.Statements[s].Depth() == deepest {
				count++
			}
		}
	}
	return count, nil
}
