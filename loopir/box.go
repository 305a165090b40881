package loopir

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/scop/mark"
)

// Elements in a copy of a device's are by their places in its memory, as on devices: what is there
// stays until something else comes to the place.

var (
	errNoBlock  = errors.New("elements are copied to a memory of a device in no kernel")
	errOutside  = errors.New("an element is not in the box that is copied to a memory of a device")
	errNoNumber = errors.New("a subscript of an array in a memory of a device is no number")
)

// boxHere is a copy that the code at hand uses, with the least subscripts that it has.
type boxHere struct {
	*Box
	origin []int64
	// block is the place of the block that has it, of a resident kernel.
	block string
}

// memoryName is that of the copy's memory among arrays. Several blocks that stay have one each.
func (b *boxHere) memoryName() string { return b.Of.String() + b.block }

// boxHere is a copy where the code stands.
func (m *Machine) boxHere(b *Box) *boxHere {
	here := &boxHere{Box: b, origin: m.originOf(b)}
	if m.device.stays != nil {
		here.block = elementOf(m.device.block[:])
	}
	return here
}

// withBox runs code that uses a copy.
func (m *Machine) withBox(b *Box) {
	if m.device == nil {
		m.err = errNoBlock
		return
	}
	here := m.boxHere(b)
	if b.Of.Memory == mark.Own {
		m.device.privates[here.memoryName()] = true
		delete(m.device.own.elements, here.memoryName())
	}
	around := m.device.boxes
	m.device.boxes = append(slices.Clip(around), here)
	m.run(b.Body)
	m.device.boxes = around
}

// boxOf is the copy that a reference to an array uses where the code stands, nil for none.
func (m *Machine) boxOf(array, reference string) *boxHere {
	if m.device == nil {
		return nil
	}
	for _, b := range m.device.boxes {
		if b.Of.Array == array && b.Of.Takes(reference) {
			return b
		}
	}
	return nil
}

// originOf are the least subscripts of a copy's elements, those of the thread in private memory.
func (m *Machine) originOf(b *Box) []int64 {
	origin := m.values(b.Origin)
	for d, side := range b.Of.Sides {
		if side.Thread >= 0 {
			origin[d] += m.variables[Index(side.Thread).Name]
		}
	}
	return origin
}

// boxed is where an element of an array is that has a copy.
func (m *Machine) boxed(b *boxHere, t touched) touched {
	fields := strings.Fields(strings.Trim(t.element, "[]"))
	if t.all || len(fields) != len(b.origin) {
		m.err = errNoNumber
		return t
	}
	place := make([]int64, len(fields))
	for d, side := range b.Of.Sides {
		subscript, err := strconv.ParseInt(fields[d], 10, 64)
		distance := subscript - b.origin[d]
		if err != nil || distance < 0 || distance%side.Stride != 0 || distance/side.Stride >= side.Extent {
			m.err = fmt.Errorf("%w: %s%s", errOutside, t.array, t.element)
			return t
		}
		place[d] = distance / side.Stride
	}
	return touched{array: b.memoryName(), element: elementOf(place)}
}

// transfer copies the elements of a copy: those in shared memory threads have in turns, those in
// private memory each has for itself.
func (m *Machine) transfer(t *Transfer) {
	if m.device == nil {
		m.err = errNoBlock
		return
	}
	b := m.boxHere(t.Box)
	if v := t.Vectors; v != nil && (v.Fits == nil || m.value(v.Fits) != 0) {
		m.transferVectors(t, b)
		return
	}
	all := int64(1)
	for d := range b.Of.Sides {
		_, count := t.Range(d)
		all *= count
	}
	for number := range all {
		if !b.Of.Memory.IsShared() || number%int64(m.team) == int64(m.number) {
			m.transferOne(t, b, number)
		}
	}
}

// transferOne copies an element, by its number, if it is one to be copied.
func (m *Machine) transferOne(t *Transfer, b *boxHere, number int64) {
	place, subscripts := make([]int64, len(b.origin)), make([]int64, len(b.origin))
	for d, side := range slices.Backward(b.Of.Sides) {
		first, count := t.Range(d)
		place[d], number = first+number%count, number/count
		subscripts[d] = b.origin[d] + side.Stride*place[d]
		defer m.set(Subscript(d).Name, subscripts[d])()
	}
	if t.If != nil && m.value(t.If) == 0 {
		return
	}
	m.transferElement(t, b, place, subscripts)
}

// storeEarly stores the element of a copy that an instance has written.
func (m *Machine) storeEarly(run *Run, s EarlyStore) {
	if s.If != nil && m.value(s.If) == 0 {
		return
	}
	element, happens := m.references[run.Statement.Name][s.Access].at(m.values(run.At), m.Known)
	if happens {
		from := m.boxed(m.boxHere(s.Box), element)
		element.array = s.Box.storedTo()
		m.store(element, m.load(from))
	}
}

// transferElement copies the element at a place of a copy, which has these subscripts.
func (m *Machine) transferElement(t *Transfer, b *boxHere, place, subscripts []int64) {
	for d, side := range b.Of.Sides {
		if place[d] < 0 || place[d] >= side.Extent {
			m.err = fmt.Errorf("%w: %s%s", errOutside, b.Of.Array, elementOf(subscripts))
			return
		}
	}
	from, to := touched{array: b.Of.Array, element: elementOf(subscripts)}, touched{array: b.memoryName(), element: elementOf(place)}
	switch {
	case t.Store:
		from, to = to, from
		to.array = b.storedTo()
	case t.Part == KeptInBox:
		place[b.Of.Moves.Dimension] += b.Of.Moves.Distance
		from = touched{array: b.memoryName(), element: elementOf(place)}
	}
	m.store(to, m.load(from))
}
