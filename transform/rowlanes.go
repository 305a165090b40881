package transform

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Sums of rows whose results lie behind each other may run in lanes, a row in each: the code
// transposes squares of elements in registers (codegen). A row at a time is left to the compiler
// otherwise, which gathers, or transposes with many more instructions: gcc's code for eight rows of
// 1000 x 1000 doubles takes 1.25 times as long, clang's 2.1 times (AMD Zen 5, one thread).

// takeRowLanes has a sweep's sums in lanes, if they may be.
func takeRowLanes(g *depend.Graph, o *Options, w *sweep, band *facts.Band, moves []facts.Movement) error {
	if w.lanes || !w.apart && !band.Coincident[w.rows] || len(band.Reductions[w.rows]) > 0 || slices.ContainsFunc(moves, func(m facts.Movement) bool { return m.Steps[0][m.PlaceOf(w.rows)].Distance() != 1 }) {
		return nil
	}
	lanes := *w
	count, err := sweptInLanes(g, o, moves, w.rows, w.elements, int64(len(moves)))
	if err != nil {
		return err
	}
	lanes.rowLanes, lanes.count = true, count
	if shape := o.Registers; shape.Rows > 0 {
		lanes.count = multipleOf(w.elements, float64(shape.Rows))
	}
	for _, m := range moves {
		if !w.apart {
			break
		}
		if free, err := rowsAreFree(g, &lanes, band, m.Statement); !free || err != nil {
			return err
		}
	}
	*w = lanes
	return nil
}

// rowsAreFree says whether no row of a statement depends on another one of its block in iterations
// of the stream in which all rows of the block run.
func rowsAreFree(g *depend.Graph, w *sweep, band *facts.Band, s int) (bool, error) {
	whole := g.Model.Statements[s].Domain
	for _, corner := range []int64{0, w.count - 1} {
		whole = whole.Intersect(g.Model.Statements[s].Domain.Apply(rowOfBlock(g, w, band, s, corner).Reverse()))
	}
	block, row := facts.SameTile(g, band, s, s, map[int]int64{w.rows: w.count}), facts.SameTile(g, band, s, s, map[int]int64{w.rows: 1})
	for _, d := range facts.Constraining(band.Active) {
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

// rowOfBlock relates the instances of a statement to those of a row of their block, by its number,
// in the same iteration of the stream.
func rowOfBlock(g *depend.Graph, w *sweep, band *facts.Band, s int, number int64) *isl.Map {
	program := g.Model.Program
	from, fromText := facts.Tuple(g, s, "tune_a")
	to, toText := facts.Tuple(g, s, "tune_b")
	text := func(loop int, iterators []string) string {
		return band.Rows[loop][s].Text(iterators, program.Parameters)
	}
	return g.Model.Context.ReadMap(fmt.Sprintf("%s{ %s -> %s : %s = %s and exists (tune_t : %[6]dtune_t <= %[7]s <= %[6]dtune_t + %[8]d and %[9]s = %[6]dtune_t + %[10]d) }",
		program.ParametersText(), fromText, toText, text(w.along, from), text(w.along, to), w.count, text(w.rows, from), w.count-1, text(w.rows, to), number))
}

// recurrenceLanes is the number of lanes for recurrences along a band's last loop, a row in each
// lane, if the code can have vectors of rows for them: results lie behind each other, row by row,
// or along the rows, and what the block reads of arrays with such rows is in the same row, a few
// iterations before or behind. It is 0 for others. A block has count rows at least.
func (p *planner) recurrenceLanes(band *facts.Band, moves []facts.Movement, rows int, count int64) (int64, error) {
	size := facts.ElementSize(p.graph, moves)
	if size == 0 || p.options.Vector.Bits == 0 || len(moves) != len(band.Rows[0]) {
		return 0, nil
	}
	if uneven, err := facts.IsUneven(p.graph, band, len(band.Loops)-1); uneven || err != nil {
		return 0, err
	}
	r := &recurrence{planner: p, moves: moves, rows: rows, stream: len(band.Loops) - 1, lanes: p.options.Vector.lanesOf(size)}
	r.count = max(r.lanes, count)
	fits, err := r.fits()
	if !fits || err != nil {
		return 0, err
	}
	return r.lanes, nil
}

// recurrence is one along the last loop of a band, the stream.
type recurrence struct {
	*planner
	moves        []facts.Movement
	rows, stream int
	// lanes are those of a vector, count the rows of a block.
	lanes, count int64
}

// fits says whether vectors of rows can have all results.
func (r *recurrence) fits() (bool, error) {
	squares := map[string]bool{}
	for _, m := range r.moves {
		if m.PlaceOf(r.rows) < 0 || m.PlaceOf(r.stream) < 0 {
			return false, nil
		}
		if m.Steps[0][m.PlaceOf(r.rows)].Distance() == 1 {
			continue
		}
		array := arrayOf(r.graph, m, 0).Name
		if fits, err := r.isRowOfResults(array, m); !fits || err != nil {
			return false, err
		}
		squares[array] = true
	}
	read := 0
	for _, m := range r.moves {
		for a := range m.Steps {
			if array := arrayOf(r.graph, m, a).Name; !squares[array] && r.direction(m, a) != 0 && m.Steps[a][m.PlaceOf(r.rows)].Distance() > 1 {
				read++
			}
		}
	}
	vectors := int64(len(squares)+read) * r.count
	return vectors > 0 && vectors <= schedule.MostTransposed, nil
}

// direction is 1 for an access that moves by one element along the stream, -1 for one that does so
// backwards, and 0 for others.
func (r *recurrence) direction(m facts.Movement, access int) int64 {
	s := m.Steps[access][m.PlaceOf(r.stream)]
	last := len(s.Subscripts) - 1
	if !s.Known || last < 0 || s.Subscripts[last] != 1 && s.Subscripts[last] != -1 || slices.ContainsFunc(s.Subscripts[:last], func(v int64) bool { return v != 0 }) {
		return 0
	}
	return s.Subscripts[last]
}

// isRowOfResults says whether all accesses to the array of a statement's result are in the row of
// that, in this iteration of the stream or one near it, and all results in this.
func (r *recurrence) isRowOfResults(array string, target facts.Movement) (bool, error) {
	direction := r.direction(target, 0)
	if direction == 0 {
		return false, nil
	}
	model := r.graph.Model
	own, err := scop.Subscripts(model.Statements[target.Statement].Accesses[0])
	if err != nil || own == nil {
		return false, err
	}
	last := len(own) - 1
	for _, m := range r.moves {
		for a := range m.Steps {
			if arrayOf(r.graph, m, a).Name != array {
				continue
			}
			other, err := scop.Subscripts(model.Statements[m.Statement].Accesses[a])
			if err != nil || other == nil || len(other) != len(own) {
				return false, err
			}
			back := (own[last].Constant - other[last].Constant) * direction
			other[last].Constant = own[last].Constant
			if !slices.EqualFunc(own, other, schedule.Row.Equal) || max(back, -back) > r.lanes || back != 0 && model.Statements[m.Statement].Statement.Accesses[a].Write {
				return false, nil
			}
		}
	}
	return true, nil
}
