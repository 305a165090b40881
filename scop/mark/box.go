package mark

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// Memory is a memory of a device.
type Memory string

// The memories: one that the threads of a block share, the same with elements that stay there as
// long as a resident kernel runs, one of each thread's own, and one that nobody writes.
const (
	Shared   Memory = "shared"
	Kept     Memory = "resident"
	Own      Memory = "private"
	Constant Memory = "constant"
)

// IsShared says whether all threads of a block have the memory together.
func (m Memory) IsShared() bool { return m == Shared || m == Kept }

// Box stands above code of a kernel whose every execution has elements of an array in another
// memory: those that it reads are loaded in front of it, and those that it writes are stored behind
// it, or early. In shared memory all threads of the block do so, and wait in front of the code and behind it.
// In resident memory a block has all elements that it writes from the beginning of its kernel to
// the end: in front of each execution it loads those that it reads and others write, and behind it
// stores those that it has written and others read. With Constant it stands above everything, and
// no element is written.
type Box struct {
	claim
	// Loop is the loop in each of whose iterations elements are copied, "" for constant memory.
	Loop, Array string
	Memory      Memory
	// References are those that use the box, with blanks between them, as Program.Reference writes
	// them; "" for all of the array's.
	References string
	// Unpadded says that rows in shared memory are no longer than their elements.
	Unpadded bool
	// Early says that an element is stored as soon as an execution has written it for the last time,
	// and not behind the code.
	Early bool
	// Sides are the box's, one for each subscript; none where the elements have no such box.
	Sides []BoxSide
	// Moves says how far the box moves from one iteration of the loop to the next one: what is in
	// both stays in its memory.
	Moves BoxMove
}

// BoxMove is a distance along a side of a box, in elements; 0 for a box that is loaded anew.
type BoxMove struct {
	Dimension int
	Distance  int64
}

// BoxSide is a side of a box: it has the subscripts Origin + thread + Stride k with 0 <= k <
// Extent.
type BoxSide struct {
	// Origin is by the values of the loops around, and by parameters.
	Origin         scop.Row
	Stride, Extent int64
	// Thread is the dimension of the block along which the thread's number is added, -1 for none.
	Thread int
}

func (m Box) String() string {
	text := "copy " + m.Array
	if m.References != "" {
		text += " of " + m.References
	}
	if m.Loop != "" {
		text += " at " + m.Loop
	}
	text += " to " + string(m.Memory)
	if m.Unpadded {
		text += " unpadded"
	}
	if m.Early {
		text += " early"
	}
	for _, s := range m.Sides {
		text += fmt.Sprintf(" %d", s.Extent)
	}
	return text
}

// Takes says whether a reference to the array uses the box.
func (m Box) Takes(reference string) bool {
	return m.References == "" || slices.Contains(strings.Fields(m.References), reference)
}

// Meets says whether some reference uses two boxes of the same array.
func (m Box) Meets(other Box) bool {
	return m.Array == other.Array && (m.References == "" || other.References == "" || slices.ContainsFunc(strings.Fields(other.References), m.Takes))
}
