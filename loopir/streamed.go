package loopir

import "fmt"

// Streamed is the code of an overlapped tile that runs plane by plane along a loop over space: in
// each iteration all steps of the tile have a plane, each behind that of the step before. The value
// that a step reads stays in a register of the thread that has its column, and threads give each
// other what they need beside it in two planes in shared memory, in turn.
type Streamed struct {
	// Var is the plane of the first step, which goes from From to To.
	Var      string
	From, To *Expr
	// Columns are the other loops over space.
	Columns []Column
	// Planes is how many planes of a step have registers: that of a plane has what the one so many
	// before has had.
	Planes int64
	// Type is that of the values, Bytes its size.
	Type  string
	Bytes int64
	Steps []*StreamStep
	// waits is where threads wait.
	waits Barrier
}

// Column is a loop over space whose points threads share: that with the number v modulo Threads
// along a dimension has the points From + v.
type Column struct {
	Var       string
	From      *Expr
	Count     int64
	Dimension int
	Threads   int64
	// Before and Behind are how many points threads may ask for beside those of the columns.
	Before, Behind int64
}

// Turns is how many columns a thread has at most.
func (c Column) Turns() int64 { return (c.Count + c.Threads - 1) / c.Threads }

// Width is the number of places of a plane in shared memory.
func (c Column) Width() int64 { return c.Before + c.Turns()*c.Threads + c.Behind }

// Turns is how many columns a thread has at most.
func (s *Streamed) Turns() (turns int64) {
	turns = 1
	for _, c := range s.Columns {
		turns *= c.Turns()
	}
	return turns
}

// Width is the number of places of a plane in shared memory.
func (s *Streamed) Width() (width int64) {
	width = 1
	for _, c := range s.Columns {
		width *= c.Width()
	}
	return width
}

// Beside is how far a column is from another one in a plane in shared memory.
func (s *Streamed) Beside(distance []int64) (at int64) {
	for k, c := range s.Columns {
		at = at*c.Width() + distance[k]
	}
	return at
}

// Shares is the number of steps in which threads give each other values.
func (s *Streamed) Shares() (count int64) {
	for _, step := range s.Steps {
		if len(step.Beside) > 0 {
			count++
		}
	}
	return count
}

// Registers is how many values a thread has at once, at most: of its own columns those of as many
// planes as have registers, of those beside those that instances read.
func (s *Streamed) Registers() (count int64) {
	for _, step := range s.Steps {
		beside := map[StreamRead]bool{}
		for _, run := range step.Body {
			for _, read := range run.(*StreamRun).Reads {
				if read.Access = 0; read.Beside >= 0 {
					beside[read] = true
				}
			}
		}
		count += s.Turns() * (s.Planes + int64(len(beside)))
	}
	return count
}

// StreamStep is a step: its plane is Var - Lag.
type StreamStep struct {
	Lag int64
	// Newest is how far ahead the plane is whose values come from memory in this iteration, where
	// Loads say so, and else from the step before.
	Newest int64
	Loads  []StreamLoad
	// Beside are the columns that threads need values of, by their distances from their own, and
	// Shared is how far ahead the plane is of which they get them now; none for a step whose
	// threads need none.
	Beside [][]int64
	Shared int64
	// Body has the instances, each in a StreamRun.
	Body Code
}

// StreamLoad gives a register the element that an access of an instance reads.
type StreamLoad struct {
	If     *Expr
	Run    *Run
	Access int
}

// StreamRun is an instance, whose value stays in a register where Keeps says so. Body is the
// instance alone.
type StreamRun struct {
	If    *Expr
	Reads []StreamRead
	Keeps bool
	Body  Code
}

// StreamRead is an access to a value in a register: of the plane that is so far ahead, in the
// column by its number among those beside, -1 for its own.
type StreamRead struct {
	Access int
	Along  int64
	Beside int
}

func (*Streamed) statement()  {}
func (*StreamRun) statement() {}

// StreamRegisters is the name of a step's registers: of its own columns for -1, or of those beside.
func StreamRegisters(step, beside int) string {
	if beside < 0 {
		return fmt.Sprintf("tune_w%d", step)
	}
	return fmt.Sprintf("tune_n%d_%d", step, beside)
}

// streaming runs the code of a tile.
type streaming struct {
	*Machine
	tile *Streamed
	// iteration is the number of the iteration, turn that of the thread's column, and at its place
	// in a plane.
	iteration, turn, at int64
	// shared counts the steps in which threads have given each other values.
	shared int64
}

// sharedPlanes is the name of the planes in shared memory.
const sharedPlanes = "tune_x"

// stream runs the code of a tile.
func (m *Machine) stream(s *Streamed) {
	if m.device == nil {
		m.err = errNoBlock
		return
	}
	for k, step := range s.Steps {
		for beside := -1; beside < len(step.Beside); beside++ {
			name := StreamRegisters(k, beside)
			m.device.privates[name] = true
			delete(m.device.own.elements, name)
		}
	}
	run := &streaming{Machine: m, tile: s}
	from, to := m.value(s.From), m.value(s.To)
	for plane := from; plane <= to && m.err == nil; plane++ {
		run.iteration = plane - from
		restore := m.set(s.Var, plane)
		for k := range s.Steps {
			run.step(k)
		}
		restore()
	}
}

// step runs a step.
func (r *streaming) step(k int) {
	step := r.tile.Steps[k]
	r.eachColumn(func() {
		for _, load := range step.Loads {
			if r.value(load.If) != 0 {
				t, _ := r.references[load.Run.Statement.Statement.Name][load.Access].at(r.values(load.Run.At), r.Known)
				r.give(r.register(k, -1, step.Newest), cell{touched: t})
			}
		}
		if len(step.Beside) > 0 {
			r.give(r.place(0), r.cellOf(r.register(k, -1, step.Shared), 0))
		}
	})
	if len(step.Beside) > 0 {
		r.atBarrier(&r.tile.waits)
	}
	r.eachColumn(func() {
		for beside, distance := range step.Beside {
			r.give(r.register(k, beside, step.Shared), r.cellOf(r.place(r.tile.Beside(distance)), 0))
		}
		for _, s := range step.Body {
			r.instanceOf(k, s.(*StreamRun))
		}
	})
	if len(step.Beside) > 0 {
		r.shared++
	}
}

// instanceOf runs an instance of a step.
func (r *streaming) instanceOf(k int, s *StreamRun) {
	if r.value(s.If) == 0 {
		return
	}
	places := map[int]Place{}
	for _, read := range s.Reads {
		places[read.Access] = r.register(k, read.Beside, read.Along)
	}
	if s.Keeps {
		places[0] = r.register(k+1, -1, r.tile.Steps[k+1].Lag-r.tile.Steps[k].Lag)
	}
	run := s.Body[0].(*Run)
	for _, w := range r.compute(run.Statement, run.At, places, 0) {
		r.write(w.cell, w.value)
	}
}

// give gives a register, or a place in shared memory, a value.
func (r *streaming) give(to Place, from cell) { r.write(r.cellOf(to, 0), r.read(from)) }

// register is that of a plane so far ahead of a step's.
func (r *streaming) register(k, beside int, ahead int64) *Buffered {
	slot := ((r.iteration-r.tile.Steps[k].Lag+ahead)%r.tile.Planes + r.tile.Planes) % r.tile.Planes
	return &Buffered{Buffer: StreamRegisters(k, beside), Index: Int(slot*r.tile.Turns() + r.turn), Single: true}
}

// place is the one in the plane at hand that is so far from the column at hand.
func (r *streaming) place(beside int64) *Buffered {
	return &Buffered{Buffer: sharedPlanes, Index: Int(r.shared%2*r.tile.Width() + r.at + beside), Single: true}
}

// eachColumn does something in each of the thread's columns.
func (r *streaming) eachColumn(do func()) {
	for number := range r.tile.Turns() {
		rest, distance := number, make([]int64, len(r.tile.Columns))
		var restore []func()
		for k := len(r.tile.Columns) - 1; k >= 0; k-- {
			c := r.tile.Columns[k]
			place := r.variables[Index(c.Dimension).Name] + c.Threads*(rest%c.Turns())
			rest /= c.Turns()
			distance[k] = c.Before + place
			restore = append(restore, r.set(c.Var, r.value(c.From)+place))
		}
		r.turn, r.at = number, r.tile.Beside(distance)
		do()
		for _, undo := range restore {
			undo()
		}
	}
}
