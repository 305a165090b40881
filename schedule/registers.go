package schedule

import "polytune/scop/mark"

// BlockSuffix is what the name of a loop over blocks has behind that of its point loop.
const BlockSuffix = "r"

// MostTransposed bounds the vectors that a block transposes at a time.
const MostTransposed = 64

// RegisterBlock says how the loops inside a register block are printed.
type RegisterBlock struct {
	// Sizes are the most iterations, in a block, of each of the innermost loops, which full blocks
	// unroll.
	Sizes []int64
	// Lanes is the number of elements of a vector, 0 for none.
	Lanes int64
	// Apart says that full stretches are scheduled apart from everything else.
	Apart bool
	// Ahead says that full blocks ask for what the next one keeps in registers.
	Ahead bool
}

// mark is the block's mark above the first of the loops inside.
func (b RegisterBlock) mark(inside []*Loop) mark.Registers {
	streams := 0
	for streams < len(inside) && !inside[streams].Unrolled {
		streams++
	}
	return mark.Registers{Loop: inside[0].Name, Streams: streams, Sizes: b.Sizes, Lanes: b.Lanes, Ahead: b.Ahead}
}
