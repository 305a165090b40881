package transform

import "polytune/schedule"

const (
	// stripRows is the number of rows of a strip where nobody knows how long they are or how many threads there will be: four blocks of
	// sweptRows, and mostStripBlocks the most of these blocks that each thread has of one.
	//
	// Measured on an AMD EPYC (Zen 3: 512 KiB, 32 MiB), gcc 12, atax: a matrix of 1800 x 2200 doubles takes 1.58 ms
	// with strips of 8 rows on one thread, 1.66 with 16 and 1.67 with 32, and on two threads 1.32 with 16 rows and 1.46 with 32;
	// one of 8000 x 8000, of which 8 rows fill the second cache, takes 31.3, 33.5 and 35.2 ms on one thread, and 24.6
	// and 25.3 on two: each thread has one block, or as many as half of the second cache holds.
	stripRows       = mostStripBlocks * sweptRows
	mostStripBlocks = 4
	// waveRows is the number of rows of a block of a strip in wavefronts. Such blocks of 8, 16 and 32
	// rows that fill the second cache took 21.8, 20.3 and 20.8 ms for bicg, 8000 x 8000 on two threads, where
	// strips of whole rows take 26.9 and reading the matrix 16.4. Behind the third cache they
	// pay; a matrix of 1800 x 2200 took 1.4 ms with them, and 1.1 without.
	waveRows = 2 * sweptRows
	// wavesFrom is how many times as large as the last cache a matrix is at least for which there are
	// wavefronts. On an Intel Xeon (Cascade Lake, 36 MiB) bicg takes as long with them as without for
	// 11 MiB, and 2.4 ms instead of 3.2 for 31 MiB.
	wavesFrom = 0.75
	// pieceBytes is how long the rows of a piece of a strip are: it is so small that
	// the second statement finds it in the first cache while the processor already brings the next
	// one. On that machine bicg, 8000 x 8000, takes 50 to 55 ms on one thread with pieces of 512 bytes, 53 with 2048, 58 to 65
	// with 8000, and 58 to 65 without pieces, where reading the matrix takes 42; one of 2000 x 2000 takes 3.7 ms, and 5.6
	// without.
	pieceBytes = 512
)

// stripLoops are the loops around statements that walk through strips of a matrix.
type stripLoops struct {
	// shared are the loops over the strips, whose work threads share; nil for one thread that has
	// pieces.
	shared *schedule.Blocks
	// pieces are the loops over pieces of a strip, or nil.
	pieces *schedule.Blocks
}

// inWaves says that blocks of strips run in wavefronts.
func (s *stripLoops) inWaves() bool { return s.shared != nil && len(s.shared.Rows) > 1 }

// stripBlocks are the loops over strips of a matrix: over blocks of whole rows, or, where these may be cut
// along the columns, over blocks of both for wavefronts. A thread then has the
// same columns all the time, and its cache all that the second statement reads; of strips of whole rows
// it reads some that the first statement has brought to another's. One thread goes from
// piece to piece alone.
func (p *planner) stripBlocks(node string, found *strips) (*stripLoops, error) {
	o := p.options
	lengths, err := p.lengthsOfRun(&bandPlan{rows: []map[int]schedule.Row{found.rows, found.columns}})
	if err != nil {
		return nil, err
	}
	threads := int64(o.Run.Threads)
	if o.NoParallel {
		threads = 1
	}
	element := int64(p.graph.Model.Program.Array(found.matrix).Size)
	both := []map[int]schedule.Row{found.rows, found.columns}
	pieces := &schedule.Blocks{Node: node, Permutable: true, Rows: both, Sizes: p.pieceSizes(element)}
	rows := int64(stripRows)
	switch bytes := lengths[1] * element; {
	case found.mayCut && threads == 1:
		pieces.Sizes[1] = p.scaled(pieces.Sizes[1])
		return &stripLoops{pieces: pieces}, nil
	case threads == 0 || lengths[0] == unlimited || lengths[1] == unlimited || lengths[0] == 0 || lengths[1] == 0:
	case found.mayCut && !o.NoWavefront && float64(bytes)*float64(lengths[0]) >= wavesFrom*float64(p.lastCache()):
		sizes := p.waveSizes(lengths[1], element, threads, pieces.Sizes)
		sizes[0] = p.scaled(sizes[0])
		return &stripLoops{shared: &schedule.Blocks{Node: node, Permutable: true, Rows: both, Sizes: sizes}, pieces: pieces}, nil
	default:
		count := int64(p.secondCache()) / 2 / (sweptRows * bytes)
		rows = min(max(1, count), mostStripBlocks) * sweptRows * threads
	}
	return &stripLoops{shared: &schedule.Blocks{Node: node, Rows: both[:1], Sizes: []int64{p.scaled(rows)}}}, nil
}

// scaled is a size of blocks as the user wants it.
func (p *planner) scaled(size int64) int64 {
	return max(2, int64(float64(size)*orOne(p.options.Tile.Scale)))
}

// pieceSizes are the rows and columns of a piece of a strip, in whole register blocks.
func (p *planner) pieceSizes(element int64) []int64 {
	rows, vectors := int64(sweptRows), int64(sweptVectors)
	if shape := p.options.Registers; shape.Rows > 0 {
		rows, vectors = shape.Rows, shape.Vectors
	}
	elements := p.options.Vector.lanesOf(element)
	return []int64{multipleOf(elements, float64(rows)), multipleOf(vectors*elements, float64(pieceBytes/element))}
}

// waveSizes are the rows and columns of a block in wavefronts: as many columns as the second cache
// holds, in whole pieces, so that threads have equally many.
func (p *planner) waveSizes(length, element, threads int64, piece []int64) []int64 {
	rows := int64(waveRows)
	if height := p.options.Tile.Height; height > 1 {
		rows = height
	}
	columns := multipleOf(piece[1], float64(int64(p.secondCache())/(rows*element)))
	return []int64{rows, evenly(length, columns, piece[1], threads)}
}

// lastCache is the size of the last cache in bytes.
func (p *planner) lastCache() int { return max(p.options.ThirdCacheBytes, p.secondCache()) }

// wavesOf emits the commands that run blocks of strips of the statements in wavefronts, on threads that start
// once.
func (p *planner) wavesOf(statements []int, strips *schedule.Blocks) error {
	outer, inner := strips.Loop(1), strips.Loop(2)
	p.emit(schedule.Wavefront{Loops: []string{outer, inner}})
	p.emit(schedule.Parallel{Loop: inner})
	if err := p.emitGrain(inner, statements, nil); err != nil {
		return err
	}
	p.emit(schedule.Team{Loop: outer})
	return nil
}
