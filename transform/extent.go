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
			if _, constant, err := greatest(ends.Deltas()); err != nil || !constant {
				return false, err
			}
		}
	}
	return true, nil
}

// greatest is an upper bound of the absolute values in a set of numbers over all
// values of the parameters; ok is false when there is none. Remainders go first:
// isl takes a number that is three times another one to be bounded.
func greatest(numbers *isl.Set) (value int64, ok bool, err error) {
	all := numbers.ProjectOut(isl.DimParam, 0, numbers.Dim(isl.DimParam)).RemoveDivs()
	if empty, err := all.IsEmpty(); err != nil || empty {
		return 0, empty, err
	}
	above, err := all.HasUpperBound(0)
	if err != nil || !above {
		return 0, false, err
	}
	below, err := all.HasLowerBound(0)
	if err != nil || !below {
		return 0, false, err
	}
	for _, end := range []*isl.Set{all.Lexmin(), all.Lexmax()} {
		point, single := end.Point()
		if !single {
			return 0, false, all.Context().Err()
		}
		value = max(value, point[0], -point[0])
	}
	return value, true, nil
}
