package loopir

import (
	"fmt"
	"slices"
)

// leastElement is the size of the smallest elements of vectors, firstAligned the number in its row
// of the first element whose address is as vectors want it: here all rows begin a little before
// such an address.
const leastElement, firstAligned = 4, 1

// cell is what a reference of an instance touches: an element, one of a copy, a variable in the
// place of one, or a lane of a register.
type cell struct {
	touched
	copy     *copied
	kept     *kept
	register Register
	lane     int64
}

func (m *Machine) read(c cell) uint64 {
	switch {
	case c.kept != nil:
		return c.kept.read(c.touched)
	case c.copy != nil:
		return c.copy.read(c.element)
	case c.register == "":
		return m.load(c.touched)
	}
	if lanes := m.registers[c.register]; c.lane < int64(len(lanes)) {
		return lanes[c.lane]
	}
	return hashOf("never written " + string(c.register))
}

func (m *Machine) write(c cell, value uint64) {
	switch {
	case c.kept != nil:
		c.kept.write(c.touched, value)
		return
	case c.copy != nil:
		c.copy.write(c.element, value)
		return
	case c.register == "":
		m.store(c.touched, value)
		return
	}
	lanes := slices.Clone(m.registers[c.register])
	for int64(len(lanes)) <= c.lane {
		lanes = append(lanes, 0)
	}
	lanes[c.lane] = value
	m.registers[c.register] = lanes
}

// cellOf is the cell of a place in a lane.
func (m *Machine) cellOf(place Place, lane int64) cell {
	defer m.set(Lane, lane)()
	switch place := place.(type) {
	case Register:
		return cell{register: place, lane: lane}
	case *Buffered:
		index := m.value(place.Index)
		if !place.Single {
			index += lane
		}
		return cell{touched: touched{array: place.Buffer, element: elementOf([]int64{index})}}
	case *Element:
		return m.called(touched{array: place.Array, element: elementOf(m.values(place.Subscripts))}, "")
	case *Copied:
		return cell{touched: touched{array: place.Copy, element: elementOf(m.values(place.Subscripts))}}
	}
	m.err = fmt.Errorf("the interpreter knows no cell of %T", place)
	return cell{}
}

// move moves values, in all lanes at once.
func (m *Machine) move(s *Move) {
	if m.moveCopied(s) {
		return
	}
	_, isZero := s.From.(Zero)
	values := make([]uint64, max(1, s.Vector.Lanes))
	for lane := range values {
		if !isZero {
			values[lane] = m.read(m.cellOf(s.From, int64(lane)))
		}
	}
	for lane, value := range values {
		m.write(m.cellOf(s.To, int64(lane)), value)
	}
}

// assign runs the instances of all lanes, which read before any of them writes.
func (m *Machine) assign(s *Assign) {
	if s.Unfinished {
		return
	}
	var all []written
	for lane := range max(1, s.Vector.Lanes) {
		restore := m.set(Lane, lane)
		all = append(all, m.compute(s.Statement, s.At, s.Places, lane)...)
		restore()
	}
	for _, w := range all {
		m.write(w.cell, w.value)
	}
}

// transpose swaps rows and columns of registers.
func (m *Machine) transpose(s *Transpose) {
	before := map[Register][]uint64{}
	for _, name := range s.Registers {
		before[Register(name)] = m.registers[Register(name)]
	}
	for k, name := range s.Registers {
		for lane, other := range s.Registers {
			var value uint64
			if lanes := before[Register(other)]; k < len(lanes) {
				value = lanes[k]
			}
			m.write(cell{register: Register(name), lane: int64(lane)}, value)
		}
	}
}

// cover runs vectors that overlap.
func (m *Machine) cover(s *Cover) {
	last := m.value(Named(s.Last))
	for at, next := int64(0), int64(firstAligned); m.err == nil; next += s.Vector.Lanes {
		m.with(s.Var, at, s.Body)
		if at == last {
			return
		}
		at = min(next, last)
	}
}
