package transform

import (
	"math"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// inNameOnly parts statements where the band's first loop only runs components of the
// statements one after the other: it carries a dependence, and inside one
// iteration of the loops around it no two components have more than one
// iteration of it in common. Legal rows of that kind exist for nearly any
// statements, by shifts that grow with the loops outside (i, then k + i, then
// 2k + i); as parts, each component has a loop of its own that may carry
// nothing.
//
// Constants and parameters of the rows around do not count, so that the answer
// may be wrong by the shifts between statements there: it is about profit only.
func (v View) inNameOnly() (*Plan, Reason, error) {
	if v.shared.Coincident[0] {
		return nil, "its first loop carries nothing", nil
	}
	var spans []*isl.Map
	for _, component := range v.components {
		span, err := spanOf(v.graph, component, v.found, v.shared.Rows[0])
		if err != nil {
			return nil, "the statements meet in several iterations of its first loop", err
		}
		for _, other := range spans {
			common := span.Intersect(other)
			length, bounded, err := common.Reverse().ApplyRange(common).Deltas().Greatest()
			if err != nil || !bounded || length > 0 {
				return nil, "the statements meet in several iterations of its first loop", err
			}
		}
		spans = append(spans, span)
	}
	return &Plan{}, "each iteration of the first loop runs one of them alone", nil
}

// freeApart parts statements where components have loops that carry nothing when each has its own,
// whereas the band that they share has none, as the steps of a factorization that has a copy of its column
// made before it subtracts.
func (v View) freeApart() (*Plan, Reason, error) {
	if slices.Contains(v.shared.Coincident, true) {
		return nil, "it has a loop that carries nothing", nil
	}
	for _, component := range v.components {
		if facts.Complete(v.graph, component, v.found) {
			continue
		}
		own, err := v.findBand(component, v.found, facts.Within(v.shared.Active, component), facts.Unlimited)
		if own == nil || err != nil || !slices.Contains(own.Coincident, true) {
			return nil, "not each of them has a loop that carries nothing apart", err
		}
	}
	return &Plan{}, "each of them has a loop that carries nothing of its own", nil
}

// farApart parts statements where some of a band run later along a loop than others by half of
// the loop's own iterations or more: they have few in common, and conditions stay inside. What
// needs a whole row of 8 elements runs 7 iterations later than the row.
func (v View) farApart() (*Plan, Reason, error) {
	lengths, err := v.lengths(&facts.Band{Rows: v.shared.Rows, Outer: v.found})
	if err != nil {
		return nil, "no statement runs later by half of a loop", err
	}
	for k, rows := range v.shared.Rows {
		first, last := int64(math.MaxInt64), int64(math.MinInt64)
		for _, row := range rows {
			if !row.IsConstant() {
				first, last = min(first, row.Constant), max(last, row.Constant)
			}
		}
		if shift := last - first; shift > 0 && lengths[k] != facts.Unlimited && 2*shift >= lengths[k]-shift {
			return &Plan{}, "some run later by half of a loop or more", nil
		}
	}
	return nil, "no statement runs later by half of a loop", nil
}

// spanOf relates the iterations of the loops around to the values that the rows
// of one more loop have in them, for any of the statements.
func spanOf(g *depend.Graph, statements []int, found map[int][][]int64, rows map[int]schedule.Row) (*isl.Map, error) {
	var all *isl.Map
	for _, s := range statements {
		span := facts.Outside(g, found[s], s).Reverse().ApplyRange(g.Time(s, rows[s]))
		if all != nil {
			span = all.Union(span)
		}
		all = span
	}
	return all, g.Model.Context.Err()
}
