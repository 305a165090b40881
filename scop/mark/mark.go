// Package mark has what the marks of a schedule tree say: which loops have several threads or
// lanes, which code has memory of its own, and what code is to be like. depend.Graph.Check proves
// what they claim; codegen writes it.
//
// # Where to find what
//
//   - marks that claim something: mark.go; that say how code is written: hint.go; of devices:
//     device.go; of ranks: ranks.go. There is one struct for each kind; in the tree a mark has a
//     number of a table
//   - the proof: scop/depend/marks.go; the code: codegen/marks.go
//   - what code does without: declined.go
package mark

import (
	"fmt"
	"strings"

	"polytune/scop"
)

// Mark is what a mark says of the code below it. Its text names the kind first, and is for messages
// alone.
type Mark interface {
	fmt.Stringer
	isMark()
}

// Hint is a mark that says how code is to be written, and nothing of which instances run at the
// same time or with which memory: without it the code does the same.
type Hint interface {
	Mark
	isHint()
}

// claim is in each mark that claims something, which has to be proven; hint is in each of the
// others.
type (
	claim struct{}
	hint  struct{}
)

func (claim) isMark() {}
func (hint) isMark()  {}
func (hint) isHint()  {}

// Parallel stands above a band of one member whose iterations run on several threads, in no order:
// it carries no dependence but those that Reductions allow.
type Parallel struct {
	claim
	Loop       string
	Reductions []scop.Clause
}

// Vector stands above a band of one member whose iterations run in lanes, in no order: it carries
// no dependence but those that Reductions allow.
type Vector struct {
	claim
	Loop       string
	Reductions []scop.Clause
}

// Beside stands above a loop of which several iterations run at once.
type Beside struct {
	claim
	Loop string
}

// Private stands above the code that has an object of a private variable for each iteration of the
// loops outside the mark.
type Private struct {
	claim
	Variable string
}

// Region stands above a loop that all threads run, and that has one parallel loop inside, right
// inside of it or of others: each thread runs the same iterations of that all the time and waits
// for no other one.
type Region struct {
	claim
	Loop string
}

// Pack stands above the code that may read the elements of one reference from a copy made before
// each of its executions, inside of marks Registers alone.
type Pack struct {
	claim
	Statement string
	Reference int
	// Shared says that a loop inside runs on several threads, and none outside.
	Shared bool
	Sides  []PackSide
}

// PackSide is a loop whose iterations inside a pack mark are a range that is known from loops
// outside of it: Size of them from Size times its tile on.
type PackSide struct {
	// Loop is the loop's depth, from 0.
	Loop int
	// Tile is the place of the tile among the tile coordinates of the statement, -1 where
	// Size is one.
	Tile int
	Size int64
	// Block is the place among them of the register block of this loop that a loop inside the
	// mark runs over, BlockSize iterations from BlockSize times it on; -1 without.
	Block     int
	BlockSize int64
}

// Local stands above the code whose every execution has elements of an array in memory of its own:
// an expanded array, for which there is no other, or one of the program's, whose elements are
// copied to that memory before the code and back behind it.
type Local struct {
	claim
	// Loop is the loop in each of whose iterations elements are copied, "" for an expanded array.
	Loop  string
	Array string
	// Own says that each thread has memory of its own for it.
	Own   bool
	Sides []LocalSide
}

// LocalSide is a dimension of the array that is as long as a tile, or as what a tile touches: to
// its subscript Offset is added and Size times a tile coordinate is subtracted, which leaves 0 to
// Extent - 1. A side of Size 1 has the subscript 0, that of the iteration Offset, and needs no
// tile.
type LocalSide struct {
	Dimension            int
	Size, Offset, Extent int64
	// Tiles are the places of that coordinate among those in front of the iterators, by the
	// names of the statements.
	Tiles map[string]int
}

// Allocate stands above code that has memory for all copies of an array inside, or for a computed
// array (Held), made once.
type Allocate struct {
	claim
	Loop, Array string
}

// Layout stands above the loop while which the elements of an array have other places: those of its
// tiles of Size along a Dimension lie behind each other. All code below uses copies of single tiles
// (Local), which have these places.
type Layout struct {
	claim
	Loop, Array string
	Dimension   int
	Size        int64
}

// Relay stands above a sequential loop through which threads run as in a relay, and in which two
// legs follow each other: each thread has a share of the blocks of two loops, one in each leg, and
// the first thread has the first blocks. In each iteration of the loop a thread begins the first
// leg when the thread before it has ended that, and the second leg when all have; in the meantime
// it goes on with first legs of later iterations.
type Relay struct {
	claim
	Loop string
	// Handed and Shared are the depths of the loop that threads hand on in the first leg and of the
	// one that they share in the second, in members of bands around. A block is one iteration of
	// Shared, and Size values of Handed from a multiple of that on.
	Handed, Shared int
	Size           int64
	// From is the least number of blocks for which there are several threads.
	From int64
	// Ahead says that second legs ask for what the thread's next first leg reads.
	Ahead bool
}

func (m Parallel) String() string { return worded("parallel", m.Loop) + scop.ClausesText(m.Reductions) }
func (m Vector) String() string   { return worded("vector", m.Loop) + scop.ClausesText(m.Reductions) }
func (m Beside) String() string   { return worded("beside", m.Loop) }
func (m Private) String() string  { return worded("private", m.Variable) }
func (m Region) String() string   { return worded("region", m.Loop) }

func (m Pack) String() string {
	text := fmt.Sprintf("pack %s %d %t", m.Statement, m.Reference, m.Shared)
	for _, s := range m.Sides {
		text += fmt.Sprintf(" %d:%d*%d/%d*%d", s.Loop, s.Tile, s.Size, s.Block, s.BlockSize)
	}
	return text
}

func (m Allocate) String() string { return worded("allocate "+m.Array, m.Loop) }

func (m Layout) String() string {
	return fmt.Sprintf("layout %s %s %d:%d", m.Loop, m.Array, m.Dimension, m.Size)
}

func (m Relay) String() string {
	text := fmt.Sprintf("relay %s %d %d by %d from %d", m.Loop, m.Handed, m.Shared, m.Size, m.From)
	if m.Ahead {
		text += " ahead"
	}
	return text
}

// worded is a kind of mark with the name of what it stands above, if it has one.
func worded(kind, name string) string { return strings.TrimSpace(kind + " " + name) }
