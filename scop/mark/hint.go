package mark

import (
	"fmt"
	"strings"

	"polytune/scop"
)

// Tile stands above the loops over the points of a tile when full tiles are to be told from partial
// ones. Loop is the innermost tile loop.
type Tile struct {
	hint
	Loop string
}

// Team stands above a loop that all threads run, with parallel loops inside whose threads start
// here.
type Team struct {
	hint
	Loop string
}

// Wait stands above a loop that all threads of a team, or of a region, run, and that wait for each
// other at the end of each iteration.
type Wait struct {
	hint
	Loop string
}

// Threads stands beside the mark of a parallel loop that is to run on several threads only from
// From iterations on; or, with extents, where their product has that number.
type Threads struct {
	hint
	Loop string
	From int64
	// Of are the extents, sums of parameters, and Extents their text.
	Of      []scop.Row
	Extents string
}

// Dynamic stands beside the mark of a parallel loop whose iterations threads get one by one.
type Dynamic struct {
	hint
	Loop string
}

// Atomics stands beside the mark of a parallel loop whose threads add up in the arrays themselves,
// one update after the other, and not in copies.
type Atomics struct {
	hint
	Loop string
}

// Collapse stands beside the mark of a parallel loop whose iterations threads share together with
// those of the next loop, which has a mark as a parallel one too.
type Collapse struct {
	hint
	Loop string
}

// Registers stands above the loops that run inside a register block.
type Registers struct {
	hint
	// Loop is the first of them.
	Loop string
	// Streams is the number of loops around those that full blocks unroll. In the code some of the
	// loops are missing, because they run once: the innermost ones there need not be those that are
	// to be unrolled.
	Streams int
	// Sizes are the most iterations, in a block, of each of the innermost loops, which full blocks
	// unroll.
	Sizes []int64
	// Lanes is the number of elements of a vector, 0 for none.
	Lanes int64
	// Ahead says that full blocks ask for what the next one keeps in registers.
	Ahead bool
}

// Ivdep stands beside the mark of a vector loop of which the compiler knows that it carries no
// dependence, and no more.
type Ivdep struct {
	hint
	Loop string
}

// Simdlen stands beside the mark of a vector loop for which so many lanes are asked for.
type Simdlen struct {
	hint
	Loop  string
	Lanes int64
}

// Strips stands beside the mark of a vector loop that is written as loops of so many iterations, and
// one for the rest.
type Strips struct {
	hint
	Loop  string
	Lanes int64
}

// Stream stands beside the mark of a vector loop whose stores pass by the caches, in vectors of so
// many lanes.
type Stream struct {
	hint
	Loop  string
	Lanes int64
}

// Overlap stands beside the mark of a vector loop whose vectors of so many lanes overlap at the
// ends, in as many rows beside each other.
type Overlap struct {
	hint
	Loop        string
	Rows, Lanes int64
}

// Prefetch stands above the code of an iteration that asks for the lines of an array's memory which
// the iteration By later reads, and none between.
type Prefetch struct {
	hint
	Loop, Array string
	By          int64
}

func (m Tile) String() string     { return worded("tile", m.Loop) }
func (m Team) String() string     { return worded("team", m.Loop) }
func (m Wait) String() string     { return worded("wait", m.Loop) }
func (m Dynamic) String() string  { return worded("dynamic", m.Loop) }
func (m Atomics) String() string  { return worded("atomics", m.Loop) }
func (m Collapse) String() string { return worded("collapse", m.Loop) }
func (m Ivdep) String() string    { return worded("ivdep", m.Loop) }
func (m Simdlen) String() string  { return fmt.Sprintf("simdlen %d %s", m.Lanes, m.Loop) }
func (m Strips) String() string   { return fmt.Sprintf("strips %d %s", m.Lanes, m.Loop) }
func (m Stream) String() string   { return fmt.Sprintf("stream %d %s", m.Lanes, m.Loop) }
func (m Overlap) String() string  { return fmt.Sprintf("overlap %d %d %s", m.Rows, m.Lanes, m.Loop) }
func (m Prefetch) String() string { return fmt.Sprintf("prefetch %s %s %d", m.Loop, m.Array, m.By) }

func (m Threads) String() string {
	text := fmt.Sprintf("threads %d %s", m.From, m.Loop)
	if m.Extents != "" {
		text += " of " + m.Extents
	}
	return text
}

func (m Registers) String() string {
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Sizes), " ", ","), "[]")
	text := fmt.Sprintf("registers %d %s %d %s", m.Streams, sizes, m.Lanes, m.Loop)
	if m.Ahead {
		text += " ahead"
	}
	return text
}
