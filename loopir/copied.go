package loopir

// copied is a copy of elements of an array. Each place has the element that was copied there last,
// or that the code has written by the array's name.
type copied struct {
	name string
	// holds are the elements by their places, places these by the elements, and values the
	// elements' values.
	holds, places map[string]string
	values        map[string]uint64
}

func newCopied(name string) *copied {
	return &copied{name, map[string]string{}, map[string]string{}, map[string]uint64{}}
}

// put copies an element to a place, where no other one is from now on.
func (c *copied) put(place, element string, value uint64) {
	if before, known := c.holds[place]; known {
		delete(c.places, before)
		delete(c.values, before)
	}
	c.holds[place], c.places[element], c.values[element] = element, place, value
}

// read is the value of an element, which is none of the array's where it has not been copied.
func (c *copied) read(element string) uint64 {
	if value, known := c.values[element]; known {
		return value
	}
	return hashOf("never copied to " + c.name + element)
}

// write writes an element. Where nobody has copied it nobody knows its place.
func (c *copied) write(element string, value uint64) { c.values[element] = value }

// get is what is at a place where an element belongs.
func (c *copied) get(place, element string) uint64 {
	if other, known := c.holds[place]; known && other != element {
		return c.read(other)
	}
	return c.read(element)
}

// withCopies runs code with copies of elements around it.
func (m *Machine) withCopies(s *Copies) {
	m.run(s.Memory)
	m.run(s.In)
	inside := s.Body
	if s.Alias != nil {
		inside = append(Code{s.Alias}, inside...)
	}
	m.run(inside)
	m.run(s.Out)
}

// allocate makes memory, until free is called.
func (m *Machine) allocate(s *Alloc) (free func()) {
	m.copies[s.Name] = newCopied(s.Name)
	m.note(Note{Kind: "allocate", Of: s.Name})
	return func() { m.note(Note{Kind: "free", Of: s.Name}) }
}

// alias gives a copy the array's name, until restore is called. Elements that were written before
// without a place are gone.
func (m *Machine) alias(a *Alias) (restore func()) {
	c := m.copyOf(a.Copy)
	for element := range c.values {
		if _, known := c.places[element]; !known {
			delete(c.values, element)
		}
	}
	before := m.aliases[a.Array]
	m.aliases[a.Array] = c
	m.note(Note{Kind: "copy", Of: a.Array})
	return func() { m.aliases[a.Array] = before }
}

// copyOf is the copy of that name.
func (m *Machine) copyOf(name string) *copied {
	if m.copies[name] == nil {
		m.copies[name] = newCopied(name)
	}
	return m.copies[name]
}

// called is the cell that an array's element has for a reference where the code stands: in a copy,
// while that has the array's name.
func (m *Machine) called(t touched, reference string) cell {
	if box := m.boxOf(t.array, reference); box != nil {
		return cell{touched: m.boxed(box, t)}
	}
	return cell{touched: t, copy: m.copyAt(t)}
}

// copyAt is the copy in which an element is, nil for none.
func (m *Machine) copyAt(t touched) *copied {
	if t.all {
		return nil
	}
	return m.aliases[t.array]
}

// moveCopied moves an element to a copy, or back, if one of both is what a move does.
func (m *Machine) moveCopied(s *Move) bool {
	if to, is := s.To.(*Copied); is {
		from := m.cellOf(s.From, 0)
		m.copyOf(to.Copy).put(m.cellOf(to, 0).element, from.element, m.read(from))
		return true
	}
	if from, is := s.From.(*Copied); is {
		to := m.cellOf(s.To, 0)
		m.note(Note{Kind: "back", Of: to.array})
		m.write(to, m.copyOf(from.Copy).get(m.cellOf(from, 0).element, to.element))
		return true
	}
	return false
}
