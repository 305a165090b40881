package codegen

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
)

// An operand that lies apart along the lanes, one row in each, but behind each other along the
// stream, would be gathered element by element. Instead the stream runs as many iterations at a
// time as there are lanes, a window: a vector of each row is loaded, and the square of them
// transposed in registers, after which each vector has the elements of one iteration. Sums along
// the rows of a matrix keep their order so, in vectors of rows, and results that lie in rows, as
// those of recurrences along them, are transposed back and stored in vectors of rows. A product of
// a matrix of 1000 x 1000 doubles and a vector takes 0.8 of the time that it takes a row at a time,
// and one of 2000 x 2000 with prefetches 0.66 (AMD Zen 5, gcc 12, one thread).

// square is one of vectors: of rows in memory, of iterations of the stream after it has been
// transposed.
type square struct {
	// rows are the elements with which the rows begin in memory, along the stream in each lane.
	rows []*loopir.Element
	// names are those of the vectors, in the order of memory.
	names []string
	// loads and stores say whether the rows are loaded before the window, and stored behind it.
	loads, stores bool
	// backwards says that the stream runs from the end of the rows.
	backwards bool
	// carried are the vectors of the last iterations of the window before, the last one first, and
	// gathered what they are for the first window.
	carried  []string
	gathered []*loopir.Element
}

// transposedBytes is how many bytes a stream asks for ahead of their places, in all of its rows.
// They come into the second cache: there is room for more there than in the first one, into which
// the processor itself brings what it sees coming. With 16 rows on an AMD Zen 4, two threads, 16384
// took 0.82 to 0.93 of the time of 8192 that come into the first cache behind the third cache (sums
// of rows of 4000 to 8192 elements, atax, bicg, mvt, gesummv and trisolv), and 0.95 to 1.02 within
// it; 24576 is the same as 16384.
const transposedBytes = 16384

// transposedDistance is how many bytes behind its place a stream asks for the elements of each of
// its rows, in whole lines of 64 bytes.
func (w *blockWriter) transposedDistance() int64 {
	rows := int64(0)
	for _, q := range w.squares {
		if q.loads {
			rows += int64(len(q.rows))
		}
	}
	return max(64, transposedBytes/rows/64*64)
}

// at is the vector of an iteration of the window.
func (q *square) at(iteration int64) string {
	if q.backwards {
		iteration = int64(len(q.names)) - 1 - iteration
	}
	return q.names[iteration]
}

// findSquares finds the squares of a block, and says whether there are as many as vectors can be
// had for; where results do not lie in rows there may be none.
func (w *blockWriter) findSquares() bool {
	if w.vector.Lanes == 0 || w.block.stream == nil {
		return true
	}
	w.inSquares = map[string]loopir.Register{}
	for i := range w.statements {
		s := &w.statements[i]
		for k := range s.operands {
			o := &s.operands[k]
			if !w.isInRows(o) || k > 0 && w.writes(o.array) {
				continue
			}
			for _, offsets := range w.block.offsets() {
				w.addSquare(s, o, offsets)
			}
		}
	}
	if len(w.squares)*int(w.block.lanes) <= schedule.MostTransposed {
		return true
	}
	hasResults := slices.ContainsFunc(w.squares, func(q *square) bool { return q.stores })
	w.squares, w.inSquares = nil, nil
	return !hasResults
}

// addSquare adds the square of an operand's elements, unless there is one.
func (w *blockWriter) addSquare(s *blockStatement, o *blockOperand, offsets []int64) {
	b, lanes := w.block, w.block.lanes
	defer func() { b.advance = 0 }()
	if w.inSquares[w.elementKey(o, offsets)] != "" {
		return
	}
	q := &square{backwards: w.alongStream(o) < 0, stores: w.writes(o.array)}
	q.loads = !q.stores || w.needsOld(o)
	for range lanes {
		q.names = append(q.names, w.nodes.fresh(fmt.Sprintf("tune_t%d", int(lanes)*len(w.squares)+len(q.names))))
	}
	if q.backwards {
		b.advance = lanes - 1
	}
	for lane, text := range w.elements(s, o, offsets) {
		q.rows = append(q.rows, w.alongRow(o, offsets, int64(lane), q.backwards, text))
	}
	for b.advance = range lanes {
		w.inSquares[w.elementKey(o, offsets)] = loopir.Register(q.at(b.advance))
	}
	for back := int64(1); q.stores && back <= w.reach(o); back++ {
		name := w.nodes.fresh(fmt.Sprintf("tune_c%d", w.carries()+len(q.carried)))
		b.advance = -back
		w.inSquares[w.elementKey(o, offsets)] = loopir.Register(name)
		gathered := w.placed(o, offsets, "")
		gathered.Apart = w.elements(s, o, offsets)
		q.carried, q.gathered = append(q.carried, name), append(q.gathered, gathered)
	}
	w.squares = append(w.squares, q)
}

// alongRow are the elements of an operand at a point of the block, so many lanes farther, in the
// iterations of a window: from the last one on where the stream runs backwards along rows.
func (w *blockWriter) alongRow(o *blockOperand, offsets []int64, lane int64, backwards bool, text string) *loopir.Element {
	b := w.block
	b.alongStream, b.lane = true, linear{loopir.Lane: 1}
	if backwards {
		b.lane[loopir.Lane] = -1
	}
	defer func() { b.alongStream, b.lane = false, nil }()
	row := slices.Clone(offsets)
	row[len(row)-1] += lane
	return &loopir.Element{Array: o.array, Subscripts: w.expressionsOf(b.subscriptsAt(o, row)), Text: text}
}

// carries is the number of vectors that all squares carry.
func (w *blockWriter) carries() int {
	count := 0
	for _, q := range w.squares {
		count += len(q.carried)
	}
	return count
}

// isInRows says whether an operand that lies apart along the lanes moves by one element along the
// stream, forwards or backwards.
func (w *blockFacts) isInRows(o *blockOperand) bool {
	return o.step == scattered && !o.kept && o.packed == nil && w.alongStream(o) != 0
}

// alongStream is 1 for an operand that moves by one element along the stream, -1 for one that does
// so backwards, and 0 for others.
func (w *blockFacts) alongStream(o *blockOperand) int64 {
	stream, last := w.block.stream.Var, len(o.subscripts)-1
	step := o.subscripts[last][stream]
	if step != 1 && step != -1 || slices.ContainsFunc(o.subscripts[:last], func(l linear) bool { return l[stream] != 0 }) {
		return 0
	}
	return step
}

// areResultsInRows says whether vectors of rows can have the results of a statement whose target
// lies apart along the lanes: everything in the block that is of the array is an element of the
// row, of this iteration of the stream, of one of the last ones or of one that is to come, and
// every result one of this. In a window those to come have their old values, behind it the memory
// does. No two instances of the block have the same row.
func (w *blockFacts) areResultsInRows(target *blockOperand) bool {
	if w.block.stream == nil || !w.isInRows(target) || !w.hasRowsApart(target) {
		return false
	}
	for i := range w.statements {
		for k := range w.statements[i].operands {
			o := &w.statements[i].operands[k]
			if o.array != target.array {
				continue
			}
			if back, ok := w.behind(o, target); !ok || max(back, -back) > w.block.lanes || k == 0 && back != 0 {
				return false
			}
		}
	}
	return true
}

// hasRowsApart says whether the subscripts in front of the last one tell all instances of a block
// apart, each of its loops in one of these by itself: rows of one array that overlap, as those of
// steps in time that follow each other along a line, pass on elements within a window.
func (w *blockFacts) hasRowsApart(target *blockOperand) bool {
	for _, loop := range w.block.unrolled {
		isAlone := func(subscript linear) bool {
			return !slices.ContainsFunc(w.block.unrolled, func(l unrolledLoop) bool {
				return l.count > 1 && (subscript[l.variable] != 0) != (l.variable == loop.variable)
			})
		}
		if loop.count > 1 && !slices.ContainsFunc(target.subscripts[:len(target.subscripts)-1], isAlone) {
			return false
		}
	}
	return true
}

// behind is by how many iterations of the stream an operand is behind a target in the same row; ok
// is false where it is in another one.
func (w *blockFacts) behind(o, target *blockOperand) (iterations int64, ok bool) {
	last := len(target.subscripts) - 1
	if len(o.subscripts) != len(target.subscripts) || !slices.EqualFunc(o.subscripts[:last], target.subscripts[:last], maps.Equal) {
		return 0, false
	}
	distance := target.subscripts[last].plus(o.subscripts[last], -1)
	return distance[""] * w.alongStream(target), distance.isConstant()
}

// reach is by how many iterations an operand of a target's array is behind it at most.
func (w *blockFacts) reach(target *blockOperand) int64 {
	most := int64(0)
	for o := range w.allOperands() {
		if o.array == target.array {
			back, _ := w.behind(o, target)
			most = max(most, back)
		}
	}
	return most
}

// needsOld says whether a block reads an element of a target before it writes it.
func (w *blockFacts) needsOld(target *blockOperand) bool {
	written := false
	for i := range w.statements {
		s := &w.statements[i]
		isOld := func(o blockOperand) bool {
			back, _ := w.behind(&o, target)
			return o.array == target.array && (back < 0 || back == 0 && !written)
		}
		if slices.ContainsFunc(s.operands[1:], isOld) || isOld(s.operands[0]) && s.assignment.Operator != "=" {
			return true
		}
		written = written || s.operands[0].array == target.array
	}
	return false
}

// elementKey tells the elements of operands apart.
func (w *blockRegisters) elementKey(o *blockOperand, offsets []int64) string {
	key := o.array
	for _, l := range w.block.subscriptsAt(o, offsets) {
		key += " ;"
		for _, name := range slices.Sorted(maps.Keys(l)) {
			key += fmt.Sprintf(" %s:%d", name, l[name])
		}
	}
	return key
}

// inWindows are the loop over windows of the stream from first to the one before whole.
func (w *blockWriter) inWindows(first, whole string) loopir.Code {
	variable, lanes := w.block.stream.Var, w.block.lanes
	var before, inside loopir.Code
	for _, q := range w.squares {
		for k, name := range q.carried {
			gather := &loopir.Move{To: loopir.Register(name), From: q.gathered[k], Vector: w.vector}
			before = append(before, &loopir.Registers{Vector: w.vector, Names: []string{name}},
				&loopir.Let{Var: variable, Value: loopir.Named(first), Body: loopir.Code{gather}, Line: true})
		}
		inside = append(inside, w.load(q)...)
	}
	w.inWindow = true
	for w.block.advance = range lanes {
		inside = append(inside, w.bodyOfWindow()...)
	}
	w.inWindow, w.block.advance = false, 0
	for _, q := range w.squares {
		inside = append(inside, w.store(q)...)
	}
	isBefore := func(name string) *loopir.Expr {
		return loopir.Operation(isl.OpLt, loopir.Named(name), loopir.Named(whole))
	}
	loop := loopir.Code{w.nodes.loopOver(variable, loopir.Named(first), isBefore(variable), loopir.Int(lanes), inside.Several()).As(w.block.stream)}
	if len(before) == 0 {
		return loop
	}
	return loopir.Code{&loopir.If{Cond: isBefore(first), Then: append(before, loop...), Whole: true}}
}

// bodyOfWindow are the statements of one iteration, with what they declare for themselves.
func (w *blockWriter) bodyOfWindow() loopir.Code {
	code := w.body()
	declares := func(s loopir.Stmt) bool { m, is := s.(*loopir.Move); return is && m.Declares }
	if slices.ContainsFunc(code, declares) {
		return loopir.Code{&loopir.Block{Body: code}}
	}
	return code
}

// wholeWindows declares where the last whole window ends.
func (w *blockWriter) wholeWindows(first, last string) (name string, declaration *loopir.Define) {
	name = w.nodes.fresh("tune_whole")
	begin := loopir.Named(first)
	count := loopir.Operation(isl.OpAdd, loopir.Operation(isl.OpSub, loopir.Named(last), begin), loopir.Int(1))
	windows := loopir.Operation(isl.OpMul, loopir.Operation(isl.OpDiv, count, loopir.Int(w.block.lanes)), loopir.Int(w.block.lanes))
	return name, w.nodes.define(name, loopir.Operation(isl.OpAdd, begin, windows))
}

// load fills the vectors of a square, and asks for the elements that come later where the block
// does.
func (w *blockWriter) load(q *square) (code loopir.Code) {
	if !q.loads {
		return loopir.Code{&loopir.Registers{Vector: w.vector, Names: q.names}}
	}
	for k, row := range q.rows {
		if w.block.ahead && !q.backwards {
			code = append(code, &loopir.Prefetch{Element: row.Text, Bytes: w.transposedDistance(), For: loopir.ToReadLater})
		}
		code = append(code, &loopir.Move{To: loopir.Register(q.names[k]), From: row, Vector: w.vector, Declares: true})
	}
	return append(code, w.transpose(q))
}

// store writes the results of a window, and keeps those that the next one reads.
func (w *blockWriter) store(q *square) (code loopir.Code) {
	if !q.stores {
		return nil
	}
	for back, name := range slices.Backward(q.carried) {
		code = append(code, &loopir.Move{To: loopir.Register(name), From: loopir.Register(q.at(w.block.lanes - 1 - int64(back))), Vector: w.vector})
	}
	code = append(code, w.transpose(q))
	for k, row := range q.rows {
		code = append(code, &loopir.Move{To: row, From: loopir.Register(q.names[k]), Vector: w.vector})
	}
	return code
}

// transpose swaps the elements on either side of a square's diagonal.
func (w *blockWriter) transpose(q *square) *loopir.Transpose {
	t := &loopir.Transpose{Vector: w.vector, Registers: q.names}
	w.nodes.transposed(t)
	return t
}
