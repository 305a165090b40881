package loopir

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Kernel is code that blocks of threads of a device run. Loops inside whose iterations are blocks
// say how many blocks there are; those that threads share, and what else is inside, is run by all
// threads of a block, each on its own.
type Kernel struct {
	// Name is the kernel's, Of that of the node or the loop that it is of.
	Name, Of string
	// Threads are the numbers of threads of a block along x, y and z.
	Threads [3]int64
	// Spans are, of a resident kernel, the values that loops of blocks have along each dimension,
	// nil along one without any: value v is that of block v less the first one, modulo the number
	// of blocks, all through the kernel. Nil for kernels whose loops of blocks are around all else.
	Spans *[3]*Span
	// Other is the resident kernel that runs instead where not so many blocks run at once as the
	// spans have values: this one has one value for each block. Nil for none.
	Other *Kernel
	Body  Code
}

// Span are the values from a first to a last one, by parameters.
type Span struct{ From, To *Expr }

// Count is the number of values.
func (s *Span) Count() *Expr {
	return Operation(isl.OpAdd, Operation(isl.OpSub, s.To, s.From), Int(1))
}

// spans are those of a resident kernel, nil for others.
func (k *Kernel) spans() (spans [3]*Span) {
	if k.Spans != nil {
		spans = *k.Spans
	}
	return spans
}

// OneEach says that each block of a resident kernel has one value of each loop of blocks.
func (k *Kernel) OneEach() bool { return k.Other != nil }

// Share says which block of a device's grid, or which thread of a block, runs which iterations of a
// loop.
type Share struct {
	// Threads says that threads of a block share the iterations: the one with the number v modulo
	// Count along a dimension runs iteration v. Else each iteration is a block.
	Threads   bool
	Dimension int
	Count     int64
}

// Index is the number of the thread that runs some code along a dimension of its block.
func Index(dimension int) *Expr { return Named(fmt.Sprintf("thread.%d", dimension)) }

// BlockIndex is the number of the block that runs some code along a dimension of its grid.
func BlockIndex(dimension int) *Expr { return Named(fmt.Sprintf("block.%d", dimension)) }

// IndexOf is the dimension of such a number, of a thread or a block; is says whether the expression
// is one.
func IndexOf(e *Expr) (isThread bool, dimension int, is bool) {
	kind, number, _ := strings.Cut(e.Name, ".")
	dimension, err := strconv.Atoi(number)
	return kind == "thread", dimension, err == nil && (kind == "thread" || kind == "block")
}

// Box is code that uses elements of an array in a memory of the device.
type Box struct {
	Of mark.Box
	// Name is that of the memory.
	Name string
	// Origin are the least subscripts that the box has, without the numbers of threads.
	Origin []*Expr
	// WaitsInFront says that threads wait behind the loads in front of the code, WaitsBehind that
	// they do in front of the stores behind it.
	WaitsInFront, WaitsBehind bool
	// Swapped says that what is stored goes to a second grid of the array, which takes the first one's
	// place behind the kernel.
	Swapped bool
	Body    Code
}

// Transfer loads the elements of a box, or stores them.
type Transfer struct {
	Box   *Box
	Store bool
	// Part says which elements of a box that moves are loaded.
	Part Part
	// If is the condition that an element is one to be copied, by the names of its subscripts
	// (Subscript); nil for all.
	If *Expr
	// Vectors says how elements that lie side by side are loaded at once; nil for one by one.
	Vectors *Vectors
}

// Part is a part of the elements of a box that moves.
type Part int

// The parts: all elements, those that the iteration before has left, which come from where they are
// in the box, and the others.
const (
	AllOfBox Part = iota
	KeptInBox
	NewInBox
)

// Range has the places along a side of the box that a transfer is of: so many from the first one
// on.
func (t *Transfer) Range(d int) (first, count int64) {
	m := t.Box.Of
	switch kept := m.Sides[d].Extent - m.Moves.Distance; {
	case t.Part == AllOfBox || d != m.Moves.Dimension:
		return 0, m.Sides[d].Extent
	case t.Part == KeptInBox:
		return 0, kept
	default:
		return kept, m.Moves.Distance
	}
}

// AddUp is code in which each thread of a block adds up in an accumulator of its own, which begins
// with what changes nothing, in the place of one element of an array. Behind it threads wait, and
// what all have is put together in the element.
type AddUp struct {
	scop.Clause
	// Element are the subscripts of the element outside of the code.
	Element []*Expr
	// Atomic says that several blocks may run the code, for the same element, and Again that a block
	// may do so several times.
	Atomic, Again bool
	Body          Code
	// waits is where threads wait.
	waits Barrier
}

// Core is the code of a full tile, all of whose points are instances, without loops that threads
// share: each thread has its own points. What it has in a step of time is in Steps, and threads
// wait behind each of them.
type Core struct {
	Body Code
	// Registers is the number of registers of a thread's that have what instances compute.
	Registers int
}

// Step is instances, of a step of a tile with a number, of which none uses what another one writes:
// what several of them read may be read once.
type Step struct {
	Number int64
	Body   Code
}

// Subscript is a subscript of an element that is copied.
func Subscript(dimension int) *Expr { return Named(fmt.Sprintf("tune_i%d", dimension)) }

func (*Kernel) statement()   {}
func (*Box) statement()      {}
func (*Transfer) statement() {}
func (*AddUp) statement()    {}
func (*Core) statement()     {}
func (*Step) statement()     {}

// Waits says whether threads wait for each other in some code.
func Waits(code Code) (is bool) {
	Walk(code, func(s Stmt) {
		_, isBarrier := s.(*Barrier)
		is = is || isBarrier
	})
	return is
}

// text says what a share is, for people.
func (s *Share) text() string {
	if s.Threads {
		return fmt.Sprintf(" on %d threads along %s", s.Count, dimensionNames[s.Dimension])
	}
	return " on blocks along " + dimensionNames[s.Dimension]
}

var dimensionNames = [3]string{"x", "y", "z"}
