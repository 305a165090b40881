package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// interleaving says which of a band's loops has a few iterations beside each other
// inside the band's last loop, which carries dependences: unroll-and-jam of
// chains that do not depend on each other, so that the processor works on one
// while another waits.
type interleaving struct {
	// loop is the one whose iterations run beside each other, rows their number.
	loop int
	rows int64
	// skew is the multiple of the loop that the last one is skewed by before, so
	// that the last one carries what the loop does; 0 for none.
	skew int64
	// lanes is the number of SIMD lanes, a row in each, or 0.
	lanes int64
}

// Interleave is how many iterations run beside each other where no loop can be a
// vector loop; 0 where the model decides, 1 for none.
type Interleave int64

// interleavings are the values of the axis "interleave". The first is the default.
var interleavings = choices[Interleave]{{"model", 0}, {"off", 1}, {"2", 2}, {"4", 4}, {"6", 6}, {"12", 12}, {"16", 16}}

// interleaving finds a loop whose iterations do not depend on each other inside the
// last one, which carries dependences, with the smallest skew, and then as far
// inside as there is one; nil when there is none, with the reason. Without tiles it is the
// outermost loop, in front of which the blocks stand.
func (p *planner) interleaving(band *facts.Band, moves []facts.Movement, lengths []int64, place placing) (*interleaving, Reason, error) {
	last := len(band.Loops) - 1
	switch {
	case p.options.Interleave == 1 || !p.options.Uses(vectorAxis):
		return nil, "no iterations beside each other are asked for", nil
	case !place.innermost || last == 0 || !band.Permutable:
		return nil, "it is no innermost permutable band of several loops", nil
	case len(p.graph.Model.Program.Privates()) > 0:
		return nil, "statements share a variable", nil
	}
	rows := int64(p.options.Interleave)
	if rows == 0 {
		rows = min(facts.InterleavedRows, facts.MostInterleaved/int64(len(band.Rows[0])))
	}
	if rows < 2 {
		return nil, "its statements are too many", nil
	}
	if vectors, err := registersOf(p.graph, &p.options, band, moves, lengths, place.parts); vectors != nil || err != nil {
		return nil, "it has register blocks", err
	}
	if p.options.Diamond != DiamondOff && needsWavefront(&p.options, band, place.parallel) {
		if start, err := p.concurrentStart(band); start != nil || err != nil {
			return nil, "its tiles start together", err
		}
	}
	if together, err := runBeside(p.graph, band, place.parts); !together || err != nil {
		return nil, "its statements have not the same iterations", err
	}
	if free, err := facts.IsFreeInside(p.graph, band, band.Rows, last); free || err != nil {
		return nil, "its innermost loop carries nothing", err
	}
	if alone, err := vectorisesAlone(p.graph, band, moves); alone && p.options.Interleave == 0 || err != nil {
		return nil, "compilers make vectors of it as it is", err
	}
	first := last - 1
	if !place.tiled {
		first = 0
	}
	ofRun, err := p.lengthsOfRun(band)
	if err != nil {
		return nil, "", err
	}
	for skew := range int64(facts.MostSkew + 1) {
		for loop := first; loop >= 0; loop-- {
			if free, err := facts.IsFreeInside(p.graph, band, facts.Skewed(band.Rows, last, skew, loop), loop); err != nil {
				return nil, "", err
			} else if free {
				return p.chainsBeside(&interleaving{loop: loop, rows: rows, skew: skew}, band, moves, ofRun[loop], place)
			}
		}
	}
	return nil, "no other loop is free inside the last one, skewed or not", nil
}

// chainsBeside decides how many of at most so many iterations of a loop run beside each other, and
// whether in lanes; it is nil where fewer than two do.
func (p *planner) chainsBeside(i *interleaving, band *facts.Band, moves []facts.Movement, most int64, place placing) (*interleaving, Reason, error) {
	lanes, err := int64(0), error(nil)
	if i.skew == 0 {
		lanes, err = p.recurrenceLanes(band, moves, i.loop, i.rows)
	}
	if err != nil {
		return nil, "", err
	}
	if p.options.Interleave != 0 {
		if lanes > 0 && i.rows%lanes == 0 {
			i.lanes = lanes
		}
		return i, "", nil
	}
	if lanes > 0 {
		share, err := p.shareBeside(band, i.loop, min(max(i.rows, lanes), most), place)
		if err != nil {
			return nil, "", err
		}
		if share >= lanes {
			i.rows, i.lanes = multipleOf(lanes, float64(share)), lanes
			return i, "", nil
		}
	}
	if i.rows, err = p.mostBeside(band, moves, i.loop, min(i.rows, most), place); i.rows < 2 || err != nil {
		return nil, "fewer than two of its iterations fit into the first cache, or a thread has no more", err
	}
	return i, "", nil
}

// mostBeside is how many of at most so many iterations of a loop run beside each other: those that
// the first cache has lines for, and in wavefronts of tiles no more than each thread has.
func (p *planner) mostBeside(band *facts.Band, moves []facts.Movement, loop int, most int64, place placing) (int64, error) {
	most, err := p.shareBeside(band, loop, most, place)
	if err != nil {
		return 0, err
	}
	return besideInSets(p.graph, &p.options, moves, loop, most)
}

// shareBeside is at most so many iterations, and in wavefronts of tiles no more than each thread
// has.
func (p *planner) shareBeside(band *facts.Band, loop int, most int64, place placing) (int64, error) {
	if loop > 0 || !place.tiled || !needsWavefront(&p.options, band, place.parallel) {
		return most, nil
	}
	share, err := p.shareOfThread(band)
	return min(most, share), err
}

// runBeside says whether the statements of a node have as many loops, and the same
// iterations of the band, so that blocks can be full.
func runBeside(g *depend.Graph, band *facts.Band, parts []*nodePlan) (bool, error) {
	depth := -1
	for s := range band.Rows[0] {
		own := g.Model.Statements[s].Depth()
		if depth >= 0 && own != depth {
			return false, nil
		}
		depth = own
	}
	return runTogether(g, band, parts)
}

// decideInterleaved is decideBand for a band in which iterations run beside each
// other.
func (p *planner) decideInterleaved(band *facts.Band, i *interleaving, lengths []int64, place placing) (bool, error) {
	last := len(band.Loops) - 1
	if i.skew > 0 {
		p.emit(command.Skew{Loop: band.Loops[last], Factor: i.skew, Along: band.Loops[i.loop]})
		band.Rows = facts.Skewed(band.Rows, last, i.skew, i.loop)
	}
	blocks := command.Registers{Loops: []string{band.Loops[i.loop]}, Sizes: []int64{i.rows}, Lanes: i.lanes, Ahead: i.lanes > 0 && p.options.Uses(aheadAxis)}
	if !place.tiled {
		p.emit(blocks)
		names := slices.Clone(band.Loops)
		names[i.loop] += "r"
		if place.parallel {
			return true, nil
		}
		return p.parallelLoop(band, names, lengths, -1)
	}
	moves, err := facts.Movements(p.graph, band)
	if err != nil {
		return false, err
	}
	sizes := sizesOfTiles(p.graph, &p.options, band, moves, innerLoop{loop: last, vector: true, apart: true})
	if err := p.setHeight(sizes, band, place.parallel); err != nil {
		return false, err
	}
	if len(p.options.Tile.Sizes) == 0 {
		sizes[i.loop] = multipleOf(i.rows, float64(sizes[i.loop]))
	}
	tiles := p.tile(band.Loops, sizes)
	outer := tiles
	if p.options.SecondLevel {
		outer = p.tile(tiles, slices.Repeat([]int64{facts.SecondLevelRatio}, len(tiles)))
	}
	done := false
	if !place.parallel {
		if done, err = p.tiledParallel(band, outer, sizes, tileCounts(lengths, sizes), nil); err != nil {
			return false, err
		}
	}
	p.emit(blocks)
	return place.parallel || done, nil
}
