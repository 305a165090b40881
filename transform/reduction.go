package transform

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// nextRows finds the next hyperplane of a band. One along which not even relaxed
// dependences have a distance comes first, so that a sum is only taken apart
// where no loop is parallel without.
func (p *planner) nextRows(q hyperplane.Question) (map[int]schedule.Row, error) {
	hard := facts.Constraining(q.Active)
	if len(hard) < len(q.Active) && !q.Lazy {
		rows, err := p.finder().Parallel(q)
		if rows != nil || err != nil {
			return rows, err
		}
	}
	q.Active = hard
	return p.finder().Next(q)
}

// addLoop adds a loop with these rows to the band, whose statements have the
// rows found in the loops outside.
func addLoop(g *depend.Graph, o *Options, band *facts.Band, rows map[int]schedule.Row, found map[int][][]int64) error {
	coincident, err := facts.Coincident(facts.Constraining(band.Active), rows)
	if err != nil {
		return err
	}
	clauses, err := facts.Carried(band.Active, rows)
	if err != nil {
		return err
	}
	if coincident && len(clauses) > 0 {
		if coincident, err = mayAddUp(g, o, rows, clauses, found); err != nil {
			return err
		}
	}
	band.Rows = append(band.Rows, rows)
	band.Coincident = append(band.Coincident, coincident)
	band.Reductions = append(band.Reductions, clauses)
	return nil
}

// mayHaveCopies says whether threads that share a loop over the statements can
// have accumulators of their own, and whether these are worth it: an array of
// them has fewer dimensions than the statements that update it have loops left,
// so that there is more to compute than to copy.
func mayHaveCopies(g *depend.Graph, rows map[int]schedule.Row, clauses []scop.Clause, found map[int][][]int64) (bool, error) {
	model := g.Model
	for _, c := range clauses {
		var elements scop.Accumulators
		if len(model.Program.Array(c.Array).Extents) > 0 {
			var ok bool
			var err error
			if elements, ok, err = model.Accumulated(c); !ok || err != nil {
				return false, err
			}
		}
		for s := range rows {
			statement := &model.Statements[s]
			left := statement.Depth() - scop.Rank(found[s], statement.Depth())
			updates := statement.Reduction.Under(c) != nil
			if !statement.OnlyUpdates(c) {
				return false, nil
			}
			if updates && elements.Dimensions >= left {
				if few, err := mayBeFew(g, elements, c, s, rows, found[s]); !few || err != nil {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// haveUnknownWork says that one of some statements updates several elements of a clause's array in
// an iteration, and nobody knows how many.
func haveUnknownWork(g *depend.Graph, rows map[int]schedule.Row, c scop.Clause) bool {
	for s := range rows {
		if r := g.Model.Program.Statements[s].Reduction.Under(c); r != nil && r.Several {
			return true
		}
	}
	return false
}

// mayBeFew says whether the elements that updates touch may be few beside the iterations of a
// statement inside the loops outside, which is for the code to find out as it runs: data decide
// which elements these are, and no parameter makes both the array and the loops longer. That is no
// matter where some statement in the loop updates several in an iteration.
func mayBeFew(g *depend.Graph, elements scop.Accumulators, c scop.Clause, s int, rows map[int]schedule.Row, outer [][]int64) (bool, error) {
	program := g.Model.Program
	if !elements.Scattered || haveUnknownWork(g, rows, c) {
		return elements.Scattered, nil
	}
	extents, known, err := extents(g, s, outer)
	if !known || err != nil {
		return false, err
	}
	array := program.Array(c.Array)
	words := ctext.Words(strings.Join(array.Extents, " ") + " " + array.Span)
	for k, parameter := range program.Parameters {
		lengthens := slices.ContainsFunc(extents, func(extent scop.Row) bool { return extent.Parameters[k] != 0 })
		if lengthens && slices.Contains(words, parameter) {
			return false, nil
		}
	}
	return true, nil
}

// mayHaveLanes says whether the lanes of loop k of the band, in the innermost
// place, can have accumulators of their own: one statement updates each, and the
// same element along the loop.
func mayHaveLanes(g *depend.Graph, band *facts.Band, moves []facts.Movement, k int, clauses []scop.Clause) bool {
	for _, c := range clauses {
		updating := 0
		for s := range band.Rows[0] {
			statement := g.Model.Statements[s].Statement
			if !statement.OnlyUpdates(c) {
				return false
			}
			if statement.Reduction.Under(c) != nil {
				updating++
			}
		}
		if updating != 1 {
			return false
		}
	}
	for _, m := range moves {
		r := g.Model.Statements[m.Statement].Reduction
		if r == nil || !slices.ContainsFunc(clauses, func(c scop.Clause) bool { return r.Under(c) != nil }) {
			continue
		}
		if r.Several {
			return false
		}
		place := m.PlaceOf(k)
		if place < 0 || m.Steps[r.Accesses[0]][place].Distance() != 0 {
			return false
		}
	}
	return true
}
