package transform

import (
	"fmt"
	"polytune/transform/facts"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/mark"
)

// kernelShape is a kernel of free loops before it is known which elements are in which memory.
type kernelShape struct {
	// from and to are the places in the recipe of the commands that make it.
	from, to int
	// name is that of the node, depth the number of loops around.
	name  string
	depth int
	// statements are those inside, host the rows of loops around, and rows the loops: first the
	// shared ones, then those that each thread runs by itself.
	statements []int
	host, rows []map[int]schedule.Row
	// parts are what runs one after the other inside of the shared loops, each with the loops that
	// threads run by themselves; none where all have the same.
	parts []*devicePlan
	// tiles are the lengths of the shared loops' tiles, threads the numbers of threads along them.
	tiles, threads []int64
	unroll         bool
	copies         []memoryCopy
}

// memoryCopy are references to an array of which a kernel has elements in another memory, "" for
// all, in each iteration of a loop. use is how often a thread has them there instead of in memory
// of the device's.
type memoryCopy struct {
	array, references, at string
	memory                mark.Memory
	isWritten             bool
	use                   int64
}

// shape notes a kernel that may have elements in other memories. Its loops begin at a place in the
// recipe, begins, and what maps them to blocks and threads at another, from.
func (m *deviceMapper) shape(n *devicePlan, begins, from int, tiles, threads []int64) {
	k := m.shapeOf(n, tiles, threads)
	if k == nil || !k.isWorthIt() {
		return
	}
	if k.from, k.to = from, len(m.recipe); k.parts != nil {
		k.from = begins
	}
	m.kernels = append(m.kernels, k)
}

// shapeOf is a kernel of one band of loops that can change places, or of shared loops alone, or with
// parts inside that have such bands, with its copies; nil for others.
func (m *deviceMapper) shapeOf(n *devicePlan, tiles, threads []int64) *kernelShape {
	k := &kernelShape{name: n.name, depth: n.depth, statements: n.statements, host: n.host, rows: slices.Clone(n.bands[0].rows), tiles: tiles, threads: threads, unroll: m.device.Unroll}
	switch {
	case len(n.bands) != 1 || !n.bands[0].permutable:
		return nil
	case slices.ContainsFunc(n.parts, func(part *devicePlan) bool { return len(part.bands)+len(part.parts) > 0 }):
		if !k.inParts(n.parts) {
			return nil
		}
	}
	k.copies = m.copiesOf(k)
	return k
}

// isWorthIt says whether a kernel has copies for whose sake its loops are to be others.
func (k *kernelShape) isWorthIt() bool {
	return slices.ContainsFunc(k.copies, func(c memoryCopy) bool { return c.memory == mark.Shared || c.isWritten })
}

// loop is the name of a loop of a node in the kernel, by its depth from 0.
func (k *kernelShape) loop(node string, depth int) string {
	return fmt.Sprintf("%s.%d", node, k.depth+depth+1)
}

// tileLoops are the names of the first so many loops over tiles of a node, from a depth on.
func (k *kernelShape) tileLoops(node string, from, count int) (names []string) {
	for d := range count {
		names = append(names, k.loop(node, from+d)+"t")
	}
	return names
}

// commands make the kernel: its sequential loops run over tiles, too, and inside of a tile they run
// around the points of a thread, which keeps what it has of an operand for all of them.
func (k *kernelShape) commands() (commands []schedule.Command) {
	if k.parts != nil {
		return append(k.partedCommands(), k.copyCommands()...)
	}
	count := len(k.tiles)
	var loops []string
	sizes := slices.Clone(k.tiles)
	for d := range k.rows {
		if loops = append(loops, k.loop(k.name, d)); d >= count {
			sizes = append(sizes, facts.SequentialTile)
		}
	}
	commands = append(commands, command.Tile{Loops: loops, Sizes: sizes}, command.Block{Loops: k.tileLoops(k.name, 0, count)})
	if len(loops) > count {
		for _, loop := range loops[:count] {
			commands = append(commands, command.Sink{Loop: loop})
		}
	}
	commands = append(commands, command.Thread{Loops: loops[:count], Sizes: k.threads})
	commands = append(commands, k.copyCommands()...)
	return append(commands, k.unrolled(loops)...)
}

// unrolled are commands for loops of which threads have several iterations, where they are to be
// unrolled.
func (k *kernelShape) unrolled(loops []string) (commands []schedule.Command) {
	for d := range k.tiles {
		if k.unroll && k.tiles[d] > k.threads[d] {
			commands = append(commands, command.Unroll{Loop: loops[d]})
		}
	}
	return commands
}

// blockLoop is the name of the innermost loop whose iterations are blocks.
func (k *kernelShape) blockLoop() string { return k.loop(k.name, len(k.tiles)-1) + "t" }

// copyCommands are the copies, and the barriers of the loops in each of whose iterations another
// box is loaded: a block loads one of its own once.
func (k *kernelShape) copyCommands() (commands []schedule.Command) {
	var waits []string
	for _, c := range k.copies {
		commands = append(commands, command.Copy{Array: c.array, References: c.references, Loop: c.at, Memory: string(c.memory)})
		if c.memory == mark.Shared && c.at != k.blockLoop() && !slices.Contains(waits, c.at) {
			waits = append(waits, c.at)
		}
	}
	for _, loop := range waits {
		commands = append(commands, command.Barrier{Of: loop})
	}
	return commands
}

// copiesOf are the groups of references of which a kernel is to have elements in other memories,
// the most useful ones first: in private memory what one thread alone uses again and again, in
// shared memory what threads use together, or what the threads of a warp do not use side by side.
func (m *deviceMapper) copiesOf(k *kernelShape) (copies []memoryCopy) {
	for i := range m.graph.Model.Program.Arrays {
		array := &m.graph.Model.Program.Arrays[i]
		if len(array.Extents) == 0 || array.Linear {
			continue
		}
		groups := m.groupsOf(k, array.Name)
		for _, group := range groups {
			if c, is := m.copyOf(k, group); is && c.at != "" {
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

// copyOf is in which memory a kernel is to have the elements of a group; is says whether it is to
// be in another than where they are.
func (m *deviceMapper) copyOf(k *kernelShape, group referenceGroup) (c memoryCopy, is bool) {
	c = memoryCopy{array: group[0].Array, memory: mark.Own, isWritten: group.isWritten(), use: 1}
	isOwn, runsOver := true, false
	for _, r := range group {
		if r.subscripts == nil || r.May || scop.Chooses(m.graph.Model.Statements[r.statement].Statement.Value) {
			return c, false
		}
		runsOver = runsOver || m.runsOver(k, r.statement, r.subscripts)
		use, own := m.useOf(k, r.statement, r.subscripts)
		c.use, isOwn = max(c.use, use), isOwn && own
	}
	if c.at = k.blockLoop(); !isOwn {
		c.memory, c.at = mark.Shared, k.sequentialLoop(group)
	}
	return c, runsOver && c.use > 1 && (isOwn && k.isAlongOnce(group) || !isOwn && !c.isWritten)
}

// isAlongOnce says whether all references of a group have the same loops of a kernel along each
// subscript: a thread's elements by A[i][j] and by A[j][i] have no box.
func (k *kernelShape) isAlongOnce(group referenceGroup) bool {
	first := k.along(group[0])
	return !slices.ContainsFunc(group[1:], func(r kernelReference) bool { return !slices.Equal(k.along(r), first) })
}

// along are the loops of the kernel, by their places, that are a reference's subscripts; -1 for one
// that is no loop's.
func (k *kernelShape) along(r kernelReference) (loops []int) {
	for _, subscript := range r.subscripts {
		at, isOne := onlyIterator(subscript)
		loops = append(loops, slices.IndexFunc(k.rows, func(rows map[int]schedule.Row) bool {
			iterator, isLoop := onlyIterator(rows[r.statement])
			return isOne && isLoop && iterator == at
		}))
	}
	return loops
}

// sequentialLoop is the innermost loop over tiles of those that threads run by themselves in which
// all of a group's references are, or that of blocks where threads run none; "" for none.
func (k *kernelShape) sequentialLoop(group referenceGroup) string {
	if k.parts == nil {
		return k.loop(k.name, len(k.rows)-1) + "t"
	}
	for _, part := range k.parts {
		isAll := !slices.ContainsFunc(group, func(r kernelReference) bool { return !slices.Contains(part.statements, r.statement) })
		if isAll && len(part.bands) > 0 {
			return k.loop(part.name, len(k.tiles)+len(part.bands[0].rows)-1) + "t"
		}
	}
	return ""
}

// useOf is how many threads use an element with some subscripts of a statement, or how many parts
// of memory a warp uses where it does not use one; 1 for none of that. If one thread alone uses it
// (own), it is how often it does in a tile.
func (m *deviceMapper) useOf(k *kernelShape, statement int, subscripts []schedule.Row) (use int64, own bool) {
	use, own = 1, true
	count := len(k.tiles)
	for d, rows := range k.rows {
		iterator, isOne := onlyIterator(rows[statement])
		if !isOne || m.hasOneValue(k, statement, iterator) {
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
	if !own {
		return use, false
	}
	if slices.ContainsFunc(k.rows[count:], func(rows map[int]schedule.Row) bool { return !rows[statement].IsConstant() }) {
		return facts.SequentialTile, true
	}
	return 1, true
}

// runsOnce says whether an iterator of a statement has one value, that of the last iteration as a
// rule.
func (m *deviceMapper) runsOnce(statement, iterator int) bool {
	s := &m.graph.Model.Statements[statement]
	values := s.Domain.ProjectOut(isl.DimSet, iterator+1, s.Depth()-iterator-1).ProjectOut(isl.DimSet, 0, iterator)
	equalities, _, err := values.SimpleHull().Constraints()
	quantified := 1 + len(m.graph.Model.Program.Parameters)
	return err == nil && slices.ContainsFunc(equalities, func(row []int64) bool {
		return row[0] != 0 && !slices.ContainsFunc(row[quantified:len(row)-1], func(factor int64) bool { return factor != 0 })
	})
}

// hasOneValue says whether an iterator of a statement has one value in each run of a kernel.
func (m *deviceMapper) hasOneValue(k *kernelShape, statement, iterator int) bool {
	depth := m.graph.Model.Statements[statement].Depth()
	var around [][]int64
	for _, rows := range k.host {
		around = append(around, rows[statement].Iterators)
	}
	own := make([]int64, depth)
	own[iterator] = 1
	return scop.Rank(append(slices.Clip(around), own), depth) == scop.Rank(around, depth) || m.runsOnce(statement, iterator)
}

// runsOver says whether some loop of a kernel runs over elements with some subscripts of a
// statement.
func (m *deviceMapper) runsOver(k *kernelShape, statement int, subscripts []schedule.Row) bool {
	return slices.ContainsFunc(k.rows, func(rows map[int]schedule.Row) bool {
		iterator, isOne := onlyIterator(rows[statement])
		return isOne && !m.hasOneValue(k, statement, iterator) && slices.ContainsFunc(subscripts, func(r schedule.Row) bool { return r.Iterators[iterator] != 0 })
	})
}
