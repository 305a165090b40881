package mark

import (
	"fmt"

	"polytune/scop"
)

// Memory is a memory of a device.
type Memory string

// The memories: one that the threads of a block share, one of each thread's own, and one that nobody writes.
const (
	Shared   Memory = "shared"
	Own      Memory = "private"
	Constant Memory = "constant"
)

// Box stands above code of a kernel whose every execution has elements of an array in another memory: those that it reads are loaded in
// front of it, and those that it writes are stored behind it. In shared memory all threads of the block do so, and wait in front of the
// code and behind it. With Constant it stands above everything, and no element is written.
type Box struct {
	claim
	// Loop is the loop in each of whose iterations elements are copied, "" for constant memory.
	Loop, Array string
	Memory      Memory
	// Sides are the box's, one for each subscript; none where the elements have no such box.
	Sides []BoxSide
}

// BoxSide is a side of a box: it has the subscripts Origin + thread + Stride k with 0 <= k < Extent.
type BoxSide struct {
	// Origin is by the values of the loops around, and by parameters.
	Origin         scop.Row
	Stride, Extent int64
	// Thread is the dimension of the block along which the thread's number is added, -1 for none.
	Thread int
}

func (m Box) String() string {
	text := "copy " + m.Array
	if m.Loop != "" {
		text += " at " + m.Loop
	}
	text += " to " + string(m.Memory)
	for _, s := range m.Sides {
		text += fmt.Sprintf(" %d", s.Extent)
	}
	return text
}
