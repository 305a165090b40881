package loopir

// secondGrid is the name of the second grid of an array.
func secondGrid(array string) string { return "second " + array }

// storedTo is the array that a copy is stored to.
func (b *Box) storedTo() string {
	if b.Swapped {
		return secondGrid(b.Of.Array)
	}
	return b.Of.Array
}

// swap has what a kernel has stored to second grids take the place of what the first ones have.
func (m *Machine) swap(k *Kernel) {
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Box:
			if s.Swapped {
				m.memory.moves(secondGrid(s.Of.Array), s.Of.Array)
			}
		case *StreamRun:
			if array := s.Body[0].(*Run).Statement.Statement.Accesses[0].Array; s.Swapped {
				m.memory.moves(secondGrid(array), array)
			}
		}
	})
}

// moves moves the elements of an array that were written to another one.
func (m *memory) moves(from, to string) {
	for element, value := range m.elements[from] {
		m.write(touched{array: to, element: element}, value)
	}
	delete(m.elements, from)
}
