package loopir

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Machine runs code without a compiler. It computes no numbers of the program's, but where they come
// from: what an instance writes is a hash of what it is and of what it has read. So two codes leave the
// same where each instance gets all that it reads from the same ones, and differ almost surely
// otherwise.
type Machine struct {
	// Alone takes the second of codes that compute the same.
	Alone bool
	// Backwards runs the loops under hints from the last iteration to the first: threads and lanes
	// may.
	Backwards bool
	// Steps bounds the references of the instances that are run.
	Steps int

	steps      int
	program    *scop.Program
	variables  map[string]int64
	memory     memory
	references map[string][]*reference
	err        error
}

// ErrRaw says that there are lines of text in some code, ErrSteps that it takes too long.
var (
	ErrRaw   = errors.New("lines of text cannot be interpreted")
	ErrSteps = errors.New("the code runs too much to be interpreted")
)

// NewMachine is a machine for the code of a model's program with these values of its parameters, by name.
func NewMachine(model *scop.Model, parameters map[string]int64) (*Machine, error) {
	m := &Machine{Steps: 40_000, program: model.Program, variables: map[string]int64{}, references: map[string][]*reference{}}
	for name, value := range parameters {
		m.variables[name] = value
	}
	for i := range model.Statements {
		s := &model.Statements[i]
		for _, access := range s.Statement.Accesses {
			r, err := newReference(model.Program, access, model.Context.ReadMap(access.Relation), parameters)
			if err != nil {
				return nil, err
			}
			m.references[s.Name] = append(m.references[s.Name], r)
		}
	}
	return m, nil
}

// Run runs the code, and gives what it leaves in the elements of arrays that outlive the region.
func (m *Machine) Run(code Code) (map[string]uint64, error) {
	m.memory, m.steps, m.err = newMemory(), 0, nil
	m.run(code)
	left := m.memory.left(func(name string) bool {
		array := m.program.Array(name)
		return array != nil && !array.Local && !array.Temporary
	})
	return left, m.err
}

func (m *Machine) run(code Code) {
	for _, s := range code {
		if m.err != nil {
			return
		}
		m.step(s, false)
	}
}

// step runs a statement; hinted says that it stands right under a hint.
func (m *Machine) step(s Stmt, hinted bool) {
	switch s := s.(type) {
	case *For:
		m.loop(s, hinted && m.Backwards)
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
		if s.Runs == nil || m.value(s.Runs) != 0 {
			m.run(s.Body)
		}
	case *Hint:
		for _, inside := range s.Body {
			m.step(inside, true)
		}
	case *Block:
		m.run(s.Body)
	case *Alloc, *Barrier, *Buffer, *Copy, *Flag, *Nothing:
	case *Raw:
		m.err = ErrRaw
	default:
		m.err = fmt.Errorf("the interpreter knows no %T", s)
	}
}

// with runs code with a value of a variable.
func (m *Machine) with(name string, value int64, code Code) {
	m.variables[name] = value
	m.run(code)
	delete(m.variables, name)
}

func (m *Machine) loop(l *For, backwards bool) {
	var values []int64
	for value := m.value(l.From); m.err == nil; value += m.value(l.Step) {
		m.variables[l.Var] = value
		if m.value(l.While) == 0 {
			break
		}
		if values = append(values, value); len(values) > m.Steps {
			m.err = ErrSteps
		}
	}
	delete(m.variables, l.Var)
	if backwards {
		slices.Reverse(values)
	}
	for _, value := range values {
		m.with(l.Var, value, l.Body)
	}
}

// instance runs an instance of a statement.
func (m *Machine) instance(run *Run) {
	s := run.Statement
	if m.steps += len(m.references[s.Name]); m.steps > m.Steps {
		m.err = ErrSteps
		return
	}
	at := make([]int64, len(run.At))
	for k, e := range run.At {
		at[k] = m.value(e)
	}
	var read []uint64
	var updated *touched
	var written []touched
	for _, r := range m.references[s.Name] {
		t, happens := r.at(at)
		if !happens {
			continue
		}
		if r.read || r.may && r.write {
			read = append(read, m.memory.read(t))
		}
		if r.write {
			written = append(written, t)
		}
	}
	if m.program.InAnyOrder(s.Statement) && len(written) == 1 {
		updated = &written[0]
	}
	if updated != nil {
		m.update(s.Statement, at, *updated)
		return
	}
	value := m.computed(s.Statement, at, read)
	for k, t := range written {
		if len(written) > 1 {
			value = mixed(value, uint64(k))
		}
		m.memory.write(t, value)
	}
}

// update adds to an accumulator what the other elements that an instance reads make of it: in whatever order, the
// sum is the same.
func (m *Machine) update(s *scop.Statement, at []int64, accumulator touched) {
	var read []uint64
	for _, r := range m.references[s.Name] {
		if t, happens := r.at(at); happens && r.read && t.key() != accumulator.key() {
			read = append(read, m.memory.read(t))
		}
	}
	m.memory.write(accumulator, m.memory.read(accumulator)+m.computed(s, at, append(read, 1)))
}

// isCopy says whether a statement gives an element the value of another one.
func isCopy(s *scop.Statement) bool {
	assignment, ok := s.Value.(*scop.Binary)
	if !ok || assignment.Operator != "=" || len(s.Accesses) != 2 || !s.Accesses[1].Read {
		return false
	}
	ref, ok := scop.Unwrapped(assignment.Y).(*scop.Ref)
	return ok && ref.Loop < 0
}

// computed is what an instance computes of what it reads. Statements that do the same with other names are
// the same.
func (m *Machine) computed(s *scop.Statement, at []int64, read []uint64) uint64 {
	if isCopy(s) && len(read) == 1 {
		return read[0]
	}
	h := fnv.New64a()
	write := func(values ...any) { fmt.Fprintln(h, values...) }
	scop.Walk(s.Value, func(e scop.Expr) bool {
		switch e := e.(type) {
		case *scop.Ref:
			if e.Loop >= 0 {
				write("iterator", at[e.Loop])
				return true
			}
			isElement := slices.ContainsFunc(m.program.Arrays, func(a scop.Array) bool { return a.InTexts() == e.Name })
			if !isElement {
				write("name", e.Name, e.Selected)
			}
			return !isElement
		case *scop.Number:
			write(e.Text)
		case *scop.Unary:
			if e.Operator != scop.Parentheses {
				write("unary", e.Operator, e.Postfix)
			}
		case *scop.Binary:
			write("binary", e.Operator)
		case *scop.Call:
			write("call", e.Function)
		case *scop.Select:
			write("select")
		case *scop.Opaque:
			write("opaque", e.Text)
		}
		return true
	})
	for _, value := range read {
		write(value)
	}
	return h.Sum64()
}

// mixed is a value for each number, itself for 0.
func mixed(value, number uint64) uint64 { return value ^ number*0x9e3779b97f4a7c15 }

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
