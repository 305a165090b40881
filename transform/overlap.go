package transform

import (
	"fmt"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Overlap is how many rows run beside each other where the vectors of a stencil's rows overlap; 0
// where the model decides, and overlapOff for rows that are left to the compiler.
type Overlap int64

const overlapOff Overlap = -1

// overlappings are the values of the axis "overlap". The first is the default.
var overlappings = choices[Overlap]{{"model", 0}, {"off", overlapOff}, {"1", 1}, {"2", 2}, {"4", 4}}

// overlapping says how the vectors of the rows overlap that a part of a stencil consists of, loop k
// of the band: not at all (no lanes) where its statement is not one that can be written so. Rows
// beside each other need a loop around that the part has for itself, and that carries nothing.
func overlapping(g *depend.Graph, options *Options, band *facts.Band, k int, block bool, part *nodePlan) (command.Overlapping, error) {
	none := command.Overlapping{}
	o := *options
	if o.Overlap == overlapOff || o.Marking == MarkIvdep || o.Marking == MarkNone || o.Lanes > 0 || o.Vector.Bits == 0 || len(part.statements) != 1 || len(part.bands) > 0 {
		return none, nil
	}
	statement := part.statements[0]
	bytes, ok := command.Streamable(g.Model.Program, statement)
	m, err := facts.MovementIn(g, band, statement)
	if !ok || err != nil || !isAlong(m, k) {
		return none, err
	}
	rows := int64(1)
	if block {
		if rows, err = rowsBesideOf(g, options, band, k, part, m); err != nil {
			return none, err
		}
	}
	return command.Overlapping{Rows: rows, Lanes: o.Vector.lanesOf(bytes)}, nil
}

// rowsBesideOf is how many iterations of the loop around loop k run beside each other.
func rowsBesideOf(g *depend.Graph, o *Options, band *facts.Band, k int, part *nodePlan, m facts.Movement) (int64, error) {
	around := loopAround(band, k)
	inside, _, err := withinParts(g, band, []int{around, k}, []*nodePlan{part})
	if err != nil {
		return 1, err
	}
	switch free, err := facts.CarriesNone(inside, band.Rows[around]); {
	case !free || err != nil || m.PlaceOf(around) < 0:
		return 1, err
	case o.Overlap > 0:
		return int64(o.Overlap), nil
	}
	if pointers, err := pointersOf(g, m, k, around, facts.ManyRows); pointers > facts.MostPointers || err != nil {
		return facts.FewRows, err
	}
	if beside, err := besideInSets(g, o, []facts.Movement{m}, around, facts.ManyRows); beside < facts.ManyRows || err != nil {
		return facts.FewRows, err
	}
	return facts.ManyRows, nil
}

// pointersOf is the number of rows of arrays that so many iterations of the loop around loop k read
// and write.
func pointersOf(g *depend.Graph, m facts.Movement, k, around int, iterations int64) (int, error) {
	model := &g.Model.Statements[m.Statement]
	rows := map[string]bool{}
	for a, steps := range m.Steps {
		subscripts, err := scop.Subscripts(model.Accesses[a])
		if err != nil {
			return 0, err
		}
		if subscripts == nil || !isNext(steps[m.PlaceOf(k)]) {
			continue
		}
		shift := steps[m.PlaceOf(around)].Subscripts
		for i := range iterations {
			name := model.Statement.Accesses[a].Array
			for d, row := range subscripts[:len(subscripts)-1] {
				name += fmt.Sprint(" ", row.Iterators, row.Parameters, row.Constant+i*shift[d])
			}
			rows[name] = true
		}
	}
	return len(rows), nil
}

// isAlong says whether a statement's target moves to the next element along a loop, and all else it
// reads does so or stands still.
func isAlong(m facts.Movement, loop int) bool {
	k := m.PlaceOf(loop)
	if k < 0 {
		return false
	}
	for a, steps := range m.Steps {
		if s := steps[k]; !isNext(s) && (a == 0 || s.Distance() != 0) {
			return false
		}
	}
	return true
}

// isNext says whether a step leads to the next element of a row.
func isNext(s facts.Step) bool { return s.Known && len(s.Subscripts) > 0 && s.IsNext() }

// loopAround is the loop right outside of loop k of a band, once that is innermost, or -1.
func loopAround(band *facts.Band, k int) int {
	around := len(band.Loops) - 1
	if k == around {
		around--
	}
	return around
}
