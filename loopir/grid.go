package loopir

import (
	"errors"
	"math/rand/v2"
	"slices"
)

// Blocks of a kernel see nothing of each other's, and threads of a block what others write when all
// have come to a barrier: they may. Backwards, at once or in an order that is drawn, they see it at
// once: they may, too.

// Turns says in which order blocks, and threads between barriers, run that see at once what others
// write: InTurn from the first to the last one, Drawn in one that the machine draws anew at each
// barrier. Apart, nobody sees anything before a barrier.
type Turns int

// The turns.
const (
	Apart Turns = iota
	InTurn
	Drawn
)

// Ways are those to run code that show what is wrong with the order of its threads and blocks.
var Ways = []Machine{{}, {Backwards: true}, {Alone: true}, {Turns: InTurn}, {Turns: Drawn}}

// Like has the machine run code in the way that another one does.
func (m *Machine) Like(way Machine) {
	m.Alone, m.Backwards, m.Turns = way.Alone, way.Backwards, way.Turns
}

var (
	errDivergent = errors.New("threads of a block wait at different barriers")
	errNoKernel  = errors.New("blocks or threads of a device share a loop in no kernel")
)

// inBlock is the thread's block, and its own variables.
type inBlock struct {
	block [3]int64
	// privates are those of the program, of which each thread has its own.
	privates map[string]bool
	own      *memory
	// boxes are the copies that the code at hand uses, the outermost first.
	boxes []*boxHere
	// waitsAt is the barrier where the thread waits.
	waitsAt *Barrier
	// stays has what is known of the blocks of a resident kernel, nil for others.
	stays *stays
}

// stays are the blocks of a resident kernel: how many there are along each dimension, and the value
// that the first one has of loops of blocks. wait has the block wait for others at a barrier of the
// grid.
type stays struct {
	first, count [3]int64
	wait         func(*Barrier)
}

// sees says whether threads see at once what others write.
func (m *Machine) sees() bool { return m.Backwards || m.Turns != Apart }

// inOwnOrder are numbers in the order of the machine's turns.
func (m *Machine) inOwnOrder(count int) []int {
	order := make([]int, count)
	for k := range order {
		order[k] = k
	}
	switch {
	case m.Backwards:
		slices.Reverse(order)
	case m.Turns == Drawn:
		m.random.Shuffle(count, func(a, b int) { order[a], order[b] = order[b], order[a] })
	}
	return order
}

// drawing is what orders are drawn from: the same in each run.
func drawing() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// runKernel runs all blocks of a kernel.
func (m *Machine) runKernel(k *Kernel) {
	if k.Spans != nil {
		m.runResident(k)
		return
	}
	grid := m.gridOf(k.Body)
	count := grid[0] * grid[1] * grid[2]
	if count > int64(m.Steps) {
		m.err = ErrSteps
		return
	}
	outside := m.memory
	var own []*memory
	for _, number := range m.inOwnOrder(int(count)) {
		if !m.sees() {
			m.memory = newMemory(outside)
			own = append(own, m.memory)
		}
		n := int64(number)
		m.runBlock(k, placeIn(grid, n), nil)
		m.memory = outside
	}
	for _, memory := range own {
		memory.settle()
	}
	m.swap(k)
}

// placeIn is the place along each dimension of the one with a number, those along x first.
func placeIn(sizes [3]int64, number int64) [3]int64 {
	return [3]int64{number % sizes[0], number / sizes[0] % sizes[1], number / sizes[0] / sizes[1]}
}

// runBlock runs all threads of a block.
func (m *Machine) runBlock(k *Kernel, block [3]int64, stays *stays) {
	if m.err != nil {
		return
	}
	privates := map[string]bool{}
	for _, private := range m.program.Privates() {
		privates[private.Name] = true
	}
	count := k.Threads[0] * k.Threads[1] * k.Threads[2]
	threads := make([]*Machine, count)
	for n := range count {
		t := m.thread(int(n), int(count), nil)
		t.device = &inBlock{block: block, privates: privates, own: newMemory(nil), stays: stays}
		for dimension, number := range placeIn(k.Threads, n) {
			t.variables[Index(dimension).Name] = number
			t.variables[BlockIndex(dimension).Name] = block[dimension]
		}
		threads[n] = t
	}
	m.inTurns(threads, k.Body)
}

// atBarrier has the thread wait for the others of its team or block.
func (m *Machine) atBarrier(b *Barrier) {
	if m.device != nil {
		m.device.waitsAt = b
	}
	m.wait()
}

// divergent says whether threads of a block wait at different barriers.
func divergent(threads []*Machine) bool {
	return threads[0].device != nil && slices.ContainsFunc(threads, func(t *Machine) bool { return t.device.waitsAt != threads[0].device.waitsAt })
}

// gridOf is the number of blocks along each dimension: that of the iterations of the loop with the
// most of them, and one at least where one has something to do by itself.
func (m *Machine) gridOf(code Code) [3]int64 {
	var grid [3]int64
	m.widen(&grid, code)
	for dimension := range grid {
		switch {
		case !sharesBlocks(code, dimension):
			grid[dimension] = 1
		case asksForBlock(code, dimension):
			grid[dimension] = max(grid[dimension], 1)
		}
	}
	return grid
}

// asksForBlock says whether some code has a condition for one block of those along a dimension.
func asksForBlock(code Code, dimension int) (is bool) {
	number := map[string]bool{BlockIndex(dimension).Name: true}
	Walk(code, func(s Stmt) {
		choice, isChoice := s.(*If)
		is = is || isChoice && Mentions(choice.Cond, number)
	})
	return is
}

// sharesBlocks says whether some code has a loop whose iterations are blocks along a dimension.
func sharesBlocks(code Code, dimension int) (is bool) {
	Walk(code, func(s Stmt) {
		loop, isLoop := s.(*For)
		is = is || isLoop && loop.Share != nil && !loop.Share.Threads && loop.Share.Dimension == dimension
	})
	return is
}

// widen has a grid have a block for each iteration of loops in some code.
func (m *Machine) widen(grid *[3]int64, code Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *For:
			values := m.iterations(s)
			if s.On() == OnBlocks {
				grid[s.Share.Dimension] = max(grid[s.Share.Dimension], int64(len(values)))
			}
			if s.On() != OnBlocks && !hasBlocks(s.Body) {
				continue
			}
			for _, value := range values {
				restore := m.set(s.Var, value)
				m.widen(grid, s.Body)
				restore()
			}
		case *Let:
			restore := m.set(s.Var, m.value(s.Value))
			m.widen(grid, s.Body)
			restore()
		default:
			for _, body := range Bodies(s) {
				m.widen(grid, *body)
			}
		}
	}
}

// hasBlocks says whether iterations of some loop in some code are blocks.
func hasBlocks(code Code) bool {
	return sharesBlocks(code, 0) || sharesBlocks(code, 1) || sharesBlocks(code, 2)
}

// ofDevice runs the iterations of a loop that are the block's, or the thread's.
func (m *Machine) ofDevice(l *For, values []int64) {
	share := l.Share
	switch {
	case m.device == nil:
		m.err = errNoKernel
	case share.Threads:
		number := m.variables[Index(share.Dimension).Name]
		m.each(l, slices.DeleteFunc(values, func(v int64) bool { return (v%share.Count+share.Count)%share.Count != number }))
	case m.device.stays != nil:
		m.each(l, slices.DeleteFunc(values, func(v int64) bool { return !m.device.has(v, share.Dimension) }))
	case m.device.block[share.Dimension] < int64(len(values)):
		m.each(l, values[m.device.block[share.Dimension]:][:1])
	}
}
