package loopir

import (
	"errors"
	"iter"
	"slices"
)

var errBlocks = errors.New("blocks wait for others that have ended, or that wait elsewhere")

// has says whether a value of a loop of blocks is the block's, of a resident kernel.
func (b *inBlock) has(value int64, dimension int) bool {
	count := b.stays.count[dimension]
	return ((value-b.stays.first[dimension])%count+count)%count == b.block[dimension]
}

// runResident runs all blocks of a resident kernel up to a barrier of the grid, or their ends, and
// so on. Where there are two kernels, Alone takes the second one.
func (m *Machine) runResident(k *Kernel) {
	if m.Alone && k.Other != nil {
		k = k.Other
	}
	stays, all := m.spanned(k)
	if all == 0 {
		return
	}
	if all > int64(m.Steps) {
		m.err = ErrSteps
		return
	}
	blocks := make([]*resident, all)
	for number := range all {
		blocks[number] = m.resident(k, placeIn(stays.count, number), stays)
		defer blocks[number].stop()
	}
	for running := true; running && m.err == nil; {
		running = m.oneRound(blocks)
	}
}

// oneRound has all blocks run up to the next barrier of the grid, and says whether they wait there.
func (m *Machine) oneRound(blocks []*resident) bool {
	waiting := 0
	for _, number := range m.inOwnOrder(len(blocks)) {
		b := blocks[number]
		if m.err != nil {
			return false
		}
		b.machine.steps = m.steps
		if _, waits := b.next(); waits {
			waiting++
		}
		m.steps, m.err = b.machine.steps, b.machine.err
	}
	at := blocks[0].at
	isOne := !slices.ContainsFunc(blocks, func(b *resident) bool { return b.at != at })
	if m.err == nil && waiting > 0 && (waiting < len(blocks) || !isOne) {
		m.err = errBlocks
	}
	for _, b := range blocks {
		if b.machine.memory != m.memory {
			b.machine.memory.settle()
		}
	}
	return waiting > 0
}

// resident is a block that stays.
type resident struct {
	machine *Machine
	next    func() (struct{}, bool)
	stop    func()
	// at is the barrier of the grid where it waits.
	at *Barrier
}

// resident is a block of a kernel, which has not begun.
func (m *Machine) resident(k *Kernel, block [3]int64, of stays) *resident {
	b := &resident{machine: m.thread(0, 0, nil)}
	b.next, b.stop = iter.Pull(func(yield func(struct{}) bool) {
		of.wait = func(at *Barrier) {
			b.at = at
			if b.machine.err == nil && !yield(struct{}{}) {
				b.machine.err = errStopped
			}
		}
		b.machine.runBlock(k, block, &of)
		b.at = nil
	})
	return b
}

// mostResident is the number of blocks along a dimension of a kernel whose blocks have several
// values of a loop each.
const mostResident = 2

// spanned are the blocks of a resident kernel, and how many there are.
func (m *Machine) spanned(k *Kernel) (s stays, all int64) {
	all = 1
	for d, span := range k.Spans {
		s.count[d] = 1
		if span != nil {
			s.first[d] = m.value(span.From)
			s.count[d] = max(0, m.value(span.To)-s.first[d]+1)
		}
		if !k.OneEach() {
			s.count[d] = min(s.count[d], mostResident)
		}
		all *= s.count[d]
	}
	return s, all
}
