package transform

import (
	"math"
	"slices"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// A sweep is a band of two loops in which all statements walk through matrices of
// which they use each element once, and update vectors, or matrices as they go:
// products of a matrix and a vector, updates of rank one. It takes as long as the
// memory needs to deliver the matrices, if nothing else takes longer:
//   - A sum along a row is a chain of additions, each of which waits for the last
//     one. Several rows at a time are as many chains, with their sums in registers.
//   - A vector to which row after row is added is read and written once for several
//     rows at a time.
//
// Blocks of rows do both: those of the loop that is unrolled. Measured on an AMD
// EPYC (Zen 3), gcc 12, one thread, a matrix of 1900 x 2100 doubles in the third cache: the sums of
// rows 2.6 ms as they are, 1.67 with 4 rows, 1.23 with 8; the sum of rows 1.56, 1.11 and
// 1.12.
type sweep struct {
	// rows is the loop of which several iterations are unrolled, along the one
	// through their elements.
	rows, along int
	// lanes says that the loop through the elements is a vector loop: targets move
	// along it. Otherwise they stay the same, and are kept in registers.
	lanes bool
	// rowLanes says that the loop over rows is one: each lane has the sum of a row, and squares of
	// elements are transposed.
	rowLanes bool
	// apart says that some statements stand still along the loop through the elements, as the
	// division of a triangular system: whole blocks run apart from them.
	apart bool
	// count is the number of rows of a block, vectors that along a row, and elements
	// those of a vector.
	count, vectors, elements int64
}

// sweepOf is the sweep that a band is; nil for none, with the reason, and where the
// user wants other tiles than these blocks.
func sweepOf(g *depend.Graph, o *Options, band *facts.Band, moves []facts.Movement) (*sweep, Reason, error) {
	u := o.Vector
	switch {
	case !o.hasModelBlocks():
		return nil, "other blocks or tiles are asked for, or the target has no vectors", nil
	case !band.Permutable || len(band.Loops) != 2 || len(moves) != len(band.Rows[0]):
		return nil, "it is no permutable band of two loops", nil
	}
	size, all := facts.ElementSize(g, moves), len(moves)
	moves = slices.DeleteFunc(slices.Clone(moves), func(m facts.Movement) bool { return len(m.Loops) < 2 })
	apart := len(moves) < all
	switch {
	case size == 0 || len(moves) == 0:
		return nil, "some statement is none that vectors can be written for, or elements differ in size", nil
	case !facts.UsesOnce(moves):
		return nil, "some statement uses all its elements more than once", nil
	case apart && len(g.Model.Program.Privates()) > 0:
		return nil, "statements share a variable, and blocks would run apart from the others", nil
	}
	for _, along := range []int{1, 0} {
		w := &sweep{rows: 1 - along, along: along, apart: apart, count: max(2, facts.SweptRows/int64(len(moves))), vectors: facts.SweptVectors, elements: u.lanesOf(size)}
		if !facts.IsNear(moves, along) {
			continue
		}
		w.lanes = !facts.IsStream(moves, along) || !facts.MovesAll(moves, w.rows)
		if w.lanes {
			count, err := sweptInLanes(g, o, moves, w.rows, w.elements, 1)
			if err != nil {
				return nil, "", err
			}
			w.count = count
		}
		if shape := o.Registers; shape.Rows > 0 {
			w.count, w.vectors = shape.Rows, shape.Vectors
		}
		if apart && (w.lanes || slices.Contains(band.Coincident, true)) {
			continue
		}
		uneven, err := facts.IsUneven(g, band, along)
		if err != nil {
			return nil, "", err
		}
		if err := takeRowLanes(g, o, w, band, moves); err != nil {
			return nil, "", err
		}
		if !w.lanes || !uneven && band.Coincident[along] && len(band.Reductions[along]) == 0 && w.fitsLanes(moves) {
			return w, "", nil
		}
	}
	return nil, "along neither loop all moves by one element while the other one has sums or vectors that stay", nil
}

// isHardlyFull says whether full blocks are known to have less than half of a sweep's iterations,
// or none: blocks begin at multiples of their sizes, whatever the first iteration is. Of 39 x 94
// points from (1, 1) on blocks of 16 x 32 have 512, and what is around them takes twice as long as
// without.
func isHardlyFull(g *depend.Graph, o *Options, d *decision, w *sweep) (bool, error) {
	if d.lengths[w.rows] < w.count || w.lanes && d.lengths[w.along] < w.elements {
		return true, nil
	}
	blocks := map[int]int64{w.rows: w.count}
	if w.lanes {
		blocks[w.along] = w.vectors * w.elements
	}
	share := 1.0
	for k, size := range blocks {
		if d.lengths[k] == facts.Unlimited {
			continue
		}
		begin, err := beginOfRun(g, o, d.band, k)
		if err != nil {
			return false, err
		}
		share *= shareOfFull(begin, d.lengths[k], size)
	}
	return share < 0.5, nil
}

// shareOfFull is the share that whole blocks have of the iterations of a loop.
func shareOfFull(begin, length, size int64) float64 {
	full := (begin+length)/size - (begin+size-1)/size
	return float64(max(0, full)*size) / float64(length)
}

// rowsInLanes is the number of rows of a block of some sums of each, a row in each of so many
// lanes, and of a block of one sum of rows.
func rowsInLanes(lanes, sums int64) int64 { return multipleOf(lanes, float64(facts.LaneRows/sums)) }

// sweptInLanes is that number in a sweep of statements, of which the first cache has the rows
// beside each other.
func sweptInLanes(g *depend.Graph, o *Options, moves []facts.Movement, rows int, lanes, sums int64) (int64, error) {
	most := rowsInLanes(lanes, sums)
	beside, err := besideInSets(g, o, moves, rows, most)
	return halved(lanes, most, beside), err
}

// halved is a number of rows halved until there are no more than are wanted, in whole vectors of
// lanes, one at least.
func halved(lanes, rows, wanted int64) int64 {
	for rows > max(lanes, wanted) {
		rows /= 2
	}
	return multipleOf(lanes, float64(rows))
}

// fitsLanes says whether all targets move along the loop through the elements, and
// some target is the same for all rows.
func (w *sweep) fitsLanes(moves []facts.Movement) bool {
	return facts.MovesAll(moves, w.along) && !facts.MovesAll(moves, w.rows)
}

// emitSweep emits the commands of a sweep, and says whether a loop runs on several
// threads then.
func (p *planner) emitSweep(band *facts.Band, w *sweep, moves []facts.Movement, parallel bool) (bool, error) {
	blocks := command.Registers{Loops: []string{band.Loops[w.rows]}, Sizes: []int64{w.count}, Apart: w.apart}
	if w.lanes {
		blocks = command.Registers{
			Loops: []string{band.Loops[w.rows], band.Loops[w.along]},
			Sizes: []int64{w.count, w.vectors * w.elements}, Lanes: w.elements,
		}
	}
	if w.rowLanes {
		blocks.Lanes, blocks.Ahead = w.elements, p.options.Uses(aheadAxis)
	}
	shifts, err := endsShift(p.graph, band, w)
	if err != nil {
		return false, err
	}
	if shifts {
		p.emit(command.Skew{Loop: band.Loops[w.along], Factor: -1, Along: band.Loops[w.rows]})
	}
	p.emit(blocks)
	switch {
	case parallel || w.apart:
		return false, nil
	case band.Coincident[w.rows]:
		loop := band.Loops[w.rows] + "r"
		if shifts { // rows from the diagonal on are equally long
			p.emit(command.Parallel{Loop: loop})
		} else if err := p.emitParallel(band, w.rows, loop); err != nil {
			return false, err
		}
		return true, p.limitSweep(band, moves, loop, w.count)
	case w.lanes:
		loop := band.Loops[w.along] + "r"
		p.emit(command.Parallel{Loop: loop})
		p.emit(command.Region{Outer: band.Loops[w.rows] + "r", Loop: loop})
		return true, p.limitSweep(band, moves, loop, blocks.Sizes[1])
	}
	return false, nil
}

// endsShift says whether rows without lanes, which carry nothing, begin and end one element later
// each than the one before, as those of a matrix of few diagonals: 20,000 rows of 33 elements take
// 16.8 ms on one thread of an AMD EPYC where blocks of rows have full stretches of 26 columns, and
// 7.8 where these are counted from the diagonal.
func endsShift(g *depend.Graph, band *facts.Band, w *sweep) (bool, error) {
	if w.lanes || w.apart || !band.Coincident[w.rows] || len(band.Reductions[w.rows])+len(band.Reductions[w.along]) > 0 {
		return false, nil
	}
	for s := range band.Rows[0] {
		row, column := facts.UnitOf(band.Rows[w.rows][s]), facts.UnitOf(band.Rows[w.along][s])
		if row < 0 || column < 0 || band.Rows[w.rows][s].Iterators[row] != band.Rows[w.along][s].Iterators[column] {
			return false, nil
		}
		begins, ends := false, false
		for _, part := range g.Model.Statements[s].Domain.BasicSets() {
			equalities, inequalities, err := part.Constraints()
			if err != nil {
				return false, err
			}
			for _, condition := range slices.Concat(equalities, inequalities) {
				if condition[row] != 0 && condition[column] != 0 && condition[row] != -condition[column] {
					return false, nil
				}
				begins = begins || condition[row] < 0 && condition[column] > 0
				ends = ends || condition[row] > 0 && condition[column] < 0
			}
		}
		if !begins || !ends {
			return false, nil
		}
	}
	return true, nil
}

// limitSweep leaves a sweep to one thread where it is short: inside other loops as limitThreads
// does, where a square matrix with as many blocks of a size along the parallel loop has few
// accesses. In strips that is the team's matter.
func (p *planner) limitSweep(band *facts.Band, moves []facts.Movement, loop string, size int64) error {
	if p.inStrips {
		return nil
	}
	accesses := 0
	for _, m := range moves {
		if len(band.Outer[m.Statement]) == 0 {
			return p.emitGrain(loop, band.Statements(), band.Outer)
		}
		accesses += len(m.Steps)
	}
	side := int64(math.Sqrt(float64(facts.MinimumSwept / accesses)))
	p.emit(command.Threads{Loop: loop, From: max(1, side/size)})
	return nil
}
