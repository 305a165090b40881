package loopir

import (
	"fmt"
	"slices"

	"polytune/scop"
)

// instance runs an instance of a statement.
func (m *Machine) instance(run *Run) {
	if m.follows != nil {
		m.follows(run)
		return
	}
	if m.Notes != nil {
		m.note(Note{Kind: "run", Of: run.Statement.Name, At: m.values(run.At)})
	}
	var places map[int]Place
	for access, number := range run.Registers {
		if places == nil {
			places = map[int]Place{}
		}
		places[access] = registerPlace(number)
	}
	for _, w := range m.compute(run.Statement, run.At, places, 0) {
		if m.write(w.cell, w.value); run.Register > 0 {
			m.write(m.cellOf(registerPlace(run.Register), 0), w.value)
		}
	}
	for _, s := range run.Stores {
		m.storeEarly(run, s)
	}
}

// coreRegisters is the name of the registers that keep what instances of full tiles compute.
const coreRegisters = "tune_r"

// registerPlace is a register that keeps what an instance computes.
func registerPlace(number int) Place {
	return &Buffered{Buffer: coreRegisters, Index: Int(int64(number)), Single: true}
}

// written is a value that an instance gives something.
type written struct {
	cell  cell
	value uint64
}

// compute is what an instance writes, of which some references have another place than their
// element, in that lane.
func (m *Machine) compute(model *scop.StatementModel, iterators []*Expr, places map[int]Place, lane int64) (result []written) {
	s := model.Statement
	if m.steps += len(m.references[s.Name]); m.steps > m.Steps {
		m.err = ErrSteps
		return nil
	}
	at := m.values(iterators)
	var read, steady []uint64
	var writes []cell
	var updates []bool
	for k, r := range m.references[s.Name] {
		if model.Straight != nil {
			r = r.straight(model.Straight.Subscripts[k])
		}
		m.steps += len(r.functions) * functionSteps
		t, happens := r.at(at, m.Known)
		if !happens {
			continue
		}
		c := m.called(t, r.name)
		if place, variable := places[k], m.kept[t.array]; place != nil {
			c = m.cellOf(place, lane)
		} else if variable != nil && s.Reduction.Is(k) {
			c = cell{touched: t, kept: variable}
		}
		if r.read || r.may && r.write {
			value := m.read(c)
			if read = append(read, value); !m.program.AnyOrderAt(s, k) {
				steady = append(steady, value)
			}
		}
		if r.write {
			writes, updates = append(writes, c), append(updates, m.program.AnyOrderAt(s, k))
		}
	}
	if m.program.InAnyOrder(s) {
		read = steady
	}
	value := m.computed(s, at, read)
	for k, c := range writes {
		if len(writes) > 1 {
			value = mixed(value, uint64(k))
		}
		result = append(result, written{c, value})
		if updates[k] {
			result[k].value = m.read(c) + mixed(value, 1)
		}
	}
	return result
}

func (m *Machine) values(list []*Expr) []int64 {
	values := make([]int64, len(list))
	for k, e := range list {
		values[k] = m.value(e)
	}
	return values
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

// part is a part of what a statement computes: a hash of what it is, or the number of an iterator.
type part struct {
	is       uint64
	iterator int
}

// computed is what an instance computes of what it reads. Statements that do the same with other
// names are the same.
func (m *Machine) computed(s *scop.Statement, at []int64, read []uint64) uint64 {
	if isCopy(s) && len(read) == 1 {
		return read[0]
	}
	var value uint64
	for _, p := range m.shapes[s.Name] {
		if p.iterator >= 0 {
			value = mixed(value, uint64(at[p.iterator]))
		} else {
			value = mixed(value, p.is)
		}
	}
	for _, v := range read {
		value = mixed(value, v)
	}
	return value
}

// shapeOf is what a statement does, but for the names of what it reads and writes.
func shapeOf(program *scop.Program, s *scop.Statement) (shape []part) {
	add := func(values ...any) { shape = append(shape, part{hashOf(fmt.Sprintln(values...)), -1}) }
	scop.Walk(s.Value, func(e scop.Expr) bool {
		switch e := e.(type) {
		case *scop.Ref:
			if e.Loop >= 0 {
				shape = append(shape, part{iterator: e.Loop})
				return true
			}
			isElement := slices.ContainsFunc(program.Arrays, func(a scop.Array) bool { return a.InTexts() == e.Name })
			if !isElement {
				add("name", e.Name, e.Selected)
			}
			return !isElement
		case *scop.Number:
			add(e.Text)
		case *scop.Unary:
			if e.Operator != scop.Parentheses {
				add("unary", e.Operator, e.Postfix)
			}
		case *scop.Binary:
			add("binary", e.Operator)
		case *scop.Call:
			add("call", e.Function)
		case *scop.Select:
			add("select")
		case *scop.Opaque:
			add("opaque", e.Text)
		}
		return true
	})
	return shape
}
