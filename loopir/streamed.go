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
		if step.Shares() > 0 {
			count++
		}
	}
	return count
}

// Exchanged is how many fields threads give each other values of in one step, at most.
func (s *Streamed) Exchanged() (most int64) {
	for _, step := range s.Steps {
		most = max(most, step.Shares())
	}
	return most
}

// Registers is how many values a thread has at once, at most: of its own columns those of as many
// planes as have registers, of those beside those that instances read.
func (s *Streamed) Registers() (count int64) {
	beside := map[StreamRead]bool{}
	for _, step := range s.Steps {
		count += s.Turns() * s.Planes * int64(len(step.Fields))
		for _, run := range step.Body {
			for _, read := range run.(*StreamRun).Reads {
				if read.Access = 0; read.Beside >= 0 {
					beside[read] = true
				}
			}
		}
	}
	return count + s.Turns()*int64(len(beside))
}

// StreamStep is a step: its plane is Var - Lag.
type StreamStep struct {
	Lag int64
	// Fields are the values that are known in front of the step, first of all to it.
	Fields []*StreamField
	// Body has the instances, each in a StreamRun.
	Body Code
}

// Shares is the number of fields that threads give each other values of in the step.
func (s *StreamStep) Shares() int64 { return s.PlaneOf(nil) }

// PlaneOf is the number of a field among those of the step that threads give each other values of.
func (s *StreamStep) PlaneOf(field *StreamField) (number int64) {
	for _, f := range s.Fields {
		if f == field {
			break
		}
		if len(f.Beside) > 0 {
			number++
		}
	}
	return number
}

// StreamField are the values that arrays have behind a step that writes them, with registers of
// their own. They are known in front of the next step, and that one and later ones read them.
type StreamField struct {
	// Step is the number of that step, and Number the field's own among those of the step.
	Step, Number int
	// Newest is how far ahead of the step's plane that is whose values come from memory in this
	// iteration, where Loads say so, and else from the step that writes them.
	Newest int64
	Loads  []StreamLoad
	// Beside are the columns that threads need values of, by their distances from their own, and
	// Shared is how far ahead the plane is of which they get them now; none for a field of whose
	// values threads need only their own.
	Beside [][]int64
	Shared int64
}

// Registers is the name of the field's registers: of a thread's own columns for -1, or of those
// beside.
func (f *StreamField) Registers(beside int) string {
	number := ""
	if f.Number > 0 {
		number = fmt.Sprintf("_%d", f.Number)
	}
	if beside < 0 {
		return fmt.Sprintf("tune_w%d%s", f.Step, number)
	}
	return fmt.Sprintf("tune_n%d%s_%d", f.Step, number, beside)
}

// StreamLoad gives a register the element that an access of an instance reads.
type StreamLoad struct {
	If     *Expr
	Run    *Run
	Access int
}

// StreamRun is an instance, whose value stays in a register of a field, nil for none, and is stored
// where Stores says so, nil for nowhere: to a second grid with Swapped. Body is the instance alone.
type StreamRun struct {
	If      *Expr
	Reads   []StreamRead
	Keeps   *StreamField
	Stores  *Expr
	Swapped bool
	Body    Code
}

// StreamRead is an access to a value in a register of a field: of the plane that is so far ahead,
// in the column by its number among those beside, -1 for its own.
type StreamRead struct {
	Access int
	Field  *StreamField
	Along  int64
	Beside int
}

func (*Streamed) statement()  {}
func (*StreamRun) statement() {}

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
	for _, step := range s.Steps {
		for _, f := range step.Fields {
			for beside := -1; beside < len(f.Beside); beside++ {
				m.device.privates[f.Registers(beside)] = true
				delete(m.device.own.elements, f.Registers(beside))
			}
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
		for _, f := range step.Fields {
			r.takes(step, f)
		}
	})
	if step.Shares() > 0 {
		r.atBarrier(&r.tile.waits)
	}
	r.eachColumn(func() {
		for _, f := range step.Fields {
			for beside, distance := range f.Beside {
				r.give(r.register(f, beside, f.Shared-step.Lag), r.cellOf(r.place(step.PlaneOf(f), r.tile.Beside(distance)), 0))
			}
		}
		for _, s := range step.Body {
			r.instanceOf(step, s.(*StreamRun))
		}
	})
	if step.Shares() > 0 {
		r.shared++
	}
}

// takes gives registers of a field what memory has, and others what they need of them.
func (r *streaming) takes(step *StreamStep, f *StreamField) {
	for _, load := range f.Loads {
		if r.value(load.If) != 0 {
			r.give(r.register(f, -1, f.Newest-step.Lag), r.element(load.Run, load.Access))
		}
	}
	if len(f.Beside) > 0 {
		r.give(r.place(step.PlaneOf(f), 0), r.cellOf(r.register(f, -1, f.Shared-step.Lag), 0))
	}
}

// element is what an access of an instance touches in memory.
func (r *streaming) element(run *Run, access int) cell {
	t, _ := r.references[run.Statement.Statement.Name][access].at(r.values(run.At), r.Known)
	return cell{touched: t}
}

// instanceOf runs an instance of a step.
func (r *streaming) instanceOf(step *StreamStep, s *StreamRun) {
	if r.value(s.If) == 0 {
		return
	}
	places := map[int]Place{}
	for _, read := range s.Reads {
		places[read.Access] = r.register(read.Field, read.Beside, read.Along-step.Lag)
	}
	run := s.Body[0].(*Run)
	for _, w := range r.compute(run.Statement, run.At, places, 0) {
		if s.Keeps != nil {
			r.write(r.cellOf(r.register(s.Keeps, -1, -step.Lag), 0), w.value)
		}
		if s.Stores != nil && r.value(s.Stores) != 0 {
			to := r.element(run, 0)
			if s.Swapped {
				to.array = secondGrid(to.array)
			}
			r.write(to, w.value)
		}
	}
}

// give gives a register, or a place in shared memory, a value.
func (r *streaming) give(to Place, from cell) { r.write(r.cellOf(to, 0), r.read(from)) }

// register is that of a field's plane so far ahead of that of the first step.
func (r *streaming) register(f *StreamField, beside int, ahead int64) *Buffered {
	slot := ((r.iteration+ahead)%r.tile.Planes + r.tile.Planes) % r.tile.Planes
	return &Buffered{Buffer: f.Registers(beside), Index: Int(slot*r.tile.Turns() + r.turn), Single: true}
}

// place is the one in a plane at hand, by its number, that is so far from the column at hand.
func (r *streaming) place(number, beside int64) *Buffered {
	plane := r.shared%2*r.tile.Exchanged() + number
	return &Buffered{Buffer: sharedPlanes, Index: Int(plane*r.tile.Width() + r.at + beside), Single: true}
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
