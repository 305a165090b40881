package loopir

// Note is something that code does beside computing: what Layer IV of Tiramisu's paper has as
// operations, and the instances between them.
type Note struct {
	// Kind is run, barrier, allocate, free, copy, back, send, receive or sum.
	Kind string
	// Of is the statement, the array or the memory.
	Of string
	// At are the iterators of an instance; Element are the subscripts of an element that goes between ranks.
	At      []int64
	Element string
	// Rank is the one that does it, 0 where there are none; With is the other rank of a message.
	Rank, With int64
}

// note tells of something, where somebody listens.
func (m *Machine) note(n Note) {
	if m.Notes != nil {
		if m.rank != nil {
			n.Rank = m.rank.number
		}
		m.Notes(n)
	}
}
