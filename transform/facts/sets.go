package facts

import (
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
)

// SameIn relates the instances of a statement that have equal values in rows with these
// coefficients of its iterators.
func SameIn(g *depend.Graph, rows [][]int64, s int) *isl.Map {
	times := Outside(g, rows, s)
	return times.ApplyRange(times.Reverse())
}

// Outside relates the instances of a statement to the values of rows with these
// coefficients of its iterators.
func Outside(g *depend.Graph, found [][]int64, s int) *isl.Map {
	model := g.Model
	var rows []schedule.Row
	for _, iterators := range found {
		rows = append(rows, schedule.Row{Iterators: iterators, Parameters: make([]int64, len(model.Program.Parameters))})
	}
	return model.Context.ReadMap(model.Program.RowsText(s, rows...)).IntersectDomain(model.Statements[s].Domain)
}
