package loopir

import "errors"

var errOtherElement = errors.New("threads add up in another element than the one that they put together")

// addUp runs code in which the thread adds up in an accumulator of its own, and adds that to the
// element when all threads of its block have theirs. All see at once what comes there: nobody else
// of the kernel has to do with the element.
func (m *Machine) addUp(s *AddUp) {
	if m.device == nil {
		m.err = errNoKernel
		return
	}
	outside := m.partials
	m.partials = map[string]map[string]uint64{s.Array: {}}
	for array, sums := range outside {
		if array != s.Array {
			m.partials[array] = sums
		}
	}
	m.run(s.Body)
	own := m.partials[s.Array]
	m.partials = outside
	if m.err != nil {
		return
	}
	m.atBarrier(&s.waits)
	element := elementOf(m.values(s.Element))
	for other := range own {
		if other != element {
			m.err = errOtherElement
			return
		}
	}
	around := m.memory
	for m.memory.under != nil {
		m.memory = m.memory.under
	}
	m.addAll(s.Array, own)
	m.memory = around
}
