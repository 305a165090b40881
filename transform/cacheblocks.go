package transform

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Run is the run that the sizes of tiles are to fit. Its zero value means that nobody
// knows which that will be.
type Run struct {
	// Parameters are the values of the program's parameters.
	Parameters map[string]int
	// Threads is the number of threads.
	Threads int
}

// cacheBlocks are the sizes of tiles around register blocks, after "Analytical modeling is enough
// for high-performance BLIS" (Low et al., 2016): along the stream as many iterations as let a
// column of blocks' operand stay in the first cache with a row's beside it, along the rows as many
// as let the rows' operand take half of the second one and a thread have a copy of it, and along
// the lanes as many as let the lanes' operand take half of the third one. Along other loops there
// are single iterations. Tiles that run in wavefronts are no longer along the lanes than along the
// rows, so that a wave has tiles for all threads.
//
// Where the lengths of the loops are known the tiles of each are about equally long, and those
// that threads share out as many as is a multiple of the threads.
func (p *planner) cacheBlocks(d *decision, plan *registerPlan, waves bool) ([]int64, error) {
	given := sizesOfTiles(p.graph, &p.options, d.band, d.moves, d.inner)
	if choice := p.options.Tile; len(choice.Sizes) > 0 {
		return given, nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil {
		return nil, err
	}
	uneven := map[int]bool{}
	for _, k := range []int{plan.rows, plan.lanes} {
		if uneven[k], err = facts.IsUneven(p.graph, d.band, k); err != nil {
			return nil, err
		}
		uneven[k] = uneven[k] || lengths[k] == facts.Unlimited
	}
	size := p.options.Vector.lanesOf(plan.elements)
	width := plan.shape.Vectors * plan.elements
	stream := int64(p.options.CacheBytes) * 9 / 10 / (size * (width + plan.shape.Rows))
	stream = max(facts.LeastStream, stream)
	if waves {
		stream = min(stream, facts.StreamOfWaves)
	}
	stream = evenly(lengths[plan.stream], stream, 8, 1)
	scale, longer := orOne(p.options.Tile.Scale), orOne(p.options.Tile.VectorScale)
	rows, lanes := mostInCaches(&p.options, d, plan, stream*size, uneven)
	onRows, onLanes := threadsOn(&p.options, d, plan)
	sizes := slices.Repeat([]int64{1}, len(given))
	sizes[plan.stream] = evenly(lengths[plan.stream], int64(float64(stream)*scale), 8, 1)
	mostCopied := schedule.MostOwn / sizes[plan.stream]
	sizes[plan.rows] = evenly(lengths[plan.rows], min(mostCopied, int64(float64(rows)*scale)), plan.shape.Rows, onRows)
	sizes[plan.lanes] = evenly(lengths[plan.lanes], int64(float64(lanes)*scale*longer), width, onLanes)
	if waves {
		sizes[plan.rows] = evenly(lengths[plan.rows], min(mostCopied, int64(float64(rowsInCache(&p.options, facts.RowsOfWaves, stream*size))*scale)), plan.shape.Rows, 1)
		sizes[plan.lanes] = multipleOf(width, float64(sizes[plan.rows])*longer)
	}
	return sizes, nil
}

// mostInCaches are the most iterations of a tile along the rows and the lanes, where one of
// each has so many bytes along the stream.
func mostInCaches(o *Options, d *decision, plan *registerPlan, bytes int64, uneven map[int]bool) (rows, lanes int64) {
	most, sharesRows := int64(facts.MostRows), d.band.Coincident[plan.rows] && !d.parallel && o.Uses(parallelAxis)
	if !sharesRows && o.Uses(packAxis) {
		most = facts.MostOwnRows
	}
	rows, lanes = rowsInCache(o, most, bytes), facts.LanesWithoutCache
	if third := int64(o.ThirdCacheBytes); third > 0 {
		lanes = min(third/2/bytes, facts.MostLanes)
	}
	switch {
	case sharesRows && uneven[plan.rows]:
		rows = min(rows, facts.UnevenRows)
	case d.band.Coincident[plan.rows]:
	case uneven[plan.lanes]:
		lanes = facts.UnevenLanes
	default:
		lanes = min(lanes, facts.SharedLanes)
	}
	return rows, lanes
}

// rowsInCache are as many rows of so many bytes as half of the second cache holds, at most the
// given number.
func rowsInCache(o *Options, most, bytes int64) int64 {
	if second := int64(o.SecondCacheBytes); second > 0 {
		return min(most, second/2/bytes)
	}
	return most
}

// threadsOn are the numbers of threads that share out the tiles along the rows and the lanes.
func threadsOn(o *Options, d *decision, plan *registerPlan) (rows, lanes int64) {
	threads := int64(o.Run.Threads)
	switch {
	case d.parallel || threads == 0:
		return 1, 1
	case d.band.Coincident[plan.rows]:
		return threads, 1
	}
	return 1, threads
}

// evenly is the size of tiles of a loop, a multiple of the block and at most that: the
// largest with which the last of that many threads, each with as many tiles as any other or one
// more, is done first. Those that a single thread runs are about equally long. A loop of
// unknown length has the largest tiles.
func evenly(length, most, block, threads int64) int64 {
	return evenlyFrom(0, length, most, block, threads)
}

// evenlyFrom is evenly for a loop that does not begin where a tile does.
func evenlyFrom(begin, length, most, block, threads int64) int64 {
	most = multipleOf(block, float64(most))
	if length == facts.Unlimited || length <= 0 {
		return most
	}
	if threads == 1 {
		tiles := (length-1)/most + 1
		return min(most, ((length-1)/(tiles*block)+1)*block)
	}
	best := min(most, ((length-1)/block+1)*block)
	for size := best; size >= block; size -= block {
		if longestShare(begin, length, size, threads) < longestShare(begin, length, best, threads) {
			best = size
		}
	}
	return best
}

// longestShare is the time in iterations of the thread that takes longest when
// threads share out tiles of a size, each of which takes PerTile longer.
func longestShare(begin, length, size, threads int64) int64 {
	iterations, tiles := largestShare(begin, length, size, threads)
	return iterations + tiles*facts.PerTile
}

// largestShare is what the thread has that takes longest. Tiles begin at multiples of their size,
// whatever the first iteration is, and each thread gets as many as others or one more, one behind
// the other.
func largestShare(begin, length, size, threads int64) (iterations, tiles int64) {
	first, count := begin/size, (begin+length-1)/size-begin/size+1
	for thread := range min(threads, count) {
		own := count / threads
		if thread < count%threads {
			own++
		}
		share := min(begin+length, (first+own)*size) - max(begin, first*size)
		if share+own*facts.PerTile > iterations+tiles*facts.PerTile {
			iterations, tiles = share, own
		}
		first += own
	}
	return iterations, tiles
}

// multipleOf is the largest multiple of a block that is no larger than size, one
// at least.
func multipleOf(block int64, size float64) int64 { return max(1, int64(size)/block) * block }

// lengthsOfRun are the lengths of the band's loops in the run that is meant.
func (p *planner) lengthsOfRun(band *facts.Band) ([]int64, error) {
	return p.lengthsOf(band, runText(p.graph, &p.options))
}

// beginOfRun is the first iteration of a band's loop in the run that is meant; 0 where nobody knows
// it, and for those below 0.
func beginOfRun(g *depend.Graph, o *Options, band *facts.Band, k int) (int64, error) {
	run, begin := runOf(g, o), int64(facts.Unlimited)
	for s, row := range band.Rows[k] {
		times := g.Model.Statements[s].Domain.Apply(g.Time(s, row))
		if run != nil {
			times = times.IntersectParams(run)
		}
		least, ok, err := times.Least()
		if !ok || err != nil {
			return 0, err
		}
		begin = min(begin, least)
	}
	return max(0, begin), nil
}

// runOf is the set of the parameters' values in the run that is meant, or nil where nothing is known
// of it.
func runOf(g *depend.Graph, o *Options) *isl.Set {
	text := runText(g, o)
	if text == "" {
		return nil
	}
	return g.Model.Context.ReadSet(text)
}

// runText is run in isl's notation, or "".
func runText(g *depend.Graph, o *Options) string {
	values := o.Run.Parameters
	program := g.Model.Program
	var conditions []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(program.Parameters, name) {
			conditions = append(conditions, fmt.Sprintf("%s = %d", name, values[name]))
		}
	}
	if len(conditions) == 0 {
		return ""
	}
	return program.ParametersText() + "{ : " + strings.Join(conditions, " and ") + " }"
}
