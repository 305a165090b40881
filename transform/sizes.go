package transform

import (
	"math"

	"polytune/scop/depend"
	"polytune/transform/facts"
)

// sizesOfTiles are the sizes of the tiles of a band: what the user says, or what the
// cache model does, times the factors that the user wants.
func sizesOfTiles(g *depend.Graph, o *Options, band *facts.Band, moves []facts.Movement, inner innerLoop) []int64 {
	choice := o.Tile
	sizes := modelSizes(g, o, len(band.Loops), moves, inner)
	for k := range sizes {
		if n := len(choice.Sizes); n > 0 {
			sizes[k] = choice.Sizes[min(k, n-1)]
			continue
		}
		size := float64(sizes[k]) * orOne(choice.Scale)
		if k == inner.loop {
			size *= orOne(choice.VectorScale)
		}
		sizes[k] = max(1, int64(size))
	}
	return sizes
}

// setHeight sets the size along the outermost loop of tiles in wavefronts to what is wanted, or
// else so that each thread has a tile of a wave: 20 sweeps over 1000 x 1000 points in tiles of 32
// sweeps would be one tile after the other.
func (p *planner) setHeight(sizes []int64, band *facts.Band, parallel bool) error {
	height := p.options.Tile.Height
	switch {
	case !needsWavefront(&p.options, band, parallel):
		return nil
	case height > 0:
		sizes[0] = height
		return nil
	case len(p.options.Tile.Sizes) > 0:
		return nil
	}
	share, err := p.shareOfThread(band)
	if err != nil {
		return err
	}
	uneven, err := facts.IsUneven(p.graph, band, 0)
	if uneven && share < facts.Unlimited {
		share = max(facts.LeastHeight, share/facts.TilesOfWave)
	}
	sizes[0] = min(sizes[0], share)
	return err
}

// lengthenWaves makes tiles in wavefronts so short along their second loop that waves are long
// enough for the threads of the run that is meant, but for that of vectors. In a triangle of 83 x
// 83 points, whose rows are uneven, two threads take 24 ms with tiles of 42 x 72, 23 with 42 x 20
// and 16 with 10 x 20 (the words of a grammar with eight symbols, AMD EPYC, gcc 12).
func (p *planner) lengthenWaves(d *decision, sizes []int64) error {
	choice := p.options.Tile
	if !needsWavefront(&p.options, d.band, d.parallel) || d.inner.loop == 1 || len(sizes) < 2 || len(choice.Sizes) > 0 || p.options.Run.Threads < 2 {
		return nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil || lengths[1] == facts.Unlimited {
		return err
	}
	sizes[1] = min(sizes[1], max(facts.LeastOther, lengths[1]/(facts.TilesOfWave*int64(p.options.Run.Threads-1))))
	return nil
}

// shareOut makes the tiles of the loop that threads share so short that each thread has one in the
// run that is meant, and about as many iterations as others: of 36 rows of blocks in tiles of 32
// one thread has 32. Inside of other loops, where threads meet each time, it takes shares of
// columns.
func (p *planner) shareOut(d *decision, sizes []int64) error {
	k := d.band.OutermostParallel(d.lengths, -1)
	if d.parallel || k < 0 || len(p.options.Tile.Sizes) > 0 {
		return nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil || lengths[k] == facts.Unlimited {
		return err
	}
	block, threads := int64(1), int64(p.options.Run.Threads)
	if k == d.inner.loop || len(d.band.Outer[d.band.Statements()[0]]) > 0 {
		block = facts.ColumnBlock
	}
	begin, err := beginOfRun(p.graph, &p.options, d.band, k)
	if err != nil {
		return err
	}
	if isUnfair(begin, lengths[k], sizes[k], threads) && lengths[k] > (block-1)*threads {
		sizes[k] = evenlyFrom(begin, lengths[k], sizes[k], block, threads)
	}
	return nil
}

// isUnfair says whether one of several threads has much more of a loop than its share, when they
// share out tiles of a size.
func isUnfair(begin, length, size, threads int64) bool {
	if threads < 2 || length < 1 {
		return false
	}
	most, _ := largestShare(begin, length, size, threads)
	return float64(most)*float64(threads) > facts.MostUneven*float64(length)
}

// shareOfThread is how many iterations of a band's outermost loop each thread has in the run that
// is meant.
func (p *planner) shareOfThread(band *facts.Band) (int64, error) {
	lengths, err := p.lengthsOfRun(band)
	if err != nil || lengths[0] == facts.Unlimited {
		return facts.Unlimited, err
	}
	threads := max(1, int64(p.options.Run.Threads))
	return max(facts.LeastHeight, (lengths[0]+threads-1)/threads), nil
}

func orOne(factor float64) float64 {
	if factor == 0 {
		return 1
	}
	return factor
}

// modelSizes are the sizes by the cache model. Without a vector loop tiles are
// cubes that fit in the first cache. With one they are long along it, and the
// other edges are the largest multiple of LeastOther, up to MostOther, with which
// the footprint is half of the second cache: rows that a vector loop runs
// through are fetched ahead from there.
func modelSizes(g *depend.Graph, o *Options, loops int, moves []facts.Movement, inner innerLoop) []int64 {
	sizes := make([]int64, loops)
	if !inner.vector || inner.loop < 0 {
		for k, cube := 0, tileSize(g, o, moves); k < loops; k++ {
			sizes[k] = cube
		}
		return sizes
	}
	fill := func(other int64) []int64 {
		for k := range sizes {
			sizes[k] = other
		}
		sizes[inner.loop] = facts.LongTile
		if inner.apart {
			sizes[inner.loop] = facts.LongStencilTile
		}
		return sizes
	}
	other := int64(facts.LeastOther)
	for other < facts.MostOther && facts.Footprint(g, moves, fill(other+facts.LeastOther)) <= float64(o.secondCache())/2 {
		other += facts.LeastOther
	}
	fill(other)
	if inner.apart && loops > 2 {
		sizes[inner.loop] = facts.WholeRow
	}
	return sizes
}

// secondCache is the size of the second cache in bytes; where nobody has said it,
// the usual multiple of the first one.
func (o Options) secondCache() int {
	if o.SecondCacheBytes > 0 {
		return o.SecondCacheBytes
	}
	return 16 * o.CacheBytes
}

// LastCache is the size of the last cache in bytes.
func (o Options) LastCache() int { return max(o.ThirdCacheBytes, o.secondCache()) }

// tileSize is the largest edge of a cubic tile whose data fit in the cache:
// the solution of sum over arrays of edge^rank · size = CacheBytes, where rank
// is the dimension of the data a tile touches of the array and size that of
// an element in bytes, down to a multiple of eight.
func tileSize(g *depend.Graph, o *Options, moves []facts.Movement) int64 {
	ranks := map[string]int{}
	for _, m := range moves {
		for a, steps := range m.Steps {
			name := g.Model.Statements[m.Statement].Statement.Accesses[a].Array
			ranks[name] = max(ranks[name], facts.AccessRank(steps))
		}
	}
	footprint := func(edge int64) float64 {
		bytes := 0.0
		for name, r := range ranks {
			bytes += float64(g.Model.Program.Array(name).Size) * math.Pow(float64(edge), float64(r))
		}
		return bytes
	}
	edge := int64(8)
	for edge < 256 && footprint(edge+8) <= float64(o.CacheBytes) {
		edge += 8
	}
	return edge
}
