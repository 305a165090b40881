package mark

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Kernel stands above code that a device runs in one kernel, of one block of threads.
type Kernel struct {
	claim
	Loop string
}

// Resident stands above a loop all of which a device runs in one kernel of as many blocks as run at
// once, which share the iterations of the loops of blocks inside: iteration v is that of block v
// modulo their number along the dimension, all through the kernel.
type Resident struct {
	claim
	Loop string
}

// Block stands above a band of one member whose iterations are blocks of a kernel's grid, in no
// order: it carries no dependence. The outermost one begins the kernel, unless that is resident.
type Block struct {
	claim
	Loop string
	// Dimension is that of the grid: 0 for x, 1 for y, 2 for z.
	Dimension int
}

// Thread stands above a band of one member whose iterations the threads of a block share: iteration
// v is that of thread v modulo Count, and the loop carries no dependence.
type Thread struct {
	claim
	Loop string
	// Dimension is that of the block: 0 for x, 1 for y, 2 for z. Count is the number of threads
	// along it.
	Dimension int
	Count     int64
}

// Barrier stands above code behind each of whose executions all threads of the block, or of all
// blocks of a resident kernel, wait for each other: inside of a loop, or above a part.
type Barrier struct {
	claim
	// Grid says that those of all blocks do.
	Grid bool
	// Loop is the loop all of whose inside the code is, Part the name of the node whose code it is;
	// the other one is "".
	Loop, Part string
}

// Unroll stands above a loop of whose iterations By stand one after the other in the code, and the
// rest in a loop of its own; 0 stands for all, of which there is a constant number.
type Unroll struct {
	hint
	Loop string
	By   int64
}

// Reduce stands above a loop of a kernel all of whose inside updates one element under each of the
// clauses: threads add up in accumulators of their own, and all of a block, and of all blocks that
// share the loop, put them together behind it.
type Reduce struct {
	claim
	Loop       string
	Reductions []scop.Clause
}

// Overlapped stands right inside of the loops of blocks of a kernel whose blocks compute instances
// that other blocks compute, too. What they write is in shared memory, and of it they store what
// the instances Stored write, with the values that it has in the end. They load what the instances
// First read, and what they read and no block writes. Both are isl's text of sets of instances with
// their tiles' coordinates.
type Overlapped struct {
	claim
	Loop          string
	Stored, First string
	// Swapped are the arrays with a second grid: what is stored goes there, and behind each launch it
	// takes the place of the first one.
	Swapped []string
	// Streaming says how a tile is streamed; nil for one whose data are in shared memory as a whole.
	Streaming *Streaming
}

// Streaming says that an overlapped tile runs plane by plane along a loop over space. In each of the
// loop's iterations all steps have a plane, each Lag behind that of the step before. Values stay in
// the threads' registers from step to step.
type Streaming struct {
	// Place is that of the loop among those over space.
	Place int
	Lag   int64
	// Places is isl's text of a map of instances to their values of the loops over time and space.
	Places string
	// Fields are the arrays that tiles compute. Those of one field have values of different places,
	// as two have that are written in turn, and share registers.
	Fields [][]string
	// Reads are the accesses of values that the tiles compute, as far as each has a constant
	// distance.
	Reads []StreamRead
}

// StreamRead says that an access of a statement reads what its array has behind the step that is so
// many Back, 1 for the step before, at the place that is so far away, along each loop over space.
type StreamRead struct {
	Statement string
	Access    int
	Array     string
	Back      int64
	Distance  []int64
}

// FieldOf is the number of an array's field, -1 for none.
func (s *Streaming) FieldOf(array string) int {
	return slices.IndexFunc(s.Fields, func(arrays []string) bool { return slices.Contains(arrays, array) })
}

// Of is what is said of an access of a statement; nil where nothing is.
func (s *Streaming) Of(statement string, access int) *StreamRead {
	for k, r := range s.Reads {
		if r.Statement == statement && r.Access == access {
			return &s.Reads[k]
		}
	}
	return nil
}

// From relates places, of the step first, to those that the access reads of.
func (r *StreamRead) From(context *isl.Context) *isl.Map {
	from, to := []string{"t"}, []string{fmt.Sprint("t - ", r.Back)}
	for k, d := range r.Distance {
		from, to = append(from, fmt.Sprint("s", k)), append(to, fmt.Sprintf("s%d + %d", k, d))
	}
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(from, ", "), strings.Join(to, ", ")))
}

func (m Kernel) String() string   { return worded("kernel", m.Loop) }
func (m Resident) String() string { return worded("resident", m.Loop) }
func (m Block) String() string    { return fmt.Sprintf("block %d %s", m.Dimension, m.Loop) }
func (m Thread) String() string {
	return fmt.Sprintf("thread %d of %d %s", m.Dimension, m.Count, m.Loop)
}
func (m Barrier) String() string {
	kind := "barrier"
	if m.Grid {
		kind = "barrier grid"
	}
	if m.Part != "" {
		return kind + " after " + m.Part
	}
	return worded(kind, m.Loop)
}
func (m Unroll) String() string {
	if m.By > 0 {
		return worded(fmt.Sprintf("unroll by %d", m.By), m.Loop)
	}
	return worded("unroll", m.Loop)
}
func (m Reduce) String() string     { return worded("reduce", m.Loop) + scop.ClausesText(m.Reductions) }
func (m Overlapped) String() string { return worded("overlapped", m.Loop) }
