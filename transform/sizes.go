package transform

import (
	"math"

	"polytune/transform/facts"
)

// The lengths of tiles along a loop that is vectorised, and the longest of other
// loops of the same band. A vector loop is to be long enough for what each of its
// executions costs, and a tile has reuse along the others.
//
// Measured on an AMD EPYC (Zen 3: 32 KiB, 512 KiB), gcc 12, one thread, PolyBench
// LARGE, with the other loops by the footprint, against cubes that fit in the
// first cache:
//
//	         cube       longTile 128            256             512
//	gemm     40³        92 x 128 x 92: 1.22     0.96            0.98
//	trmm     40³        128 x 128 x 128: 1.65   1.28            1.41
//	doitgen             252 x 128: 1.30         124 x 256: 1.36 1.25
//
// with differences below 0.15 within the noise of a shared machine. Stencils differ less than that
// from 32 to 1024 there; they are longer for the wider vectors of others, where 32 costs a factor
// of two. Of three loops or more whole rows are taken, with the other sizes for rows of
// longStencilTile, because short ones cost time where statements are many: rows of 2048 against 256
// run fdtd-2d 1.15 to 1.3 times as fast, seidel-2d, heat-3d and jacobi-2d as fast within the noise.
const (
	longTile        = 128
	longStencilTile = 256
	wholeRow        = 2048
	mostOther       = 64
	leastOther      = 8
)

// sizes are the sizes of the tiles of a band: what the user says, or what the
// cache model does, times the factors that the user wants.
func (p *planner) sizes(band *facts.Band, moves []facts.Movement, inner innerLoop) []int64 {
	choice := p.options.Tile
	sizes := p.modelSizes(len(band.Loops), moves, inner)
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
	case !p.needsWavefront(band, parallel):
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
		share = max(leastHeight, share/tilesOfWave)
	}
	sizes[0] = min(sizes[0], share)
	return err
}

// tilesOfWave is the number of tiles along the second loop of a wavefront, for each thread but one,
// with which threads wait for the first and the last waves for a fifth of the time.
const tilesOfWave = 4

// lengthenWaves makes tiles in wavefronts so short along their second loop that waves are long
// enough for the threads of the run that is meant, but for that of vectors. In a triangle of 83 x
// 83 points, whose rows are uneven, two threads take 24 ms with tiles of 42 x 72, 23 with 42 x 20
// and 16 with 10 x 20 (the words of a grammar with eight symbols, AMD EPYC, gcc 12).
func (p *planner) lengthenWaves(d *decision, sizes []int64) error {
	choice := p.options.Tile
	if !p.needsWavefront(d.band, d.parallel) || d.inner.loop == 1 || len(sizes) < 2 || len(choice.Sizes) > 0 || p.options.Run.Threads < 2 {
		return nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil || lengths[1] == facts.Unlimited {
		return err
	}
	sizes[1] = min(sizes[1], max(leastOther, lengths[1]/(tilesOfWave*int64(p.options.Run.Threads-1))))
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
		block = columnBlock
	}
	begin, err := p.beginOfRun(d.band, k)
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
	return float64(most)*float64(threads) > mostUneven*float64(length)
}

// mostUneven is how many times its share of the iterations a thread may have.
const mostUneven = 1.15

// leastHeight is the least number of iterations that a tile in a wavefront has along the outermost
// loop.
const leastHeight = 2

// shareOfThread is how many iterations of a band's outermost loop each thread has in the run that
// is meant.
func (p *planner) shareOfThread(band *facts.Band) (int64, error) {
	lengths, err := p.lengthsOfRun(band)
	if err != nil || lengths[0] == facts.Unlimited {
		return facts.Unlimited, err
	}
	threads := max(1, int64(p.options.Run.Threads))
	return max(leastHeight, (lengths[0]+threads-1)/threads), nil
}

func orOne(factor float64) float64 {
	if factor == 0 {
		return 1
	}
	return factor
}

// modelSizes are the sizes by the cache model. Without a vector loop tiles are
// cubes that fit in the first cache. With one they are long along it, and the
// other edges are the largest multiple of leastOther, up to mostOther, with which
// the footprint is half of the second cache: rows that a vector loop runs
// through are fetched ahead from there.
func (p *planner) modelSizes(loops int, moves []facts.Movement, inner innerLoop) []int64 {
	sizes := make([]int64, loops)
	if !inner.vector || inner.loop < 0 {
		for k, cube := 0, p.tileSize(moves); k < loops; k++ {
			sizes[k] = cube
		}
		return sizes
	}
	fill := func(other int64) []int64 {
		for k := range sizes {
			sizes[k] = other
		}
		sizes[inner.loop] = longTile
		if inner.apart {
			sizes[inner.loop] = longStencilTile
		}
		return sizes
	}
	other := int64(leastOther)
	for other < mostOther && facts.Footprint(p.graph, moves, fill(other+leastOther)) <= float64(p.options.secondCache())/2 {
		other += leastOther
	}
	fill(other)
	if inner.apart && loops > 2 {
		sizes[inner.loop] = wholeRow
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
func (p *planner) tileSize(moves []facts.Movement) int64 {
	ranks := map[string]int{}
	for _, m := range moves {
		for a, steps := range m.Steps {
			name := p.graph.Model.Statements[m.Statement].Statement.Accesses[a].Array
			ranks[name] = max(ranks[name], facts.AccessRank(steps))
		}
	}
	footprint := func(edge int64) float64 {
		bytes := 0.0
		for name, r := range ranks {
			bytes += float64(p.graph.Model.Program.Array(name).Size) * math.Pow(float64(edge), float64(r))
		}
		return bytes
	}
	edge := int64(8)
	for edge < 256 && footprint(edge+8) <= float64(p.options.CacheBytes) {
		edge += 8
	}
	return edge
}
