package mark

import (
	"slices"

	"polytune/scop"
)

// Ranks stands above code whose instances are shared out over ranks, which have memory of their own:
// a rank runs those whose values of Rows, isl's text of a map of instances to numbers, are in its block.
// Blocks are consecutive in each dimension, and those of marks of one Group are the same. No dependence leads from one
// value to another one in one execution of the code.
type Ranks struct {
	claim
	Loop string
	// Group numbers the commands that share loops out.
	Group int
	Rows  string
	// Dims is how many numbers Rows has for an instance, one for each loop of those right inside each
	// other that a grid of ranks shares.
	Dims int
	// Reductions are clauses of accumulators, of which each rank has its own, that are put together
	// behind the code.
	Reductions []scop.Clause
	// Ways say how elements of some arrays are told other ranks; all others are told together.
	Ways []Told
	// Hands are messages that somebody has written by hand.
	Hands []Hand
}

// Ghost stands above the code of one iteration of a loop, in which ranks tell each other nothing: each
// computes what it needs of others there again, and is told the rest in front.
type Ghost struct {
	hint
	Loop string
}

func (m Ghost) String() string { return worded("ghost", m.Loop) }

// Meet stands above the code of one iteration of a loop, behind each of which all ranks wait for each
// other. All ranks have the same iterations.
type Meet struct {
	claim
	Loop string
}

func (m Meet) String() string { return worded("barrier", m.Loop) }

// Sums says whether ranks put elements of an array together behind the code.
func (m Ranks) Sums(array string) bool {
	return slices.ContainsFunc(m.Reductions, func(c scop.Clause) bool { return c.Array == array })
}

// Told says how elements of arrays are told other ranks: Async, while what reads none of them runs;
// Apart, those of each array in a message of their own.
type Told struct {
	Arrays       []string
	Async, Apart bool
}

func (m Ranks) String() string { return worded("ranks", m.Loop) }

// Hand is a message that each rank sends the one that is Distance away, or receives of it: the elements
// of an array whose subscripts are from one row to another one, each over the first and the last row
// of the rank's own block and the parameters. Command is its line in the recipe.
type Hand struct {
	Array    string
	Ranges   [][2]scop.Row
	Distance int
	Receives bool
	// Async has what reads none of the elements run while the message is under way.
	Async   bool
	Command string
}
