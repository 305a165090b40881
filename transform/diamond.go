package transform

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"polytune/isl/ilp"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Diamond says along how many dimensions the tiles of a band start together,
// where the dependences allow it (concurrent start): Bandishti, Pananilath,
// Bondhugula: Tiling stencil computations to maximize parallelism, SC'12.
type Diamond int

const (
	// DiamondOff leaves the tiles of a band to wavefronts, which begin with one
	// tile.
	DiamondOff Diamond = iota
	// DiamondOne has the tiles along one dimension start together (section V of
	// the paper, lower-dimensional concurrent start).
	DiamondOne
	// DiamondFull has all tiles along a face start together.
	DiamondFull
)

// Bounds of the integer programs of this file: of the multiple of the face, and
// of shifts. Sums of the hyperplanes of a band have coefficients well below.
const (
	mostFaces     = 64
	mostFaceShift = 64
)

// front is a set of consecutive loops of a band whose tiles start together when
// they run in wavefronts: the sum of their rows is a multiple of the face.
type front struct {
	first, count int
	// evicted is the loop of the band whose tiles have the rows instead of its
	// own; rows is nil when the band's own rows will do.
	evicted int
	rows    map[int]schedule.Row
}

// tileRows are the rows of the band's tile loops.
func (f *front) tileRows(band *bandPlan) []map[int]schedule.Row {
	if f == nil || f.rows == nil {
		return band.rows
	}
	rows := slices.Clone(band.rows)
	rows[f.evicted] = f.rows
	return rows
}

// concurrentStart finds loops of a band whose tiles can start together, or nil
// where there are none. By theorem 1 of the SC'12 paper these are loops the
// cone of whose hyperplanes has the face strictly inside. Where the band's do
// not, one makes way for λ0·face - Σ h_k, h_k being the others of the front.
func (p *planner) concurrentStart(band *bandPlan) (*front, error) {
	face, err := p.face(band)
	if face == nil || err != nil {
		return nil, err
	}
	count := 2
	if p.options.Diamond == DiamondFull {
		count = len(band.rows)
	}
	if along(face, band.rows[:count], nil) {
		return &front{count: count}, nil
	}
	for _, evicted := range candidatesToEvict(face, band.rows) {
		f := &front{first: min(max(0, evicted-1), len(band.rows)-count), count: count, evicted: evicted}
		f.rows, err = p.complement(band, face, f)
		if f.rows != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// candidatesToEvict are the loops of a band that may make way, in the order in
// which they are tried: those whose hyperplanes are parallel to the face,
// which keep their order inside a tile, and then the last.
func candidatesToEvict(face map[int]schedule.Row, rows []map[int]schedule.Row) []int {
	var candidates []int
	for k := range rows {
		if along(face, rows[k:k+1], nil) {
			candidates = append(candidates, k)
		}
	}
	if last := len(rows) - 1; !slices.Contains(candidates, last) {
		candidates = append(candidates, last)
	}
	return candidates
}

// face is the front that moves through the instances of a band with one
// iteration of the outermost source loop which no loop around the band fixes:
// the times of that loop. It is nil when the points on it cannot start
// together, as some dependence does not lead from one position to a later one.
// Dependences inside an iteration, as from one statement of a time step to the
// next, are no obstacle: some multiple of the times and some shifts satisfy
// them strictly, like a one-dimensional schedule of Feautrier.
func (p *planner) face(band *bandPlan) (map[int]schedule.Row, error) {
	face := map[int]schedule.Row{}
	for s := range band.rows[0] {
		statement := &p.graph.Model.Statements[s]
		level := freeLevel(band.outer[s], statement.Depth())
		if level == statement.Depth() {
			return nil, nil
		}
		face[s] = statement.Times[level]
	}
	_, shifts, err := p.multiple(band, face, nil, 1)
	if shifts == nil || err != nil {
		return nil, err
	}
	return face, nil
}

// freeLevel is the outermost of depth source loops whose iterator the rows do
// not determine.
func freeLevel(rows [][]int64, depth int) int {
	for level := range depth {
		if !scop.Determines(rows, depth, level+1) {
			return level
		}
	}
	return depth
}

// complement is the hyperplane λ0·face - Σ h_k of SC'12, section IV, with the
// smallest λ0, over the loops h_k of the front that are not evicted; nil where
// there is none that keeps the loops of the band independent. Its λ_k are one:
// larger ones only make coefficients larger, and then the sum of the tiles'
// coordinates, by which waves are counted, would no longer follow the face.
func (p *planner) complement(band *bandPlan, face map[int]schedule.Row, f *front) (map[int]schedule.Row, error) {
	others := map[int]schedule.Row{}
	for s, row := range face {
		others[s] = combination(0, row, 0, row)
		for k := f.first; k < f.first+f.count; k++ {
			if k != f.evicted {
				others[s] = combination(1, others[s], 1, band.rows[k][s])
			}
		}
	}
	factor, shifts, err := p.multiple(band, face, others, 0)
	if shifts == nil || err != nil {
		return nil, err
	}
	rows := map[int]schedule.Row{}
	for s, row := range face {
		rows[s] = combination(factor, row, -1, others[s])
		row := rows[s]
		row.Constant += shifts[s]
		rows[s] = row
	}
	replaced := slices.Clone(band.rows)
	replaced[f.evicted] = rows
	for s := range rows {
		depth := p.graph.Model.Statements[s].Depth()
		if rankWith(band.outer[s], replaced, s, depth) < rankWith(band.outer[s], band.rows, s, depth) {
			return nil, nil
		}
	}
	return rows, nil
}

// rankWith is the number of linearly independent rows of a statement around a
// band and in it.
func rankWith(outer [][]int64, band []map[int]schedule.Row, s, depth int) int {
	all := slices.Clip(outer)
	for _, rows := range band {
		all = append(all, rows[s].Iterators)
	}
	return scop.Rank(all, depth)
}

// multiple finds the smallest multiple λ0 >= 1 of the face, and then the smallest shifts of the
// statements, for which λ0·face - others + shift has a distance of at least least along every
// dependence that the band has to respect. shifts is nil when there is none. The constraints are
// (10) of the Pluto+ paper, by Farkas' lemma.
func (p *planner) multiple(band *bandPlan, face, others map[int]schedule.Row, least int64) (factor int64, shifts map[int]int64, err error) {
	q, shift, err := p.multiplesOf(band, face, others, least)
	if err != nil {
		return 0, nil, err
	}
	started, problem := time.Now(), q.problem()
	answer, err := ilp.Lexmin(p.graph.Model.Context, searchOperations, problem)
	record := Program{Purpose: ForStart, Statements: slices.Sorted(maps.Keys(face)), Unknowns: len(problem.Unknowns), Constraints: problem.Constraints(),
		Stage: "legal", Seconds: time.Since(started).Seconds(), Exceeded: answer.Exceeded, Solver: answer.Solver, program: q}
	if least > 0 {
		record.Stage = "positive"
	}
	if answer.Found {
		record.values = answer.Solution
		factor, shifts = answer.Solution[0], map[int]int64{}
		for s, unknown := range shift {
			shifts[s] = answer.Solution[unknown]
		}
	}
	p.explanation.Programs = append(p.explanation.Programs, record)
	return factor, shifts, err
}

// multiplesOf writes the program of multiple, with the number of each statement's
// shift.
func (p *planner) multiplesOf(band *bandPlan, face, others map[int]schedule.Row, least int64) (q *program, shift map[int]int, err error) {
	q, shift = &program{}, map[int]int{}
	q.add(unknown{name: "lambda0", upper: mostFaces})
	for _, s := range slices.Sorted(maps.Keys(face)) {
		shift[s] = q.add(unknown{name: "c0_" + p.graph.Model.Statements[s].Name, upper: mostFaceShift})
	}
	positive := q.newRow()
	positive[0], positive[len(positive)-1] = 1, -1
	q.atLeastZero("SC'12 IV", positive)
	if others != nil {
		p.shiftTogether(q, band, face, others, shift)
	}
	for _, d := range constraining(band.active) {
		cone, err := d.Cone()
		if err != nil {
			return nil, nil, err
		}
		equation := fmt.Sprintf("(10) %s -> %s", p.graph.Model.Statements[d.Source].Name, p.graph.Model.Statements[d.Target].Name)
		row := func(form []int64) []int64 { return distanceRow(q, form, d, shift, face, others, least) }
		for _, form := range cone.Equalities {
			q.isZero(equation, row(form))
		}
		for _, form := range cone.Inequalities {
			q.atLeastZero(equation, row(form))
		}
	}
	return q, shift, nil
}

// shiftTogether demands the same constant of the rows λ0·face - others + shift of all statements
// that share objects of a private variable inside the loops around the band, as addPrivate does of
// the band's own rows.
func (p *planner) shiftTogether(q *program, band *bandPlan, face, others map[int]schedule.Row, shift map[int]int) {
	for _, private := range p.undetermined(slices.Sorted(maps.Keys(face)), band.outer) {
		leader := private.Statements[0]
		for _, s := range private.Statements[1:] {
			if _, inside := face[s]; !inside {
				continue
			}
			row := q.newRow()
			row[0] = face[s].Constant - face[leader].Constant
			row[shift[s]]++
			row[shift[leader]]--
			row[len(row)-1] = others[leader].Constant - others[s].Constant
			q.isZero("private", row)
		}
	}
}

// distanceRow is the constraint that a row of a dependence's cone puts on
// λ0·Δface - Δothers + Δshift - least.
func distanceRow(q *program, cone []int64, d *depend.Dependence, shift map[int]int, face, others map[int]schedule.Row, least int64) []int64 {
	row := q.newRow()
	row[0] = product(cone, d.Distance(face[d.Source], face[d.Target], 1, 0))
	row[shift[d.Target]] += cone[0]
	row[shift[d.Source]] -= cone[0]
	last := len(row) - 1
	row[last] = -least * cone[0]
	if others != nil {
		row[last] += product(cone, d.Distance(others[d.Source], others[d.Target], -1, 0))
	}
	return row
}

// product is the scalar product of two vectors.
func product(a, b []int64) int64 {
	sum := int64(0)
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

// along says whether the sum of the rows, each over its size, follows the face:
// it is the same positive multiple of the face for all statements, but for
// shifts. Without sizes all are the same.
func along(face map[int]schedule.Row, rows []map[int]schedule.Row, sizes []int64) bool {
	multiple := int64(0)
	for s, row := range face {
		sum := waveRow(rows, sizes, s)
		for k, c := range row.Iterators {
			switch {
			case c == 0 && sum.Iterators[k] != 0:
				return false
			case c == 0:
				continue
			case multiple == 0:
				multiple = sum.Iterators[k] / c
			}
			if multiple <= 0 || sum.Iterators[k] != multiple*c {
				return false
			}
		}
	}
	return true
}

// waveRow is the row of a statement by which tiles are in waves, up to
// rounding and a factor: the sum of the rows, each over its size.
func waveRow(rows []map[int]schedule.Row, sizes []int64, s int) schedule.Row {
	wave := combination(0, rows[0][s], 0, rows[0][s])
	for k := range rows {
		factor := int64(1)
		for i, size := range sizes {
			if i != k {
				factor *= size
			}
		}
		wave = combination(1, wave, factor, rows[k][s])
	}
	return wave
}
