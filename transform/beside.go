package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// Beside is the number of the program's statements of the largest depth of which a
// recipe runs several instances beside each other, in register blocks or in
// vector lanes: those have the most instances.
func Beside(p *scop.Program, recipe schedule.Recipe) (int, error) {
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
		if !slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool { return l.Registers != nil || l.Vector }) {
			nodes = append(slices.Clip(nodes), n.Parts...)
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
