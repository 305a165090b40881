package loopir

import "maps"

// kept is a variable in the place of an element of an array.
type kept struct {
	// from is what elements have in front of the code; nil for a thread or lane that adds up, which
	// begins with nothing.
	from func(touched) uint64
	// element is the one in whose place the variable is, once an instance has told which.
	element touched
	known   bool
	value   uint64
}

func (k *kept) read(t touched) uint64 {
	k.load(t)
	return k.value
}

func (k *kept) write(t touched, value uint64) {
	k.load(t)
	k.value = value
}

// load gives the variable the value of its element, which is the first one that an instance asks
// for.
func (k *kept) load(t touched) {
	if k.known {
		return
	}
	if k.element, k.known = t, true; k.from != nil {
		k.value = k.from(t)
	}
}

// keep runs code with variables in the place of elements. Whoever reads these by other names
// meanwhile has the values of before.
func (m *Machine) keep(s *Keep) {
	if s.Runs != nil && m.value(s.Runs) == 0 {
		return
	}
	before, outer := m.memory, m.kept
	from := func(t touched) uint64 { return m.loadFrom(before, t) }
	m.memory, m.kept = newMemory(before), maps.Clone(outer)
	var own []*kept
	for _, k := range s.Kept {
		own = append(own, &kept{from: from})
		m.kept[k.Array] = own[len(own)-1]
	}
	m.run(s.Body)
	m.memory.settle()
	m.memory, m.kept = before, outer
	for _, k := range own {
		if k.known {
			m.store(k.element, k.value)
		}
	}
}
