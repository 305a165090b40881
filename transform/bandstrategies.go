package transform

import (
	"cmp"
	"slices"

	"polytune/schedule/command"
	"polytune/transform/facts"
)

// tilesOf says why a band has no tiles, "" where it may have some, and looks which loop of it goes
// innermost and which tiles start together.
func (v View) tilesOf(d *decision) (Reason, error) {
	if err := v.findInner(d); err != nil {
		return "", err
	}
	if !d.tiled {
		return d.untiled, nil
	}
	return "", v.findStart(d)
}

// sweep walks through a matrix several rows at a time.
func (v View) sweep() (*Plan, Reason, error) {
	d := v.band
	if !d.innermost {
		return nil, "there are loops inside", nil
	}
	w, reason, err := sweepOf(v.graph, &v.options, d.band, d.moves)
	if w == nil || err != nil {
		return nil, reason, err
	}
	if hardly, err := isHardlyFull(v.graph, &v.options, d, w); hardly || err != nil {
		return nil, "less than half of the iterations would be in full blocks", err
	}
	threads, err := v.emitSweep(d.band, w, d.moves, d.parallel)
	return &Plan{Threads: threads}, "", err
}

// beside runs iterations of a loop beside each other where no loop gains from the innermost place.
func (v View) beside() (*Plan, Reason, error) {
	d := v.band
	if err := v.findInner(d); err != nil {
		return nil, "", err
	}
	switch {
	case d.inner.loop >= 0:
		return nil, "one of its loops is a vector loop", nil
	case d.columns:
		return nil, "threads share its columns", nil
	}
	beside, reason, err := v.interleaving(d.band, d.moves, d.lengths, d.placing)
	if beside == nil || err != nil {
		return nil, reason, err
	}
	threads, err := v.decideInterleaved(d.band, beside, d.lengths, d.placing)
	return &Plan{Threads: threads}, "", err
}

// phases runs the tiles of a factorization in phases. lu of 2000 rows takes 0.8 of the time
// that tiles in wavefronts need on one thread of an AMD Zen 3, most of it for packed operands, and
// has tiles for all threads from the first step to the last.
func (v View) phases() (*Plan, Reason, error) {
	d := v.band
	if reason, err := v.tilesOf(d); reason != "" || err != nil {
		return nil, reason, err
	}
	switch {
	case !d.innermost || len(d.band.Loops) != 3:
		return nil, "it is no innermost band of three loops", nil
	case d.start != nil:
		return nil, "its tiles start together", nil
	case !v.options.Uses(phasesAxis) || !v.options.Uses(packAxis) || v.options.SecondLevel || len(v.options.Tile.Sizes) > 0:
		return nil, "other tiles are asked for", nil
	case len(v.graph.Relaxed) > 0:
		return nil, "sums may be done in any order, and phases know one", nil
	case !needsWavefront(&v.options, d.band, d.parallel):
		return nil, "threads have a loop without dependences", nil
	}
	registers, err := registersOf(v.graph, &v.options, d.band, d.moves, d.lengths, d.parts)
	if err != nil {
		return nil, "", err
	}
	if registers == nil || !registers.apart {
		return nil, "its statements are no update with operands of its own and what these wait for", nil
	}
	f := &phasing{registerPlan: registers, band: d.band, moves: d.moves, dependences: d.band.Active, command: command.Phases{Loop: d.band.Loops[registers.stream] + "t"}}
	if err := v.phaseSizes(f, d); err != nil {
		return nil, "", err
	}
	if isShort, err := v.updateIsShort(f); isShort || err != nil {
		return nil, "what one step updates is no longer than a tile", err
	}
	findPhases(v.graph, f)
	if is, err := isUpdate(v.graph, f); !is || err != nil {
		return nil, "what is left for the last phase is not one update without gaps", err
	}
	if follow, err := followEachOther(v.graph, f); !follow || err != nil {
		return nil, "a phase waits for a later one, or a tile for another one of its phase", err
	}
	return &Plan{Threads: v.options.Uses(parallelAxis)}, "", v.emitPhases(f)
}

// blocks tiles the band around register blocks.
func (v View) blocks() (*Plan, Reason, error) {
	d := v.band
	if reason, err := v.tilesOf(d); reason != "" || err != nil {
		return nil, reason, err
	}
	switch {
	case !d.innermost:
		return nil, "there are loops inside", nil
	case d.start != nil:
		return nil, "its tiles start together", nil
	}
	registers, err := registersOf(v.graph, &v.options, d.band, d.moves, d.lengths, d.parts)
	if err != nil {
		return nil, "", err
	}
	if registers == nil {
		return nil, v.whyNoBlocks(d), nil
	}
	sizes, err := v.cacheBlocks(d, registers, needsWavefront(&v.options, d.band, d.parallel))
	if err != nil {
		return nil, "", err
	}
	tiles := v.tile(d.band.Loops, sizes)
	threads, err := v.emitBlocks(&blocks{registerPlan: registers, band: d.band, moves: d.moves, tiles: tiles, sizes: sizes}, d.lengths, d.parallel)
	return &Plan{Threads: threads}, "", err
}

// whyNoBlocks says why a band has no register blocks.
func (v View) whyNoBlocks(d *decision) Reason {
	deep := slices.DeleteFunc(slices.Clone(d.moves), func(m facts.Movement) bool { return len(m.Loops) < len(d.band.Loops) })
	switch {
	case !v.options.hasBlocks() || v.options.blockShape().Off:
		return "no register blocks are asked for, or the target has no vectors"
	case !d.band.Permutable:
		return "its loops are in a fixed order"
	case facts.ElementSize(v.graph, deep) == 0:
		return "some statement is none that vectors can be written for, or elements differ in size"
	}
	return "along no loop the same elements are updated while another one has independent ones behind each other for vectors"
}

// tiles has tiles of the model's sizes, or those that are asked for.
func (v View) tiles() (*Plan, Reason, error) {
	d := v.band
	if reason, err := v.tilesOf(d); reason != "" || err != nil {
		return nil, reason, err
	}
	sizes := sizesOfTiles(v.graph, &v.options, d.band, d.moves, d.inner)
	keepLines(v.graph, &v.options, d, sizes)
	if err := v.widenColumns(d, sizes); err != nil {
		return nil, "", err
	}
	if err := cmp.Or(v.setHeight(sizes, d.band, d.parallel), v.lengthenWaves(d, sizes), v.shareOut(d, sizes), v.widenWalk(d, sizes)); err != nil {
		return nil, "", err
	}
	if isUseless(&v.options, d, sizes) {
		return nil, "they would be as long as the loops, or keep nothing for the next points", nil
	}
	threads, err := v.emitTiles(d, sizes)
	return &Plan{Threads: threads}, "", err
}

// emitTiles emits the commands of a band with tiles of these sizes, and says whether a loop runs on
// several threads.
func (v View) emitTiles(d *decision, sizes []int64) (threads bool, err error) {
	if d.start != nil && d.start.rows != nil {
		v.emit(command.Diamond{Loop: d.band.Loops[d.start.evicted], Rows: d.start.rows})
	}
	evenSizes(&v.options, d.start, sizes)
	sizes = v.sinkRows(d, sizes)
	tiles := v.tile(d.band.Loops, sizes)
	outer := tiles
	if v.options.SecondLevel {
		outer = v.tile(tiles, slices.Repeat([]int64{facts.SecondLevelRatio}, len(tiles)))
	}
	if !d.parallel {
		if threads, err = v.tiledParallel(d.band, outer, sizes, tileCounts(d.lengths, sizes), d.start); err != nil {
			return false, err
		}
		if err := v.shareMore(d, outer, sizes); err != nil {
			return false, err
		}
	}
	if d.innermost && v.options.Uses(separateAxis) {
		v.emit(command.Separate{Loop: innermostTile(&v.options, tiles, d.start)})
	}
	v.sinkInOrder(d)
	v.sink(d.band, d.inner, d.parts)
	return threads, v.emitStream(d)
}
