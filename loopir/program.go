package loopir

// Program is the code that takes the place of a region.
type Program struct {
	// Locals declare the region's own variables that are not declared further inside, Unused are
	// those of the region's loops alone.
	Locals Code
	Unused []string
	Code   Code
	// Heap is memory that the code needs, nil for none. Where there is none of it, the original
	// runs.
	Heap *Heap
	// Assumed, which is nil for nothing, and Guards are conditions without which the original runs.
	Assumed *Expr
	Guards  []*Expr
}

// Heap is one piece of memory for several arrays.
type Heap struct {
	Stretches []Stretch
	// Total, Unit, Memory, Begin and Advise are names: of the bytes in use, of what the piece's
	// first and last byte are aligned to, of the piece, of its first byte in use, and of what asks
	// the system for large pages.
	Total, Unit, Memory, Begin, Advise string
	// Sum is the number of bytes, a floating-point number in C, that must not be larger than Limit;
	// "" for no limit. Bytes is its name.
	Sum, Bytes string
	Limit      int64
	// Threads is the name of the number of threads, "" where no stretch is there for each.
	Threads string
}

// Stretch is memory for an array with rows of these extents, or, for each thread, for what the
// thread has of one.
type Stretch struct {
	Name, Type string
	Rows       []string
	Constant   bool
	// Bytes is its size in C, Size the name of that.
	Bytes, Size string
	EachThread  bool
}
