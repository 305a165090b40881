package loopir

import "errors"

// rankSum gives elements nothing that is added to on all ranks but rank 0, or puts what ranks have
// together. An operator is addition here, as in all code that the machine runs.
func (m *Machine) rankSum(s *RankSum) {
	if m.rank == nil {
		m.err = errors.New("a sum over ranks is on no rank")
		return
	}
	for k, name := range s.Times {
		defer m.set(name, m.value(s.At[k]))()
	}
	elements := m.visited(s.Loops)
	if !s.Behind {
		for _, t := range elements {
			if m.rank.number > 0 {
				m.memory.write(t, 0)
			}
		}
		return
	}
	m.note(Note{Kind: "sum", Of: s.Array.Name})
	own, mail := make([]uint64, len(elements)), m.rank.mail
	for k, t := range elements {
		own[k] = m.memory.read(t)
	}
	for other := range m.rank.ranks {
		if key := sumOf(s, m.rank.number, other); other != m.rank.number {
			mail.under[key] = append(mail.under[key], own)
			mail.moved++
		}
	}
	for other := range m.rank.ranks {
		if other != m.rank.number {
			m.add(sumOf(s, other, m.rank.number), elements)
		}
	}
}

// sumOf are the letters with which a rank tells another one what it has added up.
func sumOf(s *RankSum, from, to int64) letters { return letters{-1 - s.Number, from, to} }

// add waits for what another rank has added up, and adds it to elements.
func (m *Machine) add(key letters, elements []touched) {
	values := m.letter(key, len(elements))
	for k := range values {
		m.memory.write(elements[k], m.memory.read(elements[k])+values[k])
	}
}
