package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// decide emits, for a node and its parts, the commands that tile its bands,
// run a loop on several threads, and vectorise. parallel says that none is to
// run on several threads any more, as when one outside does already.
func (p *planner) decide(plan *nodePlan, parallel bool) error {
	for k, band := range plan.bands {
		innermost := k == len(plan.bands)-1 && !anyLoops(plan.parts)
		done, err := p.decideBand(band, plan.parts, parallel, innermost)
		if err != nil {
			return err
		}
		parallel = parallel || done
	}
	for _, part := range plan.parts {
		if err := p.decide(part, parallel); err != nil {
			return err
		}
	}
	return nil
}

func anyLoops(parts []*nodePlan) bool {
	return slices.ContainsFunc(parts, func(n *nodePlan) bool { return len(n.bands) > 0 || anyLoops(n.parts) })
}

// decideBand emits the commands of one band, and says whether no loop inside is
// to run on several threads: one does, or there is too little work. A band
// without reuse is left untiled, unless wavefronts of tiles are the only loops
// there are for several threads.
func (p *planner) decideBand(band *bandPlan, parts []*nodePlan, parallel, innermost bool) (bool, error) {
	moves, err := p.movements(band)
	if err != nil {
		return false, err
	}
	if !parallel {
		if parallel, err = p.isLittleWork(band); err != nil {
			return false, err
		}
	}
	lengths, err := p.lengths(band)
	if err != nil {
		return false, err
	}
	if innermost {
		if w, err := p.sweepOf(band, moves); w != nil || err != nil {
			if err != nil {
				return false, err
			}
			done, err := p.emitSweep(band, w, moves, parallel)
			return done || parallel, err
		}
	}
	tiled := !p.options.Tile.None && len(band.loops) > 1 && (reuse(moves, lengths) || p.needsWavefront(band, parallel))
	done := false
	place := placing{innermost, tiled, parallel, parts}
	inner, err := p.innermostLoop(band, moves, lengths, place)
	if err != nil {
		return false, err
	}
	if inner.loop < 0 {
		beside, err := p.interleaving(band, moves, place)
		if err != nil {
			return false, err
		}
		if beside != nil {
			return p.decideInterleaved(band, beside, lengths, place)
		}
	}
	if !tiled {
		if !parallel {
			if done, err = p.parallelLoop(band, band.loops, lengths, inner.loop); err != nil {
				return false, err
			}
		}
		if innermost && len(band.loops) == 1 && done {
			if err := p.limitThreads(band, moves, lengths); err != nil {
				return false, err
			}
		}
		p.sink(band, inner, parts)
		return parallel || done, nil
	}
	start, err := p.startOf(band, parallel)
	if err != nil {
		return false, err
	}
	sizes := p.sizes(band, moves, inner)
	p.evenSizes(start, sizes)
	var registers *registerPlan
	if innermost && start == nil {
		if registers, err = p.registersOf(band, moves); err != nil {
			return false, err
		}
		if registers != nil {
			sizes = p.cacheBlocks(band, registers, sizes, p.needsWavefront(band, parallel))
		}
	}
	tiles := p.tile(band.loops, sizes)
	if registers != nil {
		done, err := p.emitBlocks(&blocks{registerPlan: registers, band: band, moves: moves, tiles: tiles, sizes: sizes}, lengths, parallel)
		return parallel || done, err
	}
	outer := tiles
	if p.options.SecondLevel {
		outer = p.tile(tiles, slices.Repeat([]int64{secondLevelRatio}, len(tiles)))
	}
	if !parallel {
		if done, err = p.tiledParallel(band, outer, sizes, tileCounts(lengths, sizes), start); err != nil {
			return false, err
		}
	}
	if innermost && !p.options.NoSeparate {
		p.emit(schedule.Separate{Loop: p.innermostTile(tiles, start)})
	}
	p.sink(band, inner, parts)
	return parallel || done, nil
}

// needsWavefront says whether wavefronts of tiles are the only loops of the
// band there can be for several threads.
func (p *planner) needsWavefront(band *bandPlan, parallel bool) bool {
	return !parallel && !p.options.NoWavefront && !slices.Contains(band.coincident, true)
}

// parallelLoop marks the outermost loop of the band that carries no
// dependence, except the one that is to be sunk, and says whether there
// is one: one that carries reductions only where there is none without, and a
// loop too short for several threads only where there is no longer one. names are the band's loops or their tile loops, and lengths their numbers
// of iterations.
func (p *planner) parallelLoop(band *bandPlan, names []string, lengths []int64, inner int) (bool, error) {
	k := band.outermostParallel(lengths, inner)
	if k < 0 {
		return false, nil
	}
	return true, p.emitParallel(band, k, names[k])
}

// outermostParallel is the loop that parallelLoop marks, or -1.
func (b *bandPlan) outermostParallel(lengths []int64, inner int) int {
	for _, least := range []int64{minimumThreads, 2} {
		for _, reduces := range []bool{false, true} {
			for k, coincident := range b.coincident {
				if coincident && k != inner && lengths[k] >= least && len(b.reductions[k]) > 0 == reduces {
					return k
				}
			}
		}
	}
	return -1
}

// reuse says whether some statement uses an element again within the band:
// the criterion of section V-A-4 of the SC'10 paper, O(N) reuse in a nest of
// more than one loop. That is so when an access has fewer independent
// directions than the loops have. Loops of one iteration do not count.
func reuse(moves []movement, lengths []int64) bool {
	for _, m := range moves {
		loops := 0
		for _, k := range m.loops {
			if lengths[k] > 1 {
				loops++
			}
		}
		if loops < 2 {
			continue
		}
		for _, steps := range m.steps {
			if accessRank(steps) < loops && len(steps[0].subscripts) > 0 {
				return true
			}
		}
	}
	return false
}

// accessRank is the dimension of the data an access touches in a band.
func accessRank(steps []step) int {
	var rows [][]int64
	for _, s := range steps {
		if !s.known {
			return len(steps)
		}
		rows = append(rows, s.subscripts)
	}
	return scop.Rank(rows, len(rows[0]))
}

// tile emits the tile command and returns the names of the tile loops.
func (p *planner) tile(loops []string, sizes []int64) []string {
	p.emit(schedule.Tile{Loops: loops, Sizes: sizes})
	names := make([]string, len(loops))
	for k, name := range loops {
		names[k] = name + "t"
	}
	return names
}
