package transform

import (
	"math"
	"slices"

	"polytune/isl"
	"polytune/schedule"
)

// fusesInNameOnly says whether the band's first loop only runs components of the
// statements one after the other: it carries a dependence, and inside one
// iteration of the loops around it no two components have more than one
// iteration of it in common. Legal rows of that kind exist for nearly any
// statements, by shifts that grow with the loops outside (i, then k + i, then
// 2k + i); as parts, each component has a loop of its own that may carry
// nothing.
//
// Constants and parameters of the rows around do not count, so that the answer
// may be wrong by the shifts between statements there: it is about profit only.
func (p *planner) fusesInNameOnly(band *bandPlan, components [][]int, found map[int][][]int64) (bool, error) {
	if band.coincident[0] {
		return false, nil
	}
	var spans []*isl.Map
	for _, component := range components {
		span, err := p.span(component, found, band.rows[0])
		if err != nil {
			return false, err
		}
		for _, other := range spans {
			common := span.Intersect(other)
			length, bounded, err := common.Reverse().ApplyRange(common).Deltas().Greatest()
			if err != nil || !bounded || length > 0 {
				return false, err
			}
		}
		spans = append(spans, span)
	}
	return true, nil
}

// areFreeApart says whether components have loops that carry nothing when each has its own, whereas
// the band that they share has none, as the steps of a factorization that has a copy of its column
// made before it subtracts.
func (p *planner) areFreeApart(band *bandPlan, components [][]int, found map[int][][]int64) (bool, error) {
	if slices.Contains(band.coincident, true) {
		return false, nil
	}
	for _, component := range components {
		if p.complete(component, found) {
			continue
		}
		own, err := p.findBand(component, found, within(band.active, component), unlimited)
		if own == nil || err != nil || !slices.Contains(own.coincident, true) {
			return false, err
		}
	}
	return true, nil
}

// leavesOthersStill says whether a component has at least two loops fewer left than another one,
// and so stands still along them in a band that both share, as the source of a wave and what is
// recorded of it do among the points: their iterations cut the loops of the others in pieces, and
// no reuse makes up for that.
func (p *planner) leavesOthersStill(_ *bandPlan, components [][]int, found map[int][][]int64) (bool, error) {
	most, least := 0, unlimited
	for _, component := range components {
		left, _ := p.loopsLeft(component, found)
		most, least = max(most, left), min(least, left)
	}
	return most-least >= 2, nil
}

// shiftsFar says whether some statements of a band run later along a loop than others by half of
// the loop's own iterations or more: they have few in common, and conditions stay inside. What
// needs a whole row of 8 elements runs 7 iterations later than the row.
func (p *planner) shiftsFar(band *bandPlan, _ [][]int, found map[int][][]int64) (bool, error) {
	lengths, err := p.lengths(&bandPlan{rows: band.rows, outer: found})
	if err != nil {
		return false, err
	}
	for k, rows := range band.rows {
		first, last := int64(math.MaxInt64), int64(math.MinInt64)
		for _, row := range rows {
			if !row.IsConstant() {
				first, last = min(first, row.Constant), max(last, row.Constant)
			}
		}
		if shift := last - first; shift > 0 && lengths[k] != unlimited && 2*shift >= lengths[k]-shift {
			return true, nil
		}
	}
	return false, nil
}

// span relates the iterations of the loops around to the values that the rows
// of one more loop have in them, for any of the statements.
func (p *planner) span(statements []int, found map[int][][]int64, rows map[int]schedule.Row) (*isl.Map, error) {
	var all *isl.Map
	for _, s := range statements {
		span := p.outside(found[s], s).Reverse().ApplyRange(p.graph.Time(s, rows[s]))
		if all != nil {
			span = all.Union(span)
		}
		all = span
	}
	return all, p.graph.Model.Context.Err()
}
