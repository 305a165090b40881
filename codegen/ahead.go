package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// cacheLine is the number of bytes that a prefetch brings: that of x86 and of most others.
const cacheLine = 64

// ahead asks for the elements that the next block keeps in registers, so that
// they are in the first cache when it begins: the stream of a block is too long for the
// processor to see its end, and each block would wait for its elements. The next
// block is that of the next iteration of the innermost loop that moves the elements.
// Addresses are computed as integers, since behind the last block there need not be
// any elements; nothing is read there.
func (w *blockWriter) ahead() []line {
	loop := w.nextBlock()
	if !w.block.ahead || w.block.stream == nil || loop == "" {
		return nil
	}
	var lines []line
	for _, row := range w.keptRows() {
		first, bytes := row[0], (row[len(row)-1].behind(row[0])+max(w.block.lanes, 1))*w.elementBytes()
		next := "(__UINTPTR_TYPE__) &" + first.text + w.stepAlong(first, loop)
		for place := int64(0); place < bytes; place += cacheLine {
			lines = append(lines, prefetch(next, place, ", 1"))
		}
		// A row that does not begin with a line ends in another one.
		lines = append(lines, prefetch(next, bytes-w.elementBytes(), ", 1"))
	}
	return lines
}

// intoSecondCache is the use of what is read later than the first cache can keep it.
const intoSecondCache = ", 0, 2"

// prefetch asks for what lies so many bytes behind an address; use is ", 1" for what will be written, or intoSecondCache.
func prefetch(address string, bytes int64, use string) line {
	if bytes > 0 {
		address += fmt.Sprintf(" + %d", bytes)
	}
	return line{0, "__builtin_prefetch((const void *) (" + address + ")" + use + ");"}
}

// streamDistance is how many iterations ahead a stream asks for the elements of its buffers. On an Intel Xeon with
// AVX-512 and a first cache of 32 KiB, two threads, 4, 8 and 16 did the same for gemm: 0.93 of the time.
const streamDistance = 8

// streamed is the body of the stream, which asks for the elements that it reads from buffers some iterations later: a column of
// blocks' lanes is longer than the first cache where the stream is as long as is good for everything else, and comes from
// the second one each time. Small blocks have no room for that beside the elements that they load.
func (w *blockWriter) streamed() []line {
	body := w.body()
	if !w.block.ahead || w.block.stream == nil {
		return body
	}
	var lines []line
	for o := range w.allOperands() {
		if o.packed == nil {
			continue
		}
		address := "(__UINTPTR_TYPE__) &" + o.packed.element(w, make([]int64, len(w.block.unrolled)))
		bytes := o.packed.position[w.block.stream.ForIterator().ID()] * elementSizes[o.packed.packing.element]
		for place := int64(0); place < bytes; place += cacheLine {
			if asked := prefetch(address, streamDistance*bytes+place, ""); !slices.Contains(lines, asked) {
				lines = append(lines, asked)
			}
		}
	}
	if len(lines) > w.spareLoads() {
		return body
	}
	return append(lines, body...)
}

// spareLoads is by how many the operations of an iteration of the stream are more than the vectors and elements that they load.
func (w *blockWriter) spareLoads() int {
	points, product := len(w.block.offsets()), 1
	spare := points
	for _, loop := range w.block.unrolled[:len(w.block.unrolled)-1] {
		spare -= int(loop.count)
		product *= int(loop.count)
	}
	return spare - points/product
}

// nextBlock is the variable of the innermost loop around the block that moves an
// element that is kept, "" when none does.
func (w *blockWriter) nextBlock() string {
	for _, open := range slices.Backward(w.nodes.open) {
		if open.variable != "" && slices.ContainsFunc(w.kept, func(k keptElement) bool { return k.movesAlong(open.variable) }) {
			return open.variable
		}
	}
	return ""
}

// movesAlong says whether a loop moves the element.
func (k keptElement) movesAlong(variable string) bool {
	return slices.ContainsFunc(k.subscripts, func(l linear) bool { return l[variable] != 0 })
}

// behind is by how many elements k lies behind another one of its row.
func (k keptElement) behind(first keptElement) int64 {
	last := len(k.subscripts) - 1
	return k.subscripts[last].plus(first.subscripts[last], -1)[""]
}

// keptRows are the elements that the next block has elsewhere, those together that lie in
// one row of their array, in the order in which they lie there.
func (w *blockWriter) keptRows() [][]keptElement {
	var rows [][]keptElement
	for _, k := range w.kept {
		if !k.movesAlong(w.nextBlock()) {
			continue
		}
		place := slices.IndexFunc(rows, func(row []keptElement) bool { return k.isInRowOf(row[0]) })
		if place < 0 {
			rows = append(rows, []keptElement{k})
			continue
		}
		rows[place] = append(rows[place], k)
	}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b keptElement) int { return int(a.behind(b)) })
	}
	return rows
}

// isInRowOf says whether the element is in the row of another one, at a known distance.
func (k keptElement) isInRowOf(other keptElement) bool {
	last := len(k.subscripts) - 1
	return k.array == other.array && k.subscripts[last].plus(other.subscripts[last], -1).isConstant() &&
		slices.EqualFunc(k.subscripts[:last], other.subscripts[:last], func(a, b linear) bool { return len(a.plus(b, -1)) == 0 })
}

// stepAlong is the text of what an iteration of a loop adds to the element's address.
func (w *blockWriter) stepAlong(k keptElement, variable string) string {
	array := w.nodes.model.Program.Array(k.array)
	var step strings.Builder
	for d, l := range k.subscripts {
		if c := l[variable]; c != 0 {
			fmt.Fprintf(&step, " + %d * %s", c, bytesOf(array, d))
		}
	}
	return step.String()
}

// bytesOf is the text of by how many bytes elements of an array are apart whose subscripts differ by one in a dimension. A linear
// array has no rows of which sizeof would know.
func bytesOf(array *scop.Array, dimension int) string {
	zeros := slices.Repeat([]string{"0"}, dimension+1)
	if !array.Linear {
		return "(long) sizeof(" + array.Element(zeros) + ")"
	}
	text := "(long) sizeof(" + array.Element(zeros[:1]) + ")"
	for _, extent := range array.Extents[dimension+1:] {
		text += " * (" + extent + ")"
	}
	return text
}

// elementBytes is the size of the elements that are kept.
func (w *blockWriter) elementBytes() int64 {
	return int64(w.nodes.model.Program.Array(w.kept[0].array).Size)
}

// aheadInRelay asks, in the second leg of a relay, for the elements that the thread's next first leg reads where this one reads some that the first leg has
// read: those of as many iterations later as there are threads. In the meantime the memory would have nothing to do. Behind the end nothing is read there.
func (w *blockWriter) aheadInRelay(s *blockStatement, o *blockOperand, element string) []line {
	r, n := w.nodes.relay, w.nodes
	if r == nil || r.leg != depend.SecondLeg || !r.mark.Ahead || n.tree == nil || o.step != consecutive || o.packed != nil || !r.arrays[o.array] {
		return nil
	}
	iterator, by, ok := n.tree.Advance(r.mark.Loop, s.model.Index)
	subscripts, err := scop.Subscripts(s.model.Accesses[o.access])
	if !ok || err != nil || subscripts == nil {
		return nil
	}
	address, moves := "(__UINTPTR_TYPE__) &"+element, false
	for d, subscript := range subscripts {
		if c := subscript.Iterators[iterator]; c != 0 {
			address += fmt.Sprintf(" + %d * %s * %s", c*by, r.threads, bytesOf(n.model.Program.Array(o.array), d))
			moves = true
		}
	}
	if !moves {
		return nil
	}
	return []line{prefetch(address, 0, intoSecondCache)}
}

// arraysRead are the arrays that some statements read.
func (n *nodes) arraysRead(nodes []*isl.AstNode) map[string]bool {
	arrays := map[string]bool{}
	for _, node := range nodes {
		for name := range statementsBelow(node) {
			for _, access := range n.model.Statement(name).Statement.Accesses {
				arrays[access.Array] = arrays[access.Array] || access.Read
			}
		}
	}
	return arrays
}
