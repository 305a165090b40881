package transform

import (
	"maps"
	"slices"

	"polytune/isl"
	"polytune/schedule"
)

// sameRange says whether all statements' loops along the rows begin and end
// within a constant number of iterations of each other, whatever the values of
// the parameters: then a loop around them has few iterations that only some
// statements run.
func (p *planner) sameRange(rows map[int]schedule.Row) (bool, error) {
	var first *isl.Set
	for _, s := range slices.Sorted(maps.Keys(rows)) {
		values := p.graph.Model.Statements[s].Domain.Apply(p.graph.Time(s, rows[s]))
		if first == nil {
			first = values
			continue
		}
		for _, ends := range []*isl.Map{first.Lexmin().MapTo(values.Lexmin()), first.Lexmax().MapTo(values.Lexmax())} {
			if _, constant, err := ends.Deltas().Greatest(); err != nil || !constant {
				return false, err
			}
		}
	}
	return true, nil
}
