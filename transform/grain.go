package transform

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/schedule"
	"polytune/scop"
)

// grain is the number of accesses below which one thread is as fast in a nest whose loops the
// parameters bound.
const grain = 1 << 17

// emitGrain leaves a parallel loop to one thread where the instances of the statements inside, in one
// iteration of the loops outside, whose rows are given by statement, have few accesses. Their number is that
// in the box around the statements with the most loops left. Nothing is emitted where the length of one
// of these is not known, where all are constants, or where a statement is no plain assignment, of which nobody knows the work.
func (p *planner) emitGrain(loop string, statements []int, outer map[int][][]int64) error {
	return p.emitGrainOf(grain, loop, statements, outer)
}

// emitGrainOf is emitGrain where one thread is as fast with fewer accesses than a number of them.
func (p *planner) emitGrainOf(grain int64, loop string, statements []int, outer map[int][][]int64) error {
	var most []scop.Row
	accesses := int64(0)
	for _, s := range statements {
		extents, ok, err := p.extents(s, outer[s])
		own := p.graph.Model.Statements[s].Statement
		if err != nil || !ok || mayCall(own) {
			return err
		}
		if len(extents) > len(most) {
			most, accesses = extents, 0
		}
		if len(extents) == len(most) {
			accesses += int64(len(own.Accesses))
		}
	}
	of := slices.DeleteFunc(most, func(extent scop.Row) bool {
		if varies(extent) {
			return false
		}
		accesses = min(grain, accesses*min(grain, max(1, extent.Constant)))
		return true
	})
	if len(of) > 0 {
		p.emit(schedule.Threads{Loop: loop, From: cmp.Or(p.options.Grain, grain/max(1, accesses)), Of: of})
	}
	return nil
}

// statements are those of the band, in order.
func (b *bandPlan) statements() []int { return slices.Sorted(maps.Keys(b.rows[0])) }

// extents are the extents of the box around a statement's instances that have equal values in rows
// of those coefficients, those of its iterators that the rows leave open; ok is false where one is
// not known.
func (p *planner) extents(s int, outer [][]int64) (extents []scop.Row, ok bool, err error) {
	statement := &p.graph.Model.Statements[s]
	known := slices.Clone(outer)
	for k := range statement.Depth() {
		unit := make([]int64, statement.Depth())
		unit[k] = 1
		longer := append(slices.Clip(known), unit)
		if scop.Rank(longer, statement.Depth()) == scop.Rank(known, statement.Depth()) {
			continue
		}
		known = longer
		values := statement.Iterations(k)
		bounds, err := p.graph.Model.UpperBounds(values.MapTo(values).Deltas(), 0)
		if err != nil || len(bounds) == 0 {
			return nil, false, err
		}
		extent := bounds[max(0, slices.IndexFunc(bounds, varies))]
		extent.Constant++
		extents = append(extents, extent)
	}
	return extents, true, nil
}

// varies says whether a row has parameters. Arrays of constant extents bound loops too, but where a parameter bounds one, it tells how long that is.
func varies(row scop.Row) bool {
	return slices.ContainsFunc(row.Parameters, func(c int64) bool { return c != 0 })
}

// mayCall says whether a statement names something with arguments: a function, or a macro, which may have one inside. Nobody knows the work
// of these.
func mayCall(s *scop.Statement) bool {
	for i := 1; i < len(s.Source); i++ {
		if s.Source[i] != '(' {
			continue
		}
		if before := strings.TrimRight(s.Source[:i], ctext.Blank); before != "" && ctext.IsWordByte(before[len(before)-1]) {
			return true
		}
	}
	return false
}
