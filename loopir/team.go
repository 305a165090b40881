package loopir

import (
	"errors"
	"iter"
	"maps"
	"slices"
)

// Threads and lanes here see what others write only when all have come to the end of a loop or to a
// barrier: they may. Run backwards, they see it at once, and the last one comes first: they may,
// too. What a loop adds up in each of them has for itself, where the loop says so.

// workers is the number of threads, and of groups of lanes.
const workers = 3

// iterations are the values of a loop's variable.
func (m *Machine) iterations(l *For) (values []int64) {
	first := m.value(l.From)
	defer m.set(l.Var, first)()
	for value := first; m.err == nil; value += m.value(l.Step) {
		m.variables[l.Var] = value
		if m.value(l.While) == 0 {
			break
		}
		if values = append(values, value); len(values) > m.Steps {
			m.err = ErrSteps
		}
	}
	if m.follows != nil {
		m.goesOn(len(values))
	}
	return values
}

// loop runs a loop.
func (m *Machine) loop(l *For) {
	if l.From == nil {
		m.goOn(l)
		return
	}
	values := m.iterations(l)
	switch {
	case l.Share != nil:
		m.ofDevice(l, values)
	case l.Threads != nil && l.Threads.InTeam && m.team > 0:
		m.shared(l, values)
	case l.Threads != nil && !m.Alone:
		m.apart(l, values, func(k int) int { return k * workers / len(values) }, l.Threads.Reductions)
		if len(values) > 0 {
			m.note(Note{Kind: "barrier"})
		}
	case l.Lanes != nil:
		m.apart(l, values, func(k int) int { return k % workers }, l.Lanes.Reductions)
	default:
		m.each(l, values)
	}
}

// each runs some iterations.
func (m *Machine) each(l *For, values []int64) {
	for _, value := range values {
		m.with(l.Var, value, l.Body)
	}
}

// apart runs the iterations of a loop in groups that know nothing of each other.
func (m *Machine) apart(l *For, values []int64, groupOf func(k int) int, reductions []Reduction) {
	var groups [workers][]int64
	for k, value := range values {
		groups[groupOf(k)] = append(groups[groupOf(k)], value)
	}
	before := m.memory
	var joins []func()
	for _, group := range m.inOrder(groups[:]) {
		if !m.sees() {
			m.memory = newMemory(before)
		}
		own := m.memory
		join := m.adding(reductions, func() { m.each(l, m.inOrderOf(group)) })
		joins = append(joins, func() {
			if own != before {
				own.settle()
			}
			join()
		})
	}
	m.memory = before
	for _, join := range joins {
		join()
	}
}

// inOrder are groups, and inOrderOf iterations, in the order in which they run.
func (m *Machine) inOrder(groups [][]int64) [][]int64 {
	if m.Backwards {
		slices.Reverse(groups)
	}
	return groups
}

func (m *Machine) inOrderOf(values []int64) []int64 {
	if m.Backwards {
		slices.Reverse(values)
	}
	return values
}

// adding runs code that adds up in accumulators of its own, which join adds to those outside. Other
// variables in the place of elements are its own, too, and one of those that run at the same time
// has the last word.
func (m *Machine) adding(reductions []Reduction, run func()) (join func()) {
	partials, variables, done := m.partials, m.kept, m.done
	m.partials, m.kept, m.done = maps.Clone(partials), maps.Clone(variables), maps.Clone(done)
	for array, k := range m.kept {
		own := *k
		m.kept[array] = &own
	}
	for _, r := range reductions {
		if m.kept[r.Array] != nil {
			m.kept[r.Array] = &kept{}
		} else {
			m.partials[r.Array] = map[string]uint64{}
		}
	}
	run()
	sums, own := m.partials, m.kept
	m.partials, m.kept, m.done = partials, variables, done
	return func() {
		for array, k := range variables {
			isSum := slices.ContainsFunc(reductions, func(r Reduction) bool { return r.Array == array })
			switch mine := own[array]; {
			case isSum && mine.known:
				k.write(mine.element, k.read(mine.element)+mine.value)
			case !isSum:
				*k = *mine
			}
		}
		for _, r := range reductions {
			if variables[r.Array] == nil {
				m.addAll(r.Array, sums[r.Array])
			}
		}
	}
}

// addAll adds sums to the elements of an array.
func (m *Machine) addAll(array string, sums map[string]uint64) {
	for element, sum := range sums {
		t := touched{array: array, element: element}
		m.store(t, m.load(t)+sum)
	}
}

// load is what an element has, and store gives it a value: in the thread's own copy, where that
// adds up in one.
func (m *Machine) load(t touched) uint64 { return m.loadFrom(m.memory, t) }

func (m *Machine) loadFrom(memory *memory, t touched) uint64 {
	if m.device != nil && m.device.privates[t.array] {
		return m.device.own.read(t)
	}
	if sums := m.partials[t.array]; sums != nil && !t.all {
		return sums[t.element]
	}
	return memory.read(t)
}

func (m *Machine) store(t touched, value uint64) {
	if sums := m.partials[t.array]; sums != nil && !t.all {
		sums[t.element] = value
		return
	}
	if m.device != nil && m.device.privates[t.array] {
		m.device.own.write(t, value)
		return
	}
	m.memory.write(t, value)
}

// errStopped ends the code of a thread when another one has failed, errWaits is said where threads
// meet no others at a barrier.
var errStopped, errWaits = errors.New("another thread has failed"), errors.New("threads wait for others that have ended")

// runTeam has several threads run code, each all of it but for loops that they share, until all
// wait or have ended, and so on. Each adds up in its own copies of some arrays.
func (m *Machine) runTeam(body Code, partials []Partial) {
	size := workers
	if m.Alone {
		size = 1
	}
	threads := make([]*Machine, size)
	for k := range threads {
		threads[k] = m.thread(k, size, partials)
	}
	m.inTurns(threads, body)
	if m.err != nil {
		return
	}
	for _, p := range partials {
		for _, t := range threads {
			m.addAll(p.Array, t.partials[p.Array])
		}
	}
}

// inTurns has threads run code, each until it waits or has ended, then all again.
func (m *Machine) inTurns(threads []*Machine, body Code) {
	size := len(threads)
	next := make([]func() (struct{}, bool), size)
	for k, t := range threads {
		var stop func()
		next[k], stop = iter.Pull(t.untilBarriers(body))
		defer stop()
	}
	for waiting := size; waiting > 0; {
		waiting = 0
		for _, k := range m.inOwnOrder(size) {
			if m.resume(threads[k], next[k]) {
				waiting++
			}
		}
		switch {
		case m.err != nil:
		case waiting > 0 && waiting < size:
			m.err = errWaits
		case waiting > 0 && divergent(threads):
			m.err = errDivergent
		}
		if m.err != nil {
			return
		}
		for _, t := range threads {
			if t.memory != m.memory {
				t.memory.settle()
			}
		}
		if of := threads[0].device; waiting > 0 && of != nil && of.waitsAt.Grid {
			of.stays.wait(of.waitsAt)
		}
	}
}

// resume runs a thread until it waits, or has ended.
func (m *Machine) resume(thread *Machine, next func() (struct{}, bool)) (waits bool) {
	if m.err != nil {
		return false
	}
	thread.steps = m.steps
	_, waits = next()
	m.steps, m.err = thread.steps, thread.err
	return waits
}

// thread is a machine for one of a team's threads.
func (m *Machine) thread(number, size int, partials []Partial) *Machine {
	t := *m
	t.team, t.number, t.loops = size, number, 0
	t.variables, t.registers, t.done = maps.Clone(m.variables), maps.Clone(m.registers), maps.Clone(m.done)
	t.partials, t.kept, t.aliases, t.copies = maps.Clone(m.partials), maps.Clone(m.kept), maps.Clone(m.aliases), maps.Clone(m.copies)
	for _, p := range partials {
		t.partials[p.Array] = map[string]uint64{}
	}
	if !m.sees() {
		t.memory = newMemory(m.memory)
	}
	return &t
}

// untilBarriers runs code, and yields where the thread waits for others.
func (m *Machine) untilBarriers(body Code) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		m.wait = func() {
			if m.err == nil && !yield(struct{}{}) {
				m.err = errStopped
			}
		}
		m.run(body)
	}
}

// shared runs the thread's iterations of a loop that a team shares: the same of all loops of the
// same bounds where the schedule says so, and others in each loop elsewhere.
func (m *Machine) shared(l *For, values []int64) {
	var own []int64
	m.loops++
	for k, value := range values {
		owner := k * m.team / len(values)
		if l.Threads.Schedule != Static {
			owner = (owner + m.loops) % m.team
		}
		if owner == m.number {
			own = append(own, value)
		}
	}
	join := m.adding(l.Threads.Reductions, func() { m.each(l, m.inOrderOf(own)) })
	if memory := m.memory; memory.under != nil && !m.sees() {
		m.memory = memory.under
		join()
		m.memory = memory
	} else {
		join()
	}
	if !l.Threads.NoWait {
		m.wait()
	}
}
