package transform

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// sequentialTile is the length of tiles of the loops that a thread runs by itself: the elements of one tile are in shared memory at a time.
const sequentialTile = 16

// mostRegisters is the number of elements that a thread has of its own.
const mostRegisters = 32

// kernelShape is a kernel of free loops before it is known which elements are in which memory.
type kernelShape struct {
	// from and to are the places in the recipe of the commands that make it.
	from, to int
	// statements are those inside, host the rows of loops around, and rows the loops: first the shared ones, then those that each thread runs by itself.
	statements []int
	host, rows []map[int]schedule.Row
	// loops are the names of all, tiles the lengths of the shared ones' tiles, threads the numbers of threads along them.
	loops          []string
	tiles, threads []int64
	copies         []memoryCopy
}

// memoryCopy are references to an array of which a kernel has elements in another memory; "" for all. use is how often a thread has them there instead of in memory of the device's.
type memoryCopy struct {
	array, references string
	memory            mark.Memory
	use               int64
}

// shape notes a kernel whose commands begin at a place in the recipe, where its loops are one band that can change places.
func (m *deviceMapper) shape(n *devicePlan, from int, tiles, threads []int64) {
	if len(n.bands) != 1 || !n.bands[0].permutable || len(n.bands[0].rows) == len(tiles) || slices.ContainsFunc(n.parts, func(part *devicePlan) bool { return len(part.bands)+len(part.parts) > 0 }) {
		return
	}
	k := &kernelShape{from: from, to: len(m.recipe), statements: n.statements, host: n.host, rows: n.bands[0].rows, tiles: tiles, threads: threads}
	for d := range k.rows {
		k.loops = append(k.loops, fmt.Sprintf("%s.%d", n.name, n.depth+d+1))
	}
	if k.copies = m.copiesOf(k); len(k.copies) > 0 {
		m.shapes = append(m.shapes, k)
	}
}

// mostProofs is the number of recipes that are proven in search of the copies that are legal.
const mostProofs = 10

// withMemory is the recipe with copies in memories of the device in those kernels where they are legal and fit: all, or else those of single kernels, or of these single
// ones, the most useful ones first.
func (m *deviceMapper) withMemory() schedule.Recipe {
	if len(m.shapes) == 0 {
		return m.recipe
	}
	if all := m.assembled(m.shapes); m.fits(all) {
		return all
	}
	var good []*kernelShape
	for _, k := range m.shapes {
		if len(m.shapes) > 1 && m.fits(m.assembled([]*kernelShape{k})) {
			good = append(good, k)
			continue
		}
		chosen := *k
		chosen.copies = nil
		for _, c := range k.copies {
			more := chosen
			more.copies = append(slices.Clip(chosen.copies), c)
			if m.fits(m.assembled([]*kernelShape{&more})) {
				chosen = more
			}
		}
		if len(chosen.copies) > 0 {
			good = append(good, &chosen)
		}
	}
	if some := m.assembled(good); len(good) == 1 || len(good) > 1 && m.fits(some) {
		return some
	}
	return m.recipe
}

// assembled is the recipe with the copies of some kernels.
func (m *deviceMapper) assembled(shapes []*kernelShape) (recipe schedule.Recipe) {
	from := 0
	for _, k := range shapes {
		recipe = append(append(recipe, m.recipe[from:k.from]...), k.commands()...)
		from = k.to
	}
	return append(recipe, m.recipe[from:]...)
}

// fits says whether a recipe is legal and its copies in shared and private memory are small enough, those of each kernel together.
func (m *deviceMapper) fits(recipe schedule.Recipe) bool {
	if m.proofs++; m.proofs > mostProofs {
		return false
	}
	_, proven, err := recipe.Prove(m.graph)
	if err != nil {
		return false
	}
	for _, kernel := range inmemory.Kernels(proven.Tree.Root(), proven.Marks) {
		found, err := inmemory.In(m.graph.Model, proven.Marks, kernel)
		if err != nil {
			return false
		}
		var shared, registers int64
		for _, box := range found {
			if box.Memory == mark.Shared {
				shared += inmemory.Bytes(box.Box, int64(m.graph.Model.Program.Array(box.Array).Size))
			} else {
				registers += inmemory.Bytes(box.Box, 1)
			}
		}
		if shared > inmemory.MostShared || registers > mostRegisters {
			return false
		}
	}
	return true
}

// commands make the kernel: its sequential loops run over tiles, too, and inside of a tile they run around the points of a thread, which keeps what it has of an operand for
// all of them.
func (k *kernelShape) commands() (commands []schedule.Command) {
	count := len(k.tiles)
	sizes, blocks := slices.Clone(k.tiles), make([]string, count)
	for range k.loops[count:] {
		sizes = append(sizes, sequentialTile)
	}
	for d := range blocks {
		blocks[d] = k.loops[d] + "t"
	}
	commands = append(commands, command.Tile{Loops: k.loops, Sizes: sizes}, command.Block{Loops: blocks})
	for _, loop := range k.loops[:count] {
		commands = append(commands, command.Sink{Loop: loop})
	}
	commands = append(commands, command.Thread{Loops: k.loops[:count], Sizes: k.threads})
	last := k.loops[len(k.loops)-1] + "t"
	isShared := false
	for _, c := range k.copies {
		at := last
		if c.memory == mark.Own {
			at = blocks[count-1]
		}
		isShared = isShared || c.memory == mark.Shared
		commands = append(commands, command.Copy{Array: c.array, References: c.references, Loop: at, Memory: string(c.memory)})
	}
	if isShared {
		commands = append(commands, command.Barrier{Of: last})
	}
	return commands
}

// copiesOf are the groups of references of which a kernel is to have elements in other memories, the most useful ones first: in private memory what one thread alone uses again and
// again, in shared memory what threads use together, or what the threads of a warp do not use side by side.
func (m *deviceMapper) copiesOf(k *kernelShape) (copies []memoryCopy) {
	for i := range m.graph.Model.Program.Arrays {
		array := &m.graph.Model.Program.Arrays[i]
		if len(array.Extents) == 0 || array.Linear {
			continue
		}
		groups := m.groupsOf(k, array.Name)
		for _, group := range groups {
			if c, is := k.copyOf(group); is {
				if len(groups) > 1 {
					c.references = group.names()
				}
				copies = append(copies, c)
			}
		}
	}
	slices.SortStableFunc(copies, func(a, b memoryCopy) int { return int(b.use - a.use) })
	return copies
}

// copyOf is in which memory a kernel is to have the elements of a group; is says whether it is to be in another than where they are.
func (k *kernelShape) copyOf(group referenceGroup) (c memoryCopy, is bool) {
	c = memoryCopy{array: group[0].Array, memory: mark.Own, use: 1}
	isOwn, runsOver := true, false
	for _, r := range group {
		if r.subscripts == nil || r.May {
			return c, false
		}
		runsOver = runsOver || k.runsOver(r.statement, r.subscripts)
		use, own := k.useOf(r.statement, r.subscripts)
		c.use, isOwn = max(c.use, use), isOwn && own
	}
	if !isOwn {
		c.memory = mark.Shared
	}
	return c, runsOver && c.use > 1 && (isOwn || !group.isWritten())
}

// useOf is how many threads use an element with some subscripts of a statement, or how often one thread does if it alone does (own), or how many parts of memory
// a warp uses where it does not use one; 1 for none of that.
func (k *kernelShape) useOf(statement int, subscripts []schedule.Row) (use int64, own bool) {
	use, own = 1, true
	count := len(k.tiles)
	for d, rows := range k.rows {
		iterator, isOne := onlyIterator(rows[statement])
		if !isOne {
			continue
		}
		names := slices.ContainsFunc(subscripts, func(r schedule.Row) bool { return r.Iterators[iterator] != 0 })
		switch {
		case d < count && !names:
			use, own = use*k.threads[d], false
		case d >= count && names:
			own = false
		case d == count-1 && slices.ContainsFunc(subscripts[:len(subscripts)-1], func(r schedule.Row) bool { return r.Iterators[iterator] != 0 }):
			use *= k.threads[d]
		}
	}
	if own && slices.ContainsFunc(k.rows[count:], func(rows map[int]schedule.Row) bool { return !rows[statement].IsConstant() }) {
		use *= sequentialTile
	}
	return use, own
}

// runsOver says whether some loop of a kernel runs over elements with some subscripts of a statement.
func (k *kernelShape) runsOver(statement int, subscripts []schedule.Row) bool {
	return slices.ContainsFunc(k.rows, func(rows map[int]schedule.Row) bool {
		iterator, isOne := onlyIterator(rows[statement])
		return isOne && slices.ContainsFunc(subscripts, func(r schedule.Row) bool { return r.Iterators[iterator] != 0 })
	})
}
