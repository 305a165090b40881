package loopir

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"polytune/isl"
	"polytune/scop"
)

// Machine runs code without a compiler. It computes no numbers of the program's, but where they
// come from: what an instance writes is a hash of what it is and of what it has read. So two codes
// leave the same where each instance gets all that it reads from the same ones, and differ almost
// surely otherwise.
type Machine struct {
	// Alone takes the second of codes that compute the same.
	Alone bool
	// Backwards runs the loops of threads and lanes from the last iteration to the first, and the
	// last thread of a team first: these may.
	Backwards bool
	// Turns are those of a device's blocks and threads.
	Turns Turns
	// Steps bounds the references of the instances that are run.
	Steps int
	// Notes gets what code does beside computing, nil for nobody who listens.
	Notes func(Note)
	// Known may be shared with machines for other programs, one after the other.
	Known Known

	steps      int
	program    *scop.Program
	variables  map[string]int64
	memory     *memory
	registers  map[Register][]uint64
	done       map[string]bool
	references map[string][]*reference
	shapes     map[string][]part
	err        error
	// partials are sums of the thread's own in the place of elements, kept variables in the place
	// of those that are added up, by arrays.
	partials map[string]map[string]uint64
	kept     map[string]*kept
	// copies are those of elements, by their names, and aliases those that have an array's name.
	copies, aliases map[string]*copied
	// team is the number of threads of the team around, 0 for none; number is that of this one, and
	// loops counts those that the team shares.
	team, number, loops int
	wait                func()
	// follows gets the instances in the place of who computes them, nil where they are computed.
	follows func(*Run)
	// rank is that of several which runs the code, nil for none; visit is what is done with elements
	// that ranks tell each other.
	rank  *rank
	visit func(*Visit)
	// device is what a thread of a device's block has, nil for others. Orders are drawn from
	// random.
	device *inBlock
	random *rand.Rand
}

// ErrSteps says that some code takes too long.
var ErrSteps = errors.New("the code runs too much to be interpreted")

// NewMachine is a machine for the code of a model's program with these values of its parameters, by
// name.
func NewMachine(model *scop.Model, parameters map[string]int64) (*Machine, error) {
	m := &Machine{Steps: 40_000, Known: Known{}, program: model.Program, variables: map[string]int64{}, references: map[string][]*reference{}, shapes: map[string][]part{}}
	for name, value := range parameters {
		m.variables[name] = value
	}
	for i := range model.Statements {
		s := &model.Statements[i]
		m.shapes[s.Name] = shapeOf(model.Program, s.Statement)
		for k, access := range s.Statement.Accesses {
			r, err := newReference(model.Program, access, model.Context.ReadMap(access.Relation), s.Domain, parameters)
			if err != nil {
				return nil, err
			}
			r.name = model.Program.Reference(s, k)
			m.references[s.Name] = append(m.references[s.Name], r)
		}
	}
	return m, nil
}

// Run runs the code, and gives what it leaves in the elements of arrays that outlive the region.
func (m *Machine) Run(code Code) (map[string]uint64, error) {
	m.memory, m.steps, m.err = newMemory(nil), 0, nil
	m.random = drawing()
	m.registers, m.done = map[Register][]uint64{}, map[string]bool{}
	m.partials, m.kept, m.copies, m.aliases = map[string]map[string]uint64{}, map[string]*kept{}, map[string]*copied{}, map[string]*copied{}
	m.run(code)
	left := m.memory.left(func(name string) bool {
		array := m.program.Array(name)
		return array != nil && !array.Local && !array.Temporary
	})
	return left, m.err
}

// run runs code. What it defines has its value of before behind it.
func (m *Machine) run(code Code) {
	for _, s := range code {
		if m.err != nil {
			return
		}
		switch s := s.(type) {
		case *Define:
			defer m.define(s)()
		case *Alias:
			defer m.alias(s)()
		case *Alloc:
			defer m.allocate(s)()
		default:
			m.step(s)
		}
	}
}

// define gives a name its value, until restore is called.
func (m *Machine) define(d *Define) (restore func()) {
	value := d.Value
	if d.When != nil && m.value(d.When) == 0 {
		value = d.Else
	}
	return m.set(d.Var, m.value(value))
}

// set gives a variable a value, until restore is called.
func (m *Machine) set(name string, value int64) (restore func()) {
	before, known := m.variables[name]
	m.variables[name] = value
	return func() {
		if delete(m.variables, name); known {
			m.variables[name] = before
		}
	}
}

// step runs a statement.
func (m *Machine) step(s Stmt) {
	switch s := s.(type) {
	case *For:
		m.loop(s)
	case *If:
		if m.value(s.Cond) != 0 {
			m.run(s.Then)
		} else {
			m.run(s.Else)
		}
	case *Either:
		if m.Alone {
			m.run(s.Else)
		} else {
			m.run(s.Then)
		}
	case *Let:
		m.with(s.Var, m.value(s.Value), s.Body)
	case *Run:
		m.instance(s)
	case *Keep:
		m.keep(s)
	case *Marked:
		m.run(s.Body)
	case *Team:
		m.runTeam(s.Body, nil)
	case *Block:
		m.run(s.Body)
	case *Core:
		if m.device != nil {
			m.device.privates[coreRegisters] = true
		}
		m.run(s.Body)
	case *Step:
		m.run(s.Body)
	case *Packed:
		m.run(s.Fill)
		m.run(s.Body)
	case *Copies:
		m.withCopies(s)
	case *Reduce:
		m.runTeam(s.Body, s.Partials)
	case *Barrier:
		if m.team > 0 {
			m.atBarrier(s)
		}
	case *Kernel:
		m.runKernel(s)
	case *AddUp:
		m.addUp(s)
	case *Box:
		m.withBox(s)
	case *Transfer:
		m.transfer(s)
	case *Streamed:
		m.stream(s)
	case *OnRanks:
		m.onRanks(s)
	case *Exchange:
		m.exchange(s)
	case *RankSum:
		m.rankSum(s)
	case *Meet:
		m.meet()
	case *Visit:
		m.visit(s)
	case *Relay:
		m.relay(s)
	case *Once:
		if !m.done[s.Flag] {
			m.done[s.Flag] = true
			m.run(s.Body)
		}
	case *Flag:
		m.done[s.Name] = false
	case *Move:
		m.move(s)
	case *Assign:
		m.assign(s)
	case *Transpose:
		m.transpose(s)
	case *Cover:
		m.cover(s)
	case *Buffer, *Fence, *Nothing, *Pointer, *Prefetch, *Private, *Registers:
	default:
		m.err = fmt.Errorf("the interpreter knows no %T", s)
	}
}

// with runs code with a value of a variable.
func (m *Machine) with(name string, value int64, code Code) {
	defer m.set(name, value)()
	m.run(code)
}

// goOn runs a loop that goes on with a variable.
func (m *Machine) goOn(l *For) {
	for runs := 0; m.err == nil && m.value(l.While) != 0; runs++ {
		m.run(l.Body)
		if m.variables[l.Var] += m.value(l.Step); runs > m.Steps {
			m.err = ErrSteps
		}
	}
}

// relay runs the legs in an order that the threads of a relay may have: thread by thread in each
// step.
func (m *Machine) relay(s *Relay) {
	start, stop, low := m.value(s.From), m.value(s.To), m.value(s.Low)
	blocks := m.value(s.High) - low + 1
	threads := max(1, min(workers, blocks/s.Least))
	leg := func(thread, iteration int64, code Code) {
		if m.err != nil || iteration < start || iteration > stop {
			return
		}
		from, to := low+blocks*thread/threads, low+blocks*(thread+1)/threads-1
		begin, end := int64(math.MinInt64), int64(math.MaxInt64)
		if thread > 0 {
			begin = s.Size * from
		}
		if thread+1 < threads {
			end = s.Size*to + s.Size - 1
		}
		for name, value := range map[string]int64{s.Var: iteration, s.ShareFrom: from, s.ShareTo: to, s.Begin: begin, s.End: end, s.Threads: threads} {
			defer m.set(name, value)()
		}
		m.run(code)
	}
	for step := start; step < stop+threads && m.err == nil; step++ {
		for thread := range threads {
			leg(thread, step, s.First)
		}
		leg(threads-1, step, s.Between)
		for thread := range threads {
			leg(thread, step-threads+1, s.Second)
		}
	}
}

// value evaluates an expression; conditions are 0 or 1.
func (m *Machine) value(e *Expr) int64 {
	switch e.Kind {
	case isl.AstInt:
		return e.Value
	case isl.AstID:
		value, known := m.variables[e.Name]
		if !known {
			m.err = errors.Join(m.err, fmt.Errorf("%s has no value", e.Name))
		}
		return value
	}
	if e.Op == isl.OpCond || e.Op == isl.OpSelect {
		if m.value(e.Args[0]) != 0 {
			return m.value(e.Args[1])
		}
		return m.value(e.Args[2])
	}
	if e.Op == isl.OpMinus {
		return -m.value(e.Args[0])
	}
	result := m.value(e.Args[0])
	if e.Op == OpMisaligned {
		return truth(result%(e.Value/leastElement) != firstAligned)
	}
	for _, argument := range e.Args[1:] {
		result = m.operation(e.Op, result, argument)
	}
	return result
}

// operation applies an operator to a value and an expression, which && and || may leave alone.
func (m *Machine) operation(operator isl.AstOpType, x int64, of *Expr) int64 {
	switch operator {
	case isl.OpAnd, isl.OpAndThen:
		if x == 0 {
			return 0
		}
		return truth(m.value(of) != 0)
	case isl.OpOr, isl.OpOrElse:
		if x != 0 {
			return 1
		}
		return truth(m.value(of) != 0)
	}
	y := m.value(of)
	switch operator {
	case isl.OpAdd:
		return x + y
	case isl.OpSub:
		return x - y
	case isl.OpMul:
		return x * y
	case isl.OpMin:
		return min(x, y)
	case isl.OpMax:
		return max(x, y)
	case isl.OpEq:
		return truth(x == y)
	case isl.OpLe:
		return truth(x <= y)
	case isl.OpLt:
		return truth(x < y)
	case isl.OpGe:
		return truth(x >= y)
	case isl.OpGt:
		return truth(x > y)
	}
	if y <= 0 {
		m.err = errors.Join(m.err, fmt.Errorf("division by %d", y))
		return 0
	}
	switch operator {
	case isl.OpFdivQ:
		return int64(math.Floor(float64(x) / float64(y)))
	case isl.OpDiv, isl.OpPdivQ:
		return x / y
	case isl.OpPdivR, isl.OpZdivR:
		return x % y
	}
	m.err = errors.Join(m.err, fmt.Errorf("isl's operator %d has no value", operator))
	return 0
}

func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
