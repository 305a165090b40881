package schedule

import "polytune/scop/mark"

// Relay is how threads run through two parts of a loop: each has a share of Handed, a loop of the first part that they hand
// on, and of Shared, one of the last part, of which From iterations are the least for several threads. Ahead asks, while the last
// part runs, for what the first part reads in the thread's next iteration.
type Relay struct {
	Loop, Handed, Shared string
	From                 int64
	Ahead                bool
}

// mark is the mark above the relay's loop, around which are so many others.
func (c Relay) mark(t *Tree, depth int) mark.Relay {
	m := mark.Relay{Loop: c.Loop, From: c.From, Ahead: c.Ahead}
	size := func(name string) (place int, size int64) {
		n, place, err := t.Loop(name)
		if err != nil {
			return 0, 1
		}
		return depth + 1 + place, max(1, n.Loops[place].Terms[0].Size)
	}
	handed, own := size(c.Handed)
	shared, other := size(c.Shared)
	m.Handed, m.Shared, m.Size = handed, shared, other/own
	return m
}

// Advance is the iterator of a statement that a loop's iterations count alone, and by how much it grows from one to the next. ok is false where there is none.
func (t *Tree) Advance(loop string, s int) (iterator int, by int64, ok bool) {
	n, place, err := t.Loop(loop)
	if err != nil || len(n.Loops[place].Terms) != 1 {
		return 0, 0, false
	}
	term := n.Loops[place].Terms[0]
	for k, c := range term.Rows[s].Iterators {
		switch {
		case c == 0:
		case c != 1 || ok:
			return 0, 0, false
		default:
			iterator, ok = k, true
		}
	}
	return iterator, max(1, term.Size), ok
}
