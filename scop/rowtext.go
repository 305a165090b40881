package scop

import (
	"fmt"
	"strings"
)

// IteratorNames are distinct names for the loops of a statement, given by its
// index: those of the source where they can be told apart and isl can read
// them.
func (p *Program) IteratorNames(s int) []string {
	taken := map[string]bool{}
	for _, p := range p.Parameters {
		taken[p] = true
	}
	names := p.Statements[s].Iterators()
	for k := range names {
		if !Representable(names[k]) {
			names[k] = "iterator"
		}
		for taken[names[k]] {
			names[k] += "_"
		}
		taken[names[k]] = true
	}
	return names
}

// InstanceText is a statement with its iterators, "S0[i, j]".
func (p *Program) InstanceText(s int) string {
	return p.Statements[s].Name + "[" + strings.Join(p.IteratorNames(s), ", ") + "]"
}

// RowsText is the relation from the instances of a statement to the values of
// rows, as isl text: "[N] -> { S0[i, j] -> [i, i + j] }".
func (p *Program) RowsText(s int, rows ...Row) string {
	iterators := p.IteratorNames(s)
	values := make([]string, len(rows))
	for k, row := range rows {
		values[k] = row.Text(iterators, p.Parameters)
	}
	return fmt.Sprintf("%s{ %s -> [%s] }", p.ParametersText(), p.InstanceText(s), strings.Join(values, ", "))
}

// ParametersText is the declaration of the parameters in isl text: "[N] -> ",
// or nothing when there are none.
func (p *Program) ParametersText() string {
	if len(p.Parameters) == 0 {
		return ""
	}
	return "[" + strings.Join(p.Parameters, ", ") + "] -> "
}
