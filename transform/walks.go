package transform

import (
	"slices"

	"polytune/scop/depend"
	"polytune/transform/facts"
)

// walksOnce says whether the tiles of a band are there for waves alone: two loops in order walk
// through matrices of which they use each element once, but for the row before, as the recurrences
// of alignments and of integral images do. No cache gains from tiles then.
func walksOnce(g *depend.Graph, o *Options, d *decision) (bool, error) {
	last := len(d.band.Loops) - 1
	if last != 1 || d.inner.loop == 0 || d.start != nil || !d.innermost || !needsWavefront(o, d.band, d.parallel) {
		return false, nil
	}
	if !slices.ContainsFunc(d.moves, func(m facts.Movement) bool {
		return facts.UsesOnce([]facts.Movement{m}) && facts.IsNear([]facts.Movement{m}, last)
	}) {
		return false, nil
	}
	uneven, err := facts.IsUneven(g, d.band, last)
	return !uneven, err
}

// widenWalk gives such tiles rows as long as threads can share them out evenly and two of them fit
// in half of the second cache: what fetches ahead begins anew in each row of a tile. Alignments
// with affine gaps of 1500 x 1600 ints take 12.8 ms on one thread of an AMD Zen 4 (gcc 12) in tiles
// of 40 x 40, 8.6 in 16 x 200 and 6.1 in 16 x 800; 5.2 as they are written.
func (p *planner) widenWalk(d *decision, sizes []int64) error {
	choice := p.options.Tile
	if once, err := walksOnce(p.graph, &p.options, d); !once || err != nil || len(choice.Sizes) > 0 {
		return err
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil {
		return err
	}
	if lengths[1] == facts.Unlimited {
		lengths[1] = facts.LongStencilTile * max(1, int64(p.options.Run.Threads))
	}
	widest := int64(facts.LeastOther)
	for widest < lengths[1] && facts.Footprint(p.graph, d.moves, []int64{2, 2 * widest}) <= float64(p.options.secondCache())/2 {
		widest *= 2
	}
	scale, threads := orOne(choice.Scale), max(1, int64(p.options.Run.Threads))
	sizes[1] = max(1, int64(scale*float64(evenly(lengths[1], widest, 1, threads))))
	if choice.Height == 0 {
		sizes[0] = max(facts.LeastHeight, min(int64(scale*facts.WalkHeight), lengths[0]/(facts.TilesOfWave*threads)))
	}
	return nil
}
