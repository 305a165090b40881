package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// decideNode emits, for a node and its parts, the commands that tile its bands,
// run a loop on several threads, and vectorise. parallel says that none is to
// run on several threads any more, as when one outside does already.
func (p *planner) decideNode(plan *nodePlan, parallel bool) error {
	if plan.whole != nil {
		return plan.whole(p, plan, parallel)
	}
	begin := len(p.recipe)
	for k, band := range plan.bands {
		last := k == len(plan.bands)-1
		done, err := p.decideBand(band, placing{innermost: last && !anyLoops(plan.parts), last: last, parallel: parallel, parts: plan.parts})
		if err != nil {
			return err
		}
		parallel = parallel || done
	}
	if plan.inside != nil {
		return plan.inside(p, plan, parallel)
	}
	asTheyAre := !slices.ContainsFunc(p.recipe[begin:], changesLoops)
	if err := p.decideParts(plan, parallel); err != nil || !asTheyAre {
		return err
	}
	return p.contractInside(plan)
}

func (p *planner) decideParts(plan *nodePlan, parallel bool) error {
	commands := len(p.recipe)
	for _, part := range plan.parts {
		if err := p.decide(part, parallel); err != nil {
			return err
		}
	}
	if len(plan.bands) > 0 && p.options.Grain == 0 {
		alignGrains(p.recipe[commands:], plan.parts)
	}
	return nil
}

func anyLoops(parts []*nodePlan) bool {
	return slices.ContainsFunc(parts, func(n *nodePlan) bool { return len(n.bands) > 0 || anyLoops(n.parts) })
}

// decision is what is known about a band when its commands are chosen.
type decision struct {
	placing
	band  *facts.Band
	moves []facts.Movement
	// lengths are upper bounds of the loops' numbers of iterations.
	lengths []int64
	// untiled says why the band is to have no tiles, "" where it may have some.
	untiled Reason
	// inner is the loop that goes innermost, start the front of tiles that start together
	// or nil, once somebody has asked for them.
	inner                  innerLoop
	start                  *front
	knowsInner, knowsStart bool
	// columns says that the tiles are there for threads alone.
	columns bool
	// transposed says that tiles are to keep lines alone.
	transposed bool
}

// decideBand emits the commands of one band, and says whether no loop inside is to run on several
// threads: one does, or there is too little work. Where no strategy has a plan the loops stay as
// they are.
func (p *planner) decideBand(band *facts.Band, place placing) (bool, error) {
	d, err := p.newDecision(band, place)
	if err != nil {
		return false, err
	}
	plan, err := p.choose(AtBand, band.NamesOf(), View{band: d})
	switch {
	case err != nil:
		return d.parallel, err
	case plan != nil:
		return d.parallel || plan.Threads, nil
	}
	d.tiled = false
	done, err := p.leaveUntiled(d)
	return d.parallel || done, err
}

// newDecision gathers the facts. A band without reuse is left untiled, unless it is a
// transposition, or wavefronts of tiles are the only loops there are for several threads.
func (p *planner) newDecision(band *facts.Band, place placing) (*decision, error) {
	d := &decision{band: band, placing: place}
	var err error
	if d.moves, err = facts.Movements(p.graph, band); err != nil {
		return nil, err
	}
	if !place.parallel {
		if d.parallel, err = isLittleWork(p.graph, band); err != nil {
			return nil, err
		}
	}
	if d.lengths, err = p.lengths(band); err != nil {
		return nil, err
	}
	uses, err := p.usesAgain(d)
	if err != nil {
		return nil, err
	}
	d.transposed = !uses && !slices.Contains(band.Coincident, false) && facts.UsesLinesAgain(d.moves, d.lengths)
	isOneTile := len(p.options.Tile.Sizes) == 0 && areTiny(d.lengths)
	switch {
	case p.options.Tile.None:
		d.untiled = "no tiles are asked for"
	case len(band.Loops) == 1:
		d.untiled = "it is one loop, and elements are not used again in it"
	case isOneTile:
		d.untiled = "all its iterations are known to be one tile"
	case p.isInFewRows(band):
		d.untiled = "the tiles around it have few rows, which stay in a cache"
	case !uses && !d.transposed && !needsWavefront(&p.options, band, d.parallel):
		d.untiled = "tiles would keep nothing in a cache that is used again, and threads need none"
	default:
		d.tiled = true
		return d, p.findNarrow(d)
	}
	d.columns, err = p.hasColumns(d)
	d.tiled = d.columns
	return d, err
}

// findNarrow leaves a band untiled that runs in rows, or is narrow.
func (p *planner) findNarrow(d *decision) error {
	inRows, err := runsInRows(p.graph, &p.options, d.band, d.parts)
	if err != nil {
		return err
	}
	if inRows {
		d.untiled = "the pieces of its statements run in rows beside each other"
	}
	narrow, err := p.isNarrow(d)
	if narrow {
		d.untiled = "it has few iterations along one of its loops"
	}
	d.tiled = !inRows && !narrow
	return err
}

// usesAgain says whether tiles keep something that is used again in a cache.
func (p *planner) usesAgain(d *decision) (bool, error) {
	if !facts.Reuse(d.moves, d.lengths, d.innermost) {
		return false, nil
	}
	if rows, err := usesRowsAlone(p.graph, &p.options, d); rows || err != nil {
		return false, err
	}
	if tiny, err := p.haveTinyNests(d.parts); tiny || err != nil {
		return facts.UsesAgainFar(d.moves, d.lengths), err
	}
	if d.innermost {
		return true, nil
	}
	if outside, err := p.usesAgainOutside(d); !outside || err != nil {
		return false, err
	}
	if !anyLoops(d.parts) {
		return true, nil
	}
	full, err := p.fillsCache(d)
	return !full, err
}

// runsInRows says whether the pieces of split statements run beside each other in rows of two
// loops, each in its own columns: what they use again is a row at most, which stays in a cache
// without tiles, and the edges of tiles would be others than those of the pieces. floyd-warshall,
// 1100 x 1100, takes half of the time so (AMD EPYC (Zen 3), gcc 12, one thread).
func runsInRows(g *depend.Graph, o *Options, band *facts.Band, parts []*nodePlan) (bool, error) {
	if len(g.Model.Program.Cuts) == 0 || len(o.Tile.Sizes) > 0 || len(parts) < 2 || len(band.Loops) != 2 || !slices.Contains(band.Coincident, true) {
		return false, nil
	}
	together, err := runTogether(g, band, parts)
	return !together, err
}

// findInner finds the loop that goes innermost.
func (p *planner) findInner(d *decision) (err error) {
	if d.knowsInner {
		return nil
	}
	if d.inner, err = p.innermostLoop(d.band, d.moves, d.lengths, d.placing); err == nil && d.inner.loop < 0 && !d.columns {
		d.inner, err = p.aroundUnrolled(d)
	}
	d.knowsInner = err == nil
	return err
}

// findStart finds the front of tiles that start together.
func (p *planner) findStart(d *decision) (err error) {
	if d.knowsStart || p.options.Diamond == DiamondOff || !needsWavefront(&p.options, d.band, d.parallel) {
		return nil
	}
	d.start, err = p.concurrentStart(d.band)
	d.knowsStart = err == nil
	return err
}

// leaveUntiled emits the commands of a band without tiles, and says whether a loop runs on several
// threads.
func (p *planner) leaveUntiled(d *decision) (done bool, err error) {
	if err := p.findInner(d); err != nil {
		return false, err
	}
	if !d.parallel {
		if done, err = p.parallelLoop(d.band, d.band.Loops, d.lengths, d.inner.loop); err != nil {
			return false, err
		}
	}
	if len(d.band.Loops) == 1 && done {
		if err := p.limitSingle(d); err != nil {
			return false, err
		}
	}
	p.sink(d.band, d.inner, d.parts)
	return done, p.emitStream(d)
}

// limitSingle leaves a parallel loop that is all there is in its band to one thread where there is
// little work.
func (p *planner) limitSingle(d *decision) error {
	if d.innermost {
		return p.limitThreads(d.band, d.moves, d.lengths)
	}
	return p.emitGrain(d.band.Loops[0], d.band.Statements(), d.band.Outer)
}

// isUseless says whether tiles of these sizes, which nobody has asked for, are known to be as long
// as the loops, or keep nothing for the next points of a grid whose threads need none.
func isUseless(o *Options, d *decision, sizes []int64) bool {
	isOne := true
	for k, size := range sizes {
		isOne = isOne && d.lengths[k] <= size
	}
	alone := !d.columns && !d.transposed && !needsWavefront(o, d.band, d.parallel) && !anyLoops(d.parts)
	return len(o.Tile.Sizes) == 0 && (isOne || alone && !facts.UsesAgainAround(d.moves, d.lengths))
}

// tile emits the tile command and returns the names of the tile loops.
func (p *planner) tile(loops []string, sizes []int64) []string {
	p.emit(command.Tile{Loops: loops, Sizes: sizes})
	names := make([]string, len(loops))
	for k, name := range loops {
		names[k] = name + "t"
	}
	return names
}
