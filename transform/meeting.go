package transform

import (
	"polytune/isl"
	"polytune/schedule"
)

// findMeetings finds which statements of a stencil run in one step at one place.
func (p *planner) findMeetings(f *stencil) error {
	points := map[int]*isl.Set{}
	for k, s := range f.statements {
		rows := []schedule.Row{f.time[s]}
		for _, space := range f.space {
			rows = append(rows, space[s])
		}
		points[s] = p.graph.Model.Statements[s].Domain.Apply(p.graph.Model.Context.ReadMap(p.graph.Model.Program.RowsText(s, rows...)))
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
	return p.graph.Model.Context.Err()
}
