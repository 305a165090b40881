package transform

import (
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
)

// findMeetings finds which statements of a stencil run in one step at one place.
func findMeetings(g *depend.Graph, f *stencil) error {
	points := map[int]*isl.Set{}
	for k, s := range f.statements {
		rows := []schedule.Row{f.time[s]}
		for _, space := range f.space {
			rows = append(rows, space[s])
		}
		points[s] = g.Model.Statements[s].Domain.Apply(g.Model.Context.ReadMap(g.Model.Program.RowsText(s, rows...)))
		for _, other := range f.statements[:k] {
			apart, err := points[s].Intersect(points[other]).IsEmpty()
			if err != nil {
				return err
			}
			if !apart {
				f.meetings = append(f.meetings, [2]int{other, s})
			}
		}
	}
	return g.Model.Context.Err()
}
