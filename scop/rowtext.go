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

// ParseRows reads "S0[i, j] -> [i, i + j]": rows over names for the iterators of a
// statement. find gives the index of the statement with the name.
func (p *Program) ParseRows(text string, find func(name string) (int, error)) (statement int, rows []Row, err error) {
	left, right, arrow := strings.Cut(text, "->")
	name, inside, opened := strings.Cut(strings.TrimSpace(left), "[")
	names, closed := strings.CutSuffix(inside, "]")
	list, bracketed := strings.CutPrefix(strings.TrimSpace(right), "[")
	list, ended := strings.CutSuffix(list, "]")
	if !arrow || !opened || !closed || !bracketed || !ended {
		return 0, nil, fmt.Errorf("rows are written S0[i, j] -> [i, i + j]")
	}
	name = strings.TrimSpace(name)
	if statement, err = find(name); err != nil {
		return 0, nil, err
	}
	iterators := splitList(names)
	if depth := p.Statements[statement].Depth(); len(iterators) != depth {
		return 0, nil, fmt.Errorf("statement %s has %d loops, not %d", name, depth, len(iterators))
	}
	for _, expression := range splitList(list) {
		row, err := ParseRow(expression, iterators, p.Parameters)
		if err != nil {
			return 0, nil, err
		}
		rows = append(rows, row)
	}
	return statement, rows, nil
}

// splitList splits a list at its commas; one of blanks is empty.
func splitList(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	list := strings.Split(text, ",")
	for k := range list {
		list[k] = strings.TrimSpace(list[k])
	}
	return list
}
