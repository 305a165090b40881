package schedule

import (
	"fmt"
	"strings"

	"polytune/scop"
)

// Command is one step of a recipe. Its Spec says how it is written.
//
// A command's own check is structural: names, permutability, sizes. That the
// result respects every dependence is proven on the lowered tree by
// depend.Graph.Check; Recipe.Replay says which command was the first to break
// one.
type Command interface {
	// Apply changes the tree, or returns an error and leaves it as it was.
	Apply(t *Tree) error
}

// rowsText prints the rows of loops by statement, S0[i] -> [i, 0]; S1[i] -> [i, 1].
func rowsText(p *scop.Program, loops []map[int]Row) string {
	var parts []string
	for i := range p.Statements {
		if _, ok := loops[0][i]; !ok {
			continue
		}
		iterators := p.IteratorNames(i)
		rows := make([]string, len(loops))
		for k := range loops {
			rows[k] = loops[k][i].Text(iterators, p.Parameters)
		}
		parts = append(parts, fmt.Sprintf("%s[%s] -> [%s]", p.Statements[i].Spelling(), strings.Join(iterators, ", "), strings.Join(rows, ", ")))
	}
	return strings.Join(parts, "; ")
}
