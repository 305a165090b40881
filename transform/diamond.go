package transform

import (
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
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
func (f *front) tileRows(band *facts.Band) []map[int]schedule.Row {
	if f == nil || f.rows == nil {
		return band.Rows
	}
	rows := slices.Clone(band.Rows)
	rows[f.evicted] = f.rows
	return rows
}

// concurrentStart finds loops of a band whose tiles can start together, or nil
// where there are none. By theorem 1 of the SC'12 paper these are loops the
// cone of whose hyperplanes has the face strictly inside. Where the band's do
// not, one makes way for λ0·face - Σ h_k, h_k being the others of the front.
func (p *planner) concurrentStart(band *facts.Band) (*front, error) {
	face, err := p.face(band)
	if face == nil || err != nil {
		return nil, err
	}
	count := 2
	if p.options.Diamond == DiamondFull {
		count = len(band.Rows)
	}
	if along(face, band.Rows[:count], nil) {
		return &front{count: count}, nil
	}
	for _, evicted := range candidatesToEvict(face, band.Rows) {
		f := &front{first: min(max(0, evicted-1), len(band.Rows)-count), count: count, evicted: evicted}
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
func (p *planner) face(band *facts.Band) (map[int]schedule.Row, error) {
	face := map[int]schedule.Row{}
	for s := range band.Rows[0] {
		statement := &p.graph.Model.Statements[s]
		level := facts.FreeLevel(band.Outer[s], statement.Depth())
		if level == statement.Depth() {
			return nil, nil
		}
		face[s] = statement.Times[level]
	}
	_, shifts, err := p.finder().Multiple(hyperplane.Front{Face: face, Active: facts.Constraining(band.Active), Least: 1})
	if shifts == nil || err != nil {
		return nil, err
	}
	return face, nil
}

// complement is the hyperplane λ0·face - Σ h_k of SC'12, section IV, with the
// smallest λ0, over the loops h_k of the front that are not evicted; nil where
// there is none that keeps the loops of the band independent. Its λ_k are one:
// larger ones only make coefficients larger, and then the sum of the tiles'
// coordinates, by which waves are counted, would no longer follow the face.
func (p *planner) complement(band *facts.Band, face map[int]schedule.Row, f *front) (map[int]schedule.Row, error) {
	others := map[int]schedule.Row{}
	for s, row := range face {
		others[s] = facts.Combination(0, row, 0, row)
		for k := f.first; k < f.first+f.count; k++ {
			if k != f.evicted {
				others[s] = facts.Combination(1, others[s], 1, band.Rows[k][s])
			}
		}
	}
	privates := facts.Undetermined(p.graph, slices.Sorted(maps.Keys(face)), band.Outer)
	factor, shifts, err := p.finder().Multiple(hyperplane.Front{Face: face, Others: others, Active: facts.Constraining(band.Active), Privates: privates})
	if shifts == nil || err != nil {
		return nil, err
	}
	rows := map[int]schedule.Row{}
	for s, row := range face {
		rows[s] = facts.Combination(factor, row, -1, others[s])
		row := rows[s]
		row.Constant += shifts[s]
		rows[s] = row
	}
	replaced := slices.Clone(band.Rows)
	replaced[f.evicted] = rows
	for s := range rows {
		depth := p.graph.Model.Statements[s].Depth()
		if rankWith(band.Outer[s], replaced, s, depth) < rankWith(band.Outer[s], band.Rows, s, depth) {
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
	wave := facts.Combination(0, rows[0][s], 0, rows[0][s])
	for k := range rows {
		factor := int64(1)
		for i, size := range sizes {
			if i != k {
				factor *= size
			}
		}
		wave = facts.Combination(1, wave, factor, rows[k][s])
	}
	return wave
}
