package loopir

import (
	"polytune/scop"
	"polytune/scop/mark"
)

// Stmt is a statement of a generated program.
type Stmt interface{ statement() }

// Code are statements, one after the other.
type Code []Stmt

// For runs its body for values of a variable, from the first one on, as long as the condition
// holds:
//
//	for (Var = From; While; Var += Step) Body
//
// Without From it goes on with the variable, which is one that varies.
type For struct {
	Var string
	// Name is that of the schedule's loop that it is, "" where that is not known.
	Name              string
	From, While, Step *Expr
	Body              Code
	// Once says that it runs once, for From; Full that it certainly has an iteration.
	Once, Full bool
	// Done says that the loop is as it is to be, as are all in it: no mark speaks of it. Part says
	// that it has some of the iterations of General.
	Done, Part bool
	// Alone says that one thread runs all iterations, Shared that each has its share of them in a
	// relay.
	Alone, Shared bool
	// General is the loop with the bounds that it has in all tiles, nil for itself: this one is of
	// full tiles alone.
	General *For
	// Threads says how threads share the iterations, Lanes what compilers are told of running them
	// in lanes; nil where they do not.
	Threads *Threads
	Lanes   *Lanes
	// Share says which blocks or threads of a device run which iterations, nil where one runs all.
	Share *Share
	// Unrolled says that compilers unroll the loop. Turns is the constant number of iterations that
	// it is given for that, 0 for its own: those that it has not do nothing.
	Unrolled bool
	Turns    int64
	// Marks are what the schedule says of the loop, whatever the code has of that.
	Marks mark.Set
	// Plain says whether vectors can be written of the body.
	Plain Plain
}

// Plain says whether vectors can be written of the body of a loop.
type Plain int

// The kinds of bodies: any, an instance alone, and one whose elements are where the program has
// them.
const (
	NotPlain Plain = iota
	OneInstance
	OneInPlace
)

// Level is who runs the iterations of a loop.
type Level int

// The levels, from the inside out.
const (
	Sequential Level = iota
	InLanes
	OnThreads
	OnBlocks
)

// On is the outermost level of those that run the loop's iterations.
func (l *For) On() Level {
	switch {
	case l.Share != nil && !l.Share.Threads:
		return OnBlocks
	case l.Threads != nil || l.Share != nil:
		return OnThreads
	case l.Lanes != nil:
		return InLanes
	}
	return Sequential
}

// As is the loop, which has iterations of another one and gets its name.
func (l *For) As(other *For) *For {
	l.Name = other.Name
	return l
}

// InAnyTile is the loop with the bounds that it has in all tiles.
func (l *For) InAnyTile() *For {
	if l.General != nil {
		return l.General
	}
	return l
}

// Threads says how threads share the iterations of a loop.
type Threads struct {
	// InTeam says that there are several threads already. They do not wait for each other at the
	// end where NoWait says so.
	InTeam, NoWait bool
	Schedule       Schedule
	// Collapsed is the number of loops whose iterations are shared together, 0 for this one.
	Collapsed  int64
	Reductions []Reduction
	// Several is the condition, in C, under which there are several threads, "" for always. Apart
	// says that a loop for one thread alone may be told other things.
	Several string
	Apart   bool
	// Worth is the number of elements, in C, up to which it pays to copy arrays whose updated
	// elements data decide, "" where it is not known.
	Worth string
}

// Schedule says which thread has which iterations.
type Schedule int

// The schedules: as the system likes, one by one, the same for all loops with the same bounds.
const (
	AnyThread Schedule = iota
	Dynamic
	Static
)

// Lanes says what compilers are told of a loop whose iterations may run in the lanes of vectors.
type Lanes struct {
	// Count is the number of lanes that they are asked for, 0 for any.
	Count      int64
	Reductions []Reduction
	// Serial says why some make no vectors of it.
	Serial scop.Serial
	// Independent says that they are told that iterations are independent and no more.
	Independent bool
}

// Reduction is a variable, or an array, in which the iterations of a loop add something up.
// Elements says that it is an array: each thread has a copy.
type Reduction struct {
	scop.Clause
	Variable string
	Elements bool
	// Atomic says that there is no copy: instances update the elements one after the other.
	Atomic bool
}

// Team is code that several threads run, each all of it but for loops that they share, where the
// condition, in C, holds.
type Team struct {
	Several string
	Body    Code
}

// If runs Then or Else.
type If struct {
	Cond       *Expr
	Then, Else Code
	// Whole says that it is one thing for the reader: no else goes on with another condition. Short
	// says that Else needs no braces where it is one statement.
	Whole, Short bool
}

// Either is the same code twice, such as for several threads and for one: Then where the condition,
// in C, holds, and Else elsewhere. Short says that Else needs no braces where it is one statement.
type Either struct {
	Condition  string
	Then, Else Code
	Short      bool
}

// Let names a value in its body.
type Let struct {
	Var   string
	Value *Expr
	Body  Code
	// Line says that it is written in one line.
	Line bool
}

// Marked is code that a mark of the schedule speaks of, before it has what the mark says.
type Marked struct {
	Mark mark.Mark
	// Depth is that of the loop below, as the schedule counts: -1 where nobody knows which loop it
	// is.
	Depth int
	// Spent says that the code is as the mark says, or cannot be.
	Spent bool
	Body  Code
}

// Run is an instance of a statement.
type Run struct {
	Statement *scop.StatementModel
	// At are the values of the statement's iterators, Tiles those of the coordinates of its tiles.
	At, Tiles []*Expr
	// Values are what stands in the statement's text for each use of an iterator: an array with
	// memory of its own may have other subscripts.
	Values []*Expr
	// Accumulator is the name of the variable in the place of the element that a reduction updates,
	// "" for the element.
	Accumulator string
	// Atomic says that updates are atomic operations, each by itself.
	Atomic bool
	// Along is the loop along which the text has elements of rows, nil for none.
	Along *Flat
	// Register is the number of the register that keeps what it computes, from 1 on; 0 for none.
	// Registers are those in the place of the elements that accesses read.
	Register  int
	Registers map[int]int
	// Stores are the elements that it stores from copies as soon as it has written them there.
	Stores []EarlyStore
}

// EarlyStore stores the element of a copy that an access of an instance has written, under a
// condition, nil for always.
type EarlyStore struct {
	Box    *Box
	Access int
	If     *Expr
}

// Flat is a loop over all elements of rows' pieces of constant length in place of two: that over
// the pieces, whose variable it has, and that over the elements of one.
type Flat struct {
	Outer, Inner string
	// Length is the number of elements of a piece.
	Length int64
	// Arrays are those whose last extent that is.
	Arrays []*scop.Array
}

// Keep has variables in the place of elements while its body runs, which it loads in front and
// stores behind where the loop inside has an iteration.
type Keep struct {
	Kept []Kept
	// Runs is the condition that the loop inside has one, nil where it certainly has.
	Runs *Expr
	Body Code
}

// Kept is a variable of a type of C in the place of an element of an array.
type Kept struct{ Array, Type, Name, Element string }

// Private declares a variable of the region's own, as the source does. Unused says that code may
// not read it.
type Private struct {
	Declaration string
	Unused      bool
	// Value is what the variable has at first, "" for nothing or what the declaration says.
	Value string
}

// Memory is where an array of the generated code has its elements.
type Memory int

// Stack is the thread's stack, Own the thread's piece of memory that the region has allocated.
const (
	Stack Memory = iota
	Own
)

// Alloc declares an array of elements of a type of C.
type Alloc struct {
	Name, Type string
	// Extents are those of its dimensions, in C.
	Extents []string
	In      Memory
	// First and Bytes are the names of where the first thread's piece begins and of its size, for
	// memory that is Own.
	First, Bytes string
	// Constant says that the name is only ever that of this memory, Unused that code may not read
	// it.
	Constant, Unused bool
}

// Alias gives an array's name in C to a copy of the array, or to a part of that from a place in C
// on, with rows of these extents.
type Alias struct {
	Array, Copy, Name, Type, Of string
	Rows                        []string
}

// Copies runs its body with copies of an array's elements, which In fills in front of it; Out
// brings the elements back behind it. Alias gives the copy the array's name in the body; it is nil
// for a layout, of which copies inside are tiles, and for memory that copies inside have. Memory is what the copy is declared with.
type Copies struct {
	Memory, In, Body, Out Code
	Alias                 *Alias
	// IsTile says that the copy is a part of a layout, which brings its elements there and back.
	IsTile bool
}

// Packed runs its body behind what fills a buffer that the body reads, or asks for elements.
type Packed struct{ Fill, Body Code }

// Relay is a loop through which threads run as in a relay. Each thread has a share of the blocks
// from Low to High: in an iteration it runs the first leg for its share behind the thread before
// it, which hands on what the leg carries; when all threads have, it runs the second leg. Between
// is what the last thread runs between the legs.
type Relay struct {
	Var                    string
	From, To               *Expr
	Low, High              *Expr
	First, Between, Second Code
	// ShareFrom and ShareTo are the names of the first and last block of a thread's share, Begin
	// and End those of its first and last iteration of the first leg's loop, which has Size
	// iterations for a block and, for the first and the last thread, all in front and behind.
	ShareFrom, ShareTo, Begin, End string
	Size                           int64
	// Threads is the name of the number of threads, each of which has at least so many blocks.
	Threads string
	Least   int64
	Names   RelayNames
}

// RelayNames are names in the code of a relay: of the places where threads say how far they are, of
// the thread's number, of the number of blocks, of the iteration of which the thread has the first
// leg, and of the first and the last one.
type RelayNames struct{ Done, Thread, Blocks, Step, Start, Stop string }

// Reduce runs loops whose threads each add up in a copy of some arrays, and add these up at the
// end.
type Reduce struct {
	Partials []Partial
	// Threads is the condition, in C, under which there are several of them and copies;
	// Copied that there is memory for the copies.
	Threads, Copied string
	// Several is the name of a variable that says whether there are copies and several threads, and
	// Team that of how many threads there may be.
	Several, Team string
	Body          Code
}

// Partial is an array of which each thread has a copy. All other fields are in C.
type Partial struct {
	scop.Clause
	// Name and Type are those of the array and its elements; Row what stands behind a pointer to
	// its rows, "" for single elements.
	Name, Type, Row string
	// Total is the number of elements, Count its name, All that of the array, Copy that of the
	// thread's copy, Memory that of all copies, and K counts.
	Total, Count, All, Copy, Memory, K string
	// Limit is the condition, in C, that the copy is small enough; else the only thread uses the
	// array itself. "" for always.
	Limit string
}

// Buffer is memory for so many elements of a type of C, that begins with a line of the caches.
type Buffer struct {
	Name, Type string
	Elements   int64
}

// Flag is a variable that says that something was done; it was not.
type Flag struct{ Name string }

// Barrier is where threads wait for all others, of all blocks where Grid says so: two of them are
// two places.
type Barrier struct{ Grid bool }

// Nothing is what is left of code that has no instance here.
type Nothing struct{}

// Block is code with names of its own.
type Block struct{ Body Code }

func (*For) statement()     {}
func (*If) statement()      {}
func (*Either) statement()  {}
func (*Let) statement()     {}
func (*Marked) statement()  {}
func (*Run) statement()     {}
func (*Keep) statement()    {}
func (*Alloc) statement()   {}
func (*Private) statement() {}
func (*Alias) statement()   {}
func (*Copies) statement()  {}
func (*Packed) statement()  {}
func (*Reduce) statement()  {}
func (*Relay) statement()   {}
func (*Buffer) statement()  {}
func (*Flag) statement()    {}
func (*Team) statement()    {}
func (*Barrier) statement() {}
func (*Block) statement()   {}
func (*Nothing) statement() {}

// Only is the statement that the code is, nil where it is none or several.
func (c Code) Only() Stmt {
	if len(c) != 1 {
		return nil
	}
	return c[0]
}

// Several is the code as more than one statement, which has braces wherever it is.
func (c Code) Several() Code {
	if len(c) == 1 {
		return append(c[:1:1], &Nothing{})
	}
	return c
}
