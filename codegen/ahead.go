package codegen

import (
	"fmt"
	"slices"
	"strconv"

	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/depend"
)

// ahead asks for the elements that the next block keeps in registers, so that
// they are in the first cache when it begins: the stream of a block is too long for the
// processor to see its end, and each block would wait for its elements. The next
// block is that of the next iteration of the innermost loop that moves the elements.
// Addresses are computed as integers, since behind the last block there need not be
// any elements; nothing is read there.
func (w *blockRegisters) ahead() (code loopir.Code) {
	loop := w.nextBlock()
	if !w.block.ahead || w.block.stream == nil || loop == "" {
		return nil
	}
	for _, row := range w.keptRows() {
		first, bytes := row[0], (row[len(row)-1].behind(row[0])+max(w.block.lanes, 1))*w.elementBytes()
		ask := func(place int64) {
			code = append(code, &loopir.Prefetch{Element: first.place.Text, Strides: w.stepAlong(first, loop), Bytes: place, For: loopir.ToWrite})
		}
		for place := int64(0); place < bytes; place += cacheLine {
			ask(place)
		}
		// A row that does not begin with a line ends in another one.
		ask(bytes - w.elementBytes())
	}
	return code
}

// streamDistance is how many iterations ahead a stream asks for the elements of its buffers. On an
// Intel Xeon with AVX-512 and a first cache of 32 KiB, two threads, 4, 8 and 16 did the same for
// gemm: 0.93 of the time.
const streamDistance = 8

// streamed is the body of the stream, which asks for the elements that it reads from buffers some
// iterations later: a column of blocks' lanes is longer than the first cache where the stream is as
// long as is good for everything else, and comes from the second one each time. Small blocks have
// no room for that beside the elements that they load.
func (w *blockWriter) streamed() loopir.Code {
	body := w.body()
	if !w.block.ahead || w.block.stream == nil {
		return body
	}
	var asked loopir.Code
	for o := range w.allOperands() {
		if o.packed == nil {
			continue
		}
		element := w.nodes.address(o.packed.element(w, make([]int64, len(w.block.unrolled)), true))
		bytes := o.packed.position[w.block.stream.Var] * elementSizes[o.packed.packing.element]
		for place := int64(0); place < bytes; place += cacheLine {
			ask := &loopir.Prefetch{Element: element, Bytes: streamDistance*bytes + place}
			isSame := func(s loopir.Stmt) bool {
				p := s.(*loopir.Prefetch)
				return p.Element == element && p.Bytes == ask.Bytes
			}
			if !slices.ContainsFunc(asked, isSame) {
				asked = append(asked, ask)
			}
		}
	}
	if len(asked) > w.spareLoads() {
		return body
	}
	return append(asked, body...)
}

// spareLoads is by how many the operations of an iteration of the stream are more than the vectors
// and elements that they load.
func (w *blockFacts) spareLoads() int {
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
func (w *blockRegisters) nextBlock() string {
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
func (w *blockRegisters) keptRows() [][]keptElement {
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

// stepAlong is what an iteration of a loop adds to the element's subscripts.
func (w *blockRegisters) stepAlong(k keptElement, variable string) (strides []loopir.Stride) {
	for d, l := range k.subscripts {
		if c := l[variable]; c != 0 {
			strides = append(strides, loopir.Stride{Array: w.nodes.model.Program.Array(k.array), Dimension: d, Times: strconv.FormatInt(c, 10)})
		}
	}
	return strides
}

// elementBytes is the size of the elements that are kept.
func (w *blockRegisters) elementBytes() int64 {
	return int64(w.nodes.model.Program.Array(w.kept[0].array).Size)
}

// aheadInRelay asks, in the second leg of a relay, for the elements that the thread's next first
// leg reads where this one reads some that the first leg has read: those of as many iterations
// later as there are threads. In the meantime the memory would have nothing to do. Behind the end
// nothing is read there.
func (w *blockWriter) aheadInRelay(s *blockStatement, o *blockOperand, element string) loopir.Code {
	r, n := w.nodes.relay, w.nodes
	if r == nil || r.leg != depend.SecondLeg || !r.mark.Ahead || n.tree == nil || o.step != consecutive || o.packed != nil || !r.arrays[o.array] {
		return nil
	}
	iterator, by, ok := n.tree.Advance(r.mark.Loop, s.model.Index)
	subscripts, err := scop.Subscripts(s.model.Accesses[o.access])
	if !ok || err != nil || subscripts == nil {
		return nil
	}
	ask := &loopir.Prefetch{Element: element, For: loopir.ToReadLater}
	for d, subscript := range subscripts {
		if c := subscript.Iterators[iterator]; c != 0 {
			ask.Strides = append(ask.Strides, loopir.Stride{Array: n.model.Program.Array(o.array), Dimension: d, Times: fmt.Sprintf("%d * %s", c*by, r.threads)})
		}
	}
	if len(ask.Strides) == 0 {
		return nil
	}
	return loopir.Code{ask}
}

// arraysRead are the arrays that some statements read.
func (n *statements) arraysRead(code loopir.Code) map[string]bool {
	arrays := map[string]bool{}
	for _, run := range loopir.Runs(code) {
		for _, access := range run.Statement.Statement.Accesses {
			arrays[access.Array] = arrays[access.Array] || access.Read
		}
	}
	return arrays
}
