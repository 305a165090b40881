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
	// wavefronts.
	wavesFrom = 2
)

// stripBlocks are the loops over strips of a matrix: over blocks of whole rows, or, where these may be cut
// along the columns, over blocks of both for wavefronts. A thread then has the
// same columns all the time, and its cache all that the second statement reads; of strips of whole rows
// it reads some that the first statement has brought to another's.
func (p *planner) stripBlocks(node string, found *strips) (*schedule.Blocks, error) {
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
	blocks := &schedule.Blocks{Node: node, Rows: []map[int]schedule.Row{found.rows}, Sizes: []int64{stripRows}}
	switch bytes := lengths[1] * element; {
	case threads == 0 || lengths[0] == unlimited || lengths[1] == unlimited || lengths[0] == 0 || lengths[1] == 0:
	case found.mayCut && threads > 1 && !o.NoWavefront && float64(bytes)*float64(lengths[0]) >= wavesFrom*float64(p.lastCache()):
		blocks.Permutable, blocks.Rows = true, append(blocks.Rows, found.columns)
		blocks.Sizes = p.waveSizes(lengths[1], element, threads)
	default:
		count := int64(p.secondCache()) / 2 / (sweptRows * bytes)
		blocks.Sizes[0] = min(max(1, count), mostStripBlocks) * sweptRows * threads
	}
	blocks.Sizes[0] = max(2, int64(float64(blocks.Sizes[0])*orOne(o.Tile.Scale)))
	return blocks, nil
}

// waveSizes are the rows and columns of a block in wavefronts: as many columns as the second cache
// holds, so that threads have equally many.
func (p *planner) waveSizes(length, element, threads int64) []int64 {
	rows := int64(waveRows)
	if height := p.options.Tile.Height; height > 1 {
		rows = height
	}
	lanes := sweptVectors * int64(p.options.Vector.Bits) / 8 / element
	columns := multipleOf(lanes, float64(int64(p.secondCache())/(rows*element)))
	return []int64{rows, evenly(length, columns, lanes, threads)}
}

// lastCache is the size of the last cache in bytes.
func (p *planner) lastCache() int { return max(p.options.ThirdCacheBytes, p.secondCache()) }

// wavesOf emits the commands that run blocks of strips in wavefronts, on threads that start
// once.
func (p *planner) wavesOf(strips *schedule.Blocks) {
	outer, inner := strips.Loop(1), strips.Loop(2)
	p.emit(schedule.Wavefront{Loops: []string{outer, inner}})
	p.emit(schedule.Parallel{Loop: inner})
	p.emit(schedule.Team{Loop: outer})
}
