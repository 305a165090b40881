package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
)

const (
	// stripRows is the number of rows of a strip where nobody knows how long they are or how many
	// threads there will be. Otherwise each thread has as many of one as half of the second cache
	// holds, in whole register blocks, one at least.
	//
	// Measured on an AMD EPYC (Zen 3: 512 KiB, 32 MiB), gcc 12, atax: a matrix of 1800 x 2200
	// doubles takes 1.58 ms with strips of 8 rows on one thread, 1.66 with 16 and 1.67 with 32, and
	// on two threads 1.32 with 16 rows and 1.46 with 32; one of 8000 x 8000, of which 8 rows fill
	// the second cache, takes 31.3, 33.5 and 35.2 ms on one thread, and 24.6 and 25.3 on two. On
	// two threads of an AMD Zen 5 (1 MiB), with blocks of 16 rows, 2000 x 2000 takes 1.20 ms with
	// strips of 32 rows, 1.04 with 64, 1.03 with 128 and 1.07 with 256; 6000 x 6000 takes 11.4,
	// 11.3, 11.3 and 11.4.
	stripRows = 32
	// leastWaveRows and mostWaveRows bound the rows of a block of a strip in wavefronts, and
	// wavesPerThread is how many waves there are for each thread between these: pieces keep what
	// statements share in the first cache, so that blocks may be as large as leaves few blocks at
	// the first and last waves, at which threads wait. A matrix of 2000 x 2000 doubles takes 1.28
	// ms with blocks of 16 rows on two threads whose cache lines take 0.2 to 0.4 us from one to the
	// other, 0.60 with 64 and 0.57 with 128 (mvt, AMD Zen 5, gcc 12); one of 6000 x 6000 7.7, 6.2
	// and 6.0.
	leastWaveRows, mostWaveRows, wavesPerThread = 16, 128, 4
	// waveElements is how many elements a block has at least where the matrix has many short rows:
	// threads meet at the end of each wave, which takes 1 to 3 us there, and as many elements 20.
	waveElements = 1 << 16
	// waveGrain is the number of accesses below which one thread is as fast as wavefronts. There
	// are some for matrices that are larger than the second caches of all threads: 700 x 700 takes
	// 0.7 of the time with strips of whole rows on two threads, 1000 x 1000 and 1400 x 1400 take
	// 0.5; 450 x 450 takes 1.2 times as long as with one thread, 300 x 300 1.6 times.
	waveGrain = 16 * grain
	// pieceBytes is how long the rows of a piece of a strip are: two lines, so that a piece is one
	// register block of sums of rows in lanes, and one of the sum of rows, whose elements the
	// processor finds in the first cache while it already brings the next ones. With pieces of 512
	// and 256 bytes mvt takes 1.05 to 1.15 of the time (2000 x 2000, and 6000 x 6000 doubles, AMD
	// Zen 5, gcc 12, 16 rows, one thread and two). Without pieces an Intel Xeon (Cascade Lake) took
	// 1.1 to 1.5 of the time with pieces of 512 bytes.
	pieceBytes = 128
)

// stripLoops are the loops around statements that walk through strips of a matrix.
type stripLoops struct {
	// shared are the loops over the strips, whose work threads share; nil for one thread that has
	// pieces.
	shared *command.Blocks
	// pieces are the loops over pieces of a strip, or nil.
	pieces *command.Blocks
	// relay says that threads run through the strips as in a relay.
	relay bool
}

// inWaves says that blocks of strips run in wavefronts.
func (s *stripLoops) inWaves() bool { return s.shared != nil && len(s.shared.Rows) > 1 }

// stripBlocks are the loops over strips of a matrix: over blocks of whole rows, or, where these may
// be cut along the columns, over blocks of both for wavefronts. A thread then has the same columns
// all the time, and its cache all that the second statement reads; of strips of whole rows it reads
// some that the first statement has brought to another's. One thread goes from piece to piece
// alone. In a relay strips have as many rows as a register block; behind the last cache wavefronts
// are faster.
func (p *planner) stripBlocks(node string, found *strips, relay bool) (*stripLoops, error) {
	o := p.options
	lengths, err := p.lengthsOfRun(&facts.Band{Rows: []map[int]schedule.Row{found.ofMatrix(), found.columns}})
	if err != nil {
		return nil, err
	}
	threads := int64(o.Run.Threads)
	if o.NoParallel {
		threads = 1
	}
	matrix := p.graph.Model.Program.Array(found.matrix)
	element := int64(matrix.Size)
	both := []map[int]schedule.Row{found.rows, found.columns}
	pieces := &command.Blocks{Node: node, Permutable: true, Rows: both, Sizes: p.pieceSizes(matrix)}
	rows, isKnown := int64(stripRows), !slices.Contains(lengths, facts.Unlimited) && !slices.Contains(lengths, 0)
	bytes := lengths[1] * element
	size := float64(bytes) * float64(lengths[0])
	switch {
	case relay && (!isKnown || lengths[1] >= 2*leastRelayed && !(found.mayCut && size > float64(p.options.LastCache()))):
		rows = multipleOf(pieces.Sizes[0], float64(p.scaled(pieces.Sizes[0])))
		return &stripLoops{shared: &command.Blocks{Node: node, Rows: both[:1], Sizes: []int64{rows}}, relay: true}, nil
	case found.mayCut && threads == 1:
		pieces.Sizes[1] = p.scaled(pieces.Sizes[1])
		return &stripLoops{pieces: pieces}, nil
	case threads == 0 || !isKnown:
	case found.mayCut && !o.NoWavefront && size >= float64(threads)*float64(p.options.secondCache()):
		sizes := p.waveSizes(lengths, element, threads, pieces.Sizes)
		sizes[0] = p.scaled(sizes[0])
		return &stripLoops{shared: &command.Blocks{Node: node, Permutable: true, Rows: both, Sizes: sizes}, pieces: pieces}, nil
	default:
		block := p.rowsOfPiece(matrix)
		rows = multipleOf(block, float64(int64(p.options.secondCache())/2/bytes)) * threads
	}
	return &stripLoops{shared: &command.Blocks{Node: node, Rows: both[:1], Sizes: []int64{p.scaled(rows)}}}, nil
}

// scaled is a size of blocks as the user wants it.
func (p *planner) scaled(size int64) int64 {
	return max(2, int64(float64(size)*orOne(p.options.Tile.Scale)))
}

// pieceSizes are the rows and columns of a piece of a strip, in whole register blocks.
func (p *planner) pieceSizes(matrix *scop.Array) []int64 {
	element := int64(matrix.Size)
	elements := p.options.Vector.lanesOf(element)
	rows, vectors := p.rowsOfPiece(matrix), int64(facts.SweptVectors)
	if shape := p.options.Registers; shape.Rows > 0 {
		rows, vectors = multipleOf(elements, float64(shape.Rows)), shape.Vectors
	}
	return []int64{rows, multipleOf(vectors*elements, float64(pieceBytes/element))}
}

// rowsOfPiece is the number of rows of a register block of the sums of a matrix's rows, of which
// the first cache has the lines beside each other.
func (p *planner) rowsOfPiece(matrix *scop.Array) int64 {
	lanes := p.options.Vector.lanesOf(int64(matrix.Size))
	rows := rowsInLanes(lanes, 1)
	bytes := p.rowBytes(matrix)
	if bytes == 0 {
		return rows
	}
	return halved(lanes, rows, p.mostInSets([]*rowsBeside{{bytes: bytes, step: 1}}, rows))
}

// waveSizes are the rows and columns of a block in wavefronts, in whole pieces: as many columns as
// leave what statements keep along them in the second cache, so that threads have equally many.
func (p *planner) waveSizes(lengths []int64, element, threads int64, piece []int64) []int64 {
	columns := evenly(lengths[1], multipleOf(piece[1], float64(int64(p.options.secondCache())/(leastWaveRows*element))), piece[1], threads)
	rows := multipleOf(piece[0], float64(min(max(mostWaveRows, waveElements/columns), max(leastWaveRows, lengths[0]/(wavesPerThread*threads)))))
	if height := p.options.Tile.Height; height > 1 {
		rows = height
	}
	return []int64{rows, columns}
}

// wavesOf emits the commands that run blocks of strips of the statements in wavefronts, on threads
// that start once.
func (p *planner) wavesOf(statements []int, strips *command.Blocks) error {
	outer, inner := strips.Loop(1), strips.Loop(2)
	p.emit(command.Wavefront{Loops: []string{outer, inner}})
	p.emit(command.Parallel{Loop: inner})
	if err := p.emitGrainOf(waveGrain, inner, statements, nil); err != nil {
		return err
	}
	p.emit(command.Team{Loop: outer})
	return nil
}
