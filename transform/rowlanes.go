package transform

import (
	"fmt"
	"slices"

	"polytune/isl"
)

// Sums of rows whose results lie behind each other may run in lanes, a row in each: the code transposes squares of elements in registers
// (codegen). A row at a time is left to the compiler otherwise, which gathers, or transposes with many more instructions: gcc's code for eight rows of 1000 x 1000
// doubles takes 1.25 times as long, clang's 2.1 times (AMD Zen 5, one thread).

// takeRowLanes has a sweep's sums in lanes, if they may be.
func (p *planner) takeRowLanes(w *sweep, band *bandPlan, moves []movement) error {
	if w.lanes || len(band.reductions[w.rows]) > 0 || slices.ContainsFunc(moves, func(m movement) bool { return m.steps[0][m.placeOf(w.rows)].distance() != 1 }) {
		return nil
	}
	lanes := *w
	lanes.rowLanes, lanes.count = true, multipleOf(w.elements, float64(w.count))
	if !w.apart && !band.coincident[w.rows] {
		return nil
	}
	for _, m := range moves {
		if free, err := p.rowsAreFree(&lanes, band, m.statement); w.apart && !free || err != nil {
			return err
		}
	}
	*w = lanes
	return nil
}

// rowsAreFree says whether no row of a statement depends on another one of its block in iterations of the stream in which all rows of the block run.
func (p *planner) rowsAreFree(w *sweep, band *bandPlan, s int) (bool, error) {
	whole := p.graph.Model.Statements[s].Domain
	for _, corner := range []int64{0, w.count - 1} {
		whole = whole.Intersect(p.graph.Model.Statements[s].Domain.Apply(p.rowOfBlock(w, band, s, corner).Reverse()))
	}
	block, row := p.sameTile(band, s, s, map[int]int64{w.rows: w.count}), p.sameTile(band, s, s, map[int]int64{w.rows: 1})
	for _, d := range constraining(band.active) {
		if d.Source != s || d.Target != s {
			continue
		}
		inside := d.Relation.IntersectDomain(whole).Reverse().IntersectDomain(whole).Reverse().Intersect(block).Subtract(row)
		if empty, err := inside.IsEmpty(); !empty || err != nil {
			return false, err
		}
	}
	return true, nil
}

// rowOfBlock relates the instances of a statement to those of a row of their block, by its number, in the same iteration of the stream.
func (p *planner) rowOfBlock(w *sweep, band *bandPlan, s int, number int64) *isl.Map {
	program := p.graph.Model.Program
	from, fromText := p.tuple(s, "tune_a")
	to, toText := p.tuple(s, "tune_b")
	text := func(loop int, iterators []string) string {
		return band.rows[loop][s].Text(iterators, program.Parameters)
	}
	return p.graph.Model.Context.ReadMap(fmt.Sprintf("%s{ %s -> %s : %s = %s and exists (tune_t : %[6]dtune_t <= %[7]s <= %[6]dtune_t + %[8]d and %[9]s = %[6]dtune_t + %[10]d) }",
		program.ParametersText(), fromText, toText, text(w.along, from), text(w.along, to), w.count, text(w.rows, from), w.count-1, text(w.rows, to), number))
}
