package loopir

import "polytune/scop"

// Lane is the variable that has the number of a lane of vectors, where an expression has a value
// for each.
const Lane = "the lane"

// Vector is the type of vectors of so many elements of a type of C; without lanes, that of single
// elements.
type Vector struct {
	Element string
	Lanes   int64
}

// Place is where a value is, or one for each lane.
type Place interface{ place() }

// Register is a variable by its name.
type Register string

// Buffered are elements of a buffer, behind each other from an index on. Single says that all lanes
// have the first one.
type Buffered struct {
	Buffer string
	Index  *Expr
	Single bool
}

// Element is an element of an array, or one for each lane.
type Element struct {
	Array string
	// Subscripts are nil where the element is only read or written by the instance that it belongs
	// to.
	Subscripts []*Expr
	// Text is it in C. It is the first of elements behind each other, unless Apart has the elements
	// of all lanes.
	Text  string
	Apart []string
	// Single says that all lanes have the same one.
	Single bool
}

// Zero is zero in all lanes.
type Zero struct{}

// Copied is an element of a copy.
type Copied struct {
	Copy string
	// Subscripts are those of its place in the copy, in a layout behind the number of its tile;
	// Text is it in C.
	Subscripts []*Expr
	Text       string
}

func (Register) place()  {}
func (*Buffered) place() {}
func (*Element) place()  {}
func (Zero) place()      {}
func (*Copied) place()   {}

// Move brings values from one place to another: it loads, stores or copies.
type Move struct {
	To, From Place
	Vector   Vector
	// Before and After are what C has in front of the value and behind it: a buffer has products of
	// elements with a factor.
	Before, After string
	// Declares says that the register begins here, Constant that it has this value only.
	Declares, Constant bool
}

// Registers declares registers of a type.
type Registers struct {
	Vector Vector
	Names  []string
}

// Assign runs an assignment, or one term of it, in all lanes of its vectors at once.
type Assign struct {
	Statement *scop.StatementModel
	// At are the values of the statement's iterators.
	At       []*Expr
	Vector   Vector
	Target   Place
	Operator string
	// Value is text in C and operands in turn.
	Texts    []string
	Operands []Place
	// Broadcast says that no operand is a vector, but the value is to be one.
	Broadcast bool
	// Places are those of all references of the statement that are not where their elements are, by
	// their numbers.
	Places map[int]Place
	// Unfinished says that other terms follow, with which all of the instance has run.
	Unfinished bool
	// Past says that the target is stored past the caches.
	Past bool
}

// Transpose swaps the elements of vectors on either side of the diagonal of the square that they
// are.
type Transpose struct {
	Vector    Vector
	Registers []string
}

// Prefetch asks for the line of memory some bytes behind an element.
type Prefetch struct {
	// Element is in C.
	Element string
	Strides []Stride
	Bytes   int64
	For     Use
}

// Use says what a line is asked for: to be read soon, to be written soon, or to be read when the
// second cache still has it.
type Use int

// The uses.
const (
	ToRead Use = iota
	ToWrite
	ToReadLater
)

// Stride is by how much a dimension's subscript is larger, as a product in C.
type Stride struct {
	Array     *scop.Array
	Dimension int
	Times     string
}

// Fence is where all stores past the caches are done.
type Fence struct{}

// Pointer gives the address of an element, in the first lane, a name.
type Pointer struct {
	Name, Type string
	// Constant says that nothing is written there.
	Constant bool
	To       string
}

// Cover runs its body for vectors of the elements from 0 to Last and one vector's more, which begin
// at Var: at 0 first, then wherever a line of memory begins for the pointer Aligned, and at Last in
// the end. Vectors may overlap.
type Cover struct {
	// Name is that of the schedule's loop that it is, "" where that is not known.
	Name            string
	Var, Next, Last string
	Vector          Vector
	Aligned         string
	Body            Code
}

// Once runs its body where the flag says that it has not run.
type Once struct {
	Flag string
	Body Code
}

// Define names a value in all code behind it in a block, or another one where When does not hold.
type Define struct {
	Var               string
	When, Value, Else *Expr
	// Truth says that it is 0 or 1, Varies that it is the variable of loops behind it.
	Truth, Varies bool
}

func (*Move) statement()      {}
func (*Registers) statement() {}
func (*Assign) statement()    {}
func (*Transpose) statement() {}
func (*Prefetch) statement()  {}
func (*Fence) statement()     {}
func (*Pointer) statement()   {}
func (*Cover) statement()     {}
func (*Once) statement()      {}
func (*Define) statement()    {}
