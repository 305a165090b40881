package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform/facts"
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
	if !o.Uses(parallelAxis) {
		threads = 1
	}
	matrix := p.graph.Model.Program.Array(found.matrix)
	element := int64(matrix.Size)
	both := []map[int]schedule.Row{found.rows, found.columns}
	pieces := &command.Blocks{Node: node, Permutable: true, Rows: both, Sizes: pieceSizes(&p.options, matrix)}
	rows, isKnown := int64(facts.StripRows), !slices.Contains(lengths, facts.Unlimited) && !slices.Contains(lengths, 0)
	bytes := lengths[1] * element
	size := float64(bytes) * float64(lengths[0])
	switch {
	case relay && (!isKnown || lengths[1] >= 2*facts.LeastRelayed && !(found.mayCut && size > float64(p.options.LastCache()))):
		rows = multipleOf(pieces.Sizes[0], float64(scaledSize(&p.options, pieces.Sizes[0])))
		return &stripLoops{shared: &command.Blocks{Node: node, Rows: both[:1], Sizes: []int64{rows}}, relay: true}, nil
	case found.mayCut && threads == 1:
		pieces.Sizes[1] = scaledSize(&p.options, pieces.Sizes[1])
		return &stripLoops{pieces: pieces}, nil
	case threads == 0 || !isKnown:
	case found.mayCut && o.Uses(wavefrontAxis) && size >= float64(threads)*float64(p.options.secondCache()):
		sizes := waveSizes(&p.options, lengths, element, threads, pieces.Sizes)
		sizes[0] = scaledSize(&p.options, sizes[0])
		return &stripLoops{shared: &command.Blocks{Node: node, Permutable: true, Rows: both, Sizes: sizes}, pieces: pieces}, nil
	default:
		block := rowsOfPiece(&p.options, matrix)
		rows = multipleOf(block, float64(int64(p.options.secondCache())/2/bytes)) * threads
	}
	return &stripLoops{shared: &command.Blocks{Node: node, Rows: both[:1], Sizes: []int64{scaledSize(&p.options, rows)}}}, nil
}

// scaledSize is a size of blocks as the user wants it.
func scaledSize(o *Options, size int64) int64 {
	return max(2, int64(float64(size)*orOne(o.Tile.Scale)))
}

// pieceSizes are the rows and columns of a piece of a strip, in whole register blocks.
func pieceSizes(o *Options, matrix *scop.Array) []int64 {
	element := int64(matrix.Size)
	elements := o.Vector.lanesOf(element)
	rows, vectors := rowsOfPiece(o, matrix), int64(facts.SweptVectors)
	if shape := o.Registers; shape.Rows > 0 {
		rows, vectors = multipleOf(elements, float64(shape.Rows)), shape.Vectors
	}
	return []int64{rows, multipleOf(vectors*elements, float64(facts.PieceBytes/element))}
}

// rowsOfPiece is the number of rows of a register block of the sums of a matrix's rows, of which
// the first cache has the lines beside each other.
func rowsOfPiece(o *Options, matrix *scop.Array) int64 {
	lanes := o.Vector.lanesOf(int64(matrix.Size))
	rows := rowsInLanes(lanes, 1)
	bytes := rowBytes(o, matrix)
	if bytes == 0 {
		return rows
	}
	return halved(lanes, rows, mostInSets(o, []*rowsBeside{{bytes: bytes, step: 1}}, rows))
}

// waveSizes are the rows and columns of a block in wavefronts, in whole pieces: as many columns as
// leave what statements keep along them in the second cache, so that threads have equally many.
func waveSizes(o *Options, lengths []int64, element, threads int64, piece []int64) []int64 {
	columns := evenly(lengths[1], multipleOf(piece[1], float64(int64(o.secondCache())/(facts.LeastWaveRows*element))), piece[1], threads)
	rows := multipleOf(piece[0], float64(min(max(facts.MostWaveRows, facts.WaveElements/columns), max(facts.LeastWaveRows, lengths[0]/(facts.WavesPerThread*threads)))))
	if height := o.Tile.Height; height > 1 {
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
	if err := p.emitGrainOf(facts.WaveGrain, inner, statements, nil); err != nil {
		return err
	}
	p.emit(command.Team{Loop: outer})
	return nil
}
