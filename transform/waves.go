package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
)

// evenSizes gives the loops of a front tiles of one size, the smallest of
// theirs, unless the user chose: waves follow the face only then.
func evenSizes(o *Options, f *front, sizes []int64) {
	if f == nil || len(o.Tile.Sizes) > 0 {
		return
	}
	loops := sizes[f.first : f.first+f.count]
	least := slices.Min(loops)
	for k := range loops {
		loops[k] = least
	}
}

// sinkRows puts the vector loop of a stencil behind the others before it is tiled, so that
// waves run over tiles along these: along rows there are few. The sizes of tiles come
// back in the new order of the loops.
func (p *planner) sinkRows(d *decision, sizes []int64) []int64 {
	last := len(d.band.Loops) - 1
	k := d.inner.loop
	if !d.inner.apart || d.start != nil || k < 1 || k == last || len(d.band.Lanes) > 0 || !needsWavefront(&p.options, d.band, d.parallel) {
		return sizes
	}
	p.emit(command.Sink{Loop: d.band.Loops[k]})
	d.band.Loops = withLast(d.band.Loops, k)
	d.band.Rows = withLast(d.band.Rows, k)
	d.band.Coincident = withLast(d.band.Coincident, k)
	d.band.Reductions = withLast(d.band.Reductions, k)
	d.lengths = withLast(d.lengths, k)
	d.inner.loop = last
	return withLast(sizes, k)
}

// withLast is a list in which element k stands behind all others.
func withLast[T any](list []T, k int) []T {
	return append(slices.Delete(slices.Clone(list), k, k+1), list[k])
}

// tiledParallel emits the commands that run the tiles of a band on several
// threads, and says whether it did: a loop without dependences, or else
// wavefronts, unless each wave is one tile. counts are the numbers of tiles along
// the band's loops.
func (p *planner) tiledParallel(band *facts.Band, tiles []string, sizes, counts []int64, f *front) (bool, error) {
	if done, err := p.parallelLoop(band, tiles, counts, -1); done || err != nil {
		return done, err
	}
	if !p.options.Uses(wavefrontAxis) || f == nil && slices.Min(counts[:2]) < 2 {
		return false, nil
	}
	return p.wavefront(band, tiles, sizes, f)
}

// wavefront emits the commands that run the band's tiles in wavefronts, and says
// whether it did. Where the statements of a class share the outermost loop but
// would not share the one over the waves, tiles stay in their order. Without a
// front the waves are those of the outermost loops, one more than they have
// degrees of parallelism.
func (p *planner) wavefront(band *facts.Band, tiles []string, sizes []int64, f *front) (bool, error) {
	rows := f.tileRows(band)
	if f == nil {
		f = &front{count: min(max(1, p.options.Degrees)+1, len(tiles))}
	}
	end := f.first + f.count
	waves := map[int]schedule.Row{}
	for s := range band.Rows[0] {
		if len(band.Outer[s]) == 0 {
			waves[s] = waveRow(rows[f.first:end], sizes[f.first:end], s)
		}
	}
	if shared, err := p.meet(waves); !shared || err != nil {
		return false, err
	}
	var clauses []scop.Clause
	for _, row := range rows {
		more, err := facts.Carried(band.Active, row)
		if err != nil {
			return false, err
		}
		clauses = append(clauses, more...)
	}
	slices.SortFunc(clauses, scop.Clause.Compare)
	clauses = slices.Compact(clauses)
	if ok, err := mayAddUp(p.graph, &p.options, band.Rows[0], clauses, band.Outer); !ok || err != nil {
		return false, err
	}
	for _, outer := range tiles[:f.first] {
		p.emit(command.Sink{Loop: outer})
	}
	p.emit(command.Wavefront{Loops: tiles[f.first:end]})
	p.emit(command.Parallel{Loop: tiles[f.first+1], Reductions: clauses})
	if err := p.emitAdding(tiles[f.first+1], clauses); err != nil {
		return true, err
	}
	if len(clauses) == 0 {
		p.emitSharing(tiles[f.first+1], false)
	}
	return true, p.emitGrain(tiles[f.first+1], band.Statements(), band.Outer)
}

// innermostTile is the innermost of a band's tile loops of the first level:
// where these are the outermost, those outside a front have been moved inside.
func innermostTile(o *Options, tiles []string, f *front) string {
	if f != nil && f.first > 0 && !o.SecondLevel {
		return tiles[f.first-1]
	}
	return tiles[len(tiles)-1]
}
