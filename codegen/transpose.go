package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/schedule"
)

// An operand that lies apart along the lanes, one row in each, but behind each other along the stream, would be gathered element by element. Instead
// the stream runs as many iterations at a time as there are lanes, a window: a vector of each row is loaded, and the square of them transposed in
// registers, after which each vector has the elements of one iteration. Sums along the rows of a matrix keep their order so, in vectors of rows, and
// results that lie in rows, as those of recurrences along them, are transposed back and stored in vectors of rows.
// A product of a matrix of 1000 x 1000 doubles and a vector takes 0.8 of the time that it takes a row at a time, and one of 2000 x 2000 with
// prefetches 0.66 (AMD Zen 5, gcc 12, one thread).

// square is one of vectors: of rows in memory, of iterations of the stream after it has been transposed.
type square struct {
	// rows are the elements with which the rows begin in memory.
	rows []string
	// names are those of the vectors, in the order of memory.
	names []string
	// loads and stores say whether the rows are loaded before the window, and stored behind it.
	loads, stores bool
	// backwards says that the stream runs from the end of the rows.
	backwards bool
	// carried are the vectors of the last iterations of the window before, the last one first, and gathered what they are for the first window.
	carried, gathered []string
}

// transposedBytes is how many bytes a stream asks for ahead of their places, in all of its rows. They come into the second cache: there is room for more there
// than in the first one, into which the processor itself brings what it sees coming. With 16 rows on an AMD Zen 4, two threads, 16384 took 0.82 to 0.93 of the time
// of 8192 that come into the first cache behind the third cache (sums of rows of 4000 to 8192 elements, atax, bicg, mvt, gesummv and trisolv), and 0.95 to 1.02
// within it; 24576 is the same as 16384.
const transposedBytes = 16384

// transposedDistance is how many bytes behind its place a stream asks for the elements of each of its rows, in whole lines of 64 bytes.
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

// findSquares finds the squares of a block, and says whether there are as many as vectors can be had for; where results do not lie in rows there may be none.
func (w *blockWriter) findSquares() bool {
	if w.vector == "" || w.block.stream == nil {
		return true
	}
	w.inSquares = map[string]string{}
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
	q.rows = w.elements(s, o, offsets)
	for b.advance = range lanes {
		w.inSquares[w.elementKey(o, offsets)] = q.at(b.advance)
	}
	for back := int64(1); q.stores && back <= w.reach(o); back++ {
		name := w.nodes.fresh(fmt.Sprintf("tune_c%d", w.carries()+len(q.carried)))
		b.advance = -back
		w.inSquares[w.elementKey(o, offsets)] = name
		q.carried, q.gathered = append(q.carried, name), append(q.gathered, w.gathered(s, o, offsets))
	}
	w.squares = append(w.squares, q)
}

// carries is the number of vectors that all squares carry.
func (w *blockWriter) carries() int {
	count := 0
	for _, q := range w.squares {
		count += len(q.carried)
	}
	return count
}

// isInRows says whether an operand that lies apart along the lanes moves by one element along the stream, forwards or backwards.
func (w *blockWriter) isInRows(o *blockOperand) bool {
	return o.step == scattered && !o.kept && o.packed == nil && w.alongStream(o) != 0
}

// alongStream is 1 for an operand that moves by one element along the stream, -1 for one that does so backwards, and 0 for others.
func (w *blockWriter) alongStream(o *blockOperand) int64 {
	stream, last := w.block.stream.ForIterator().ID(), len(o.subscripts)-1
	step := o.subscripts[last][stream]
	if step != 1 && step != -1 || slices.ContainsFunc(o.subscripts[:last], func(l linear) bool { return l[stream] != 0 }) {
		return 0
	}
	return step
}

// areResultsInRows says whether vectors of rows can have the results of a statement whose target lies apart along the lanes: everything in the block that is
// of the array is an element of the row, of this iteration of the stream, of one of the last ones or of one that is to come, and every result one of this. In a
// window those to come have their old values, behind it the memory does. No two instances of the block have the same row.
func (w *blockWriter) areResultsInRows(target *blockOperand) bool {
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

// hasRowsApart says whether the subscripts in front of the last one tell all instances of a block apart, each of its loops in one of
// these by itself: rows of one array that overlap, as those of steps in time that follow each other along a line, pass on elements within a window.
func (w *blockWriter) hasRowsApart(target *blockOperand) bool {
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

// behind is by how many iterations of the stream an operand is behind a target in the same row; ok is false where it is in another one.
func (w *blockWriter) behind(o, target *blockOperand) (iterations int64, ok bool) {
	last := len(target.subscripts) - 1
	if len(o.subscripts) != len(target.subscripts) || !slices.EqualFunc(o.subscripts[:last], target.subscripts[:last], maps.Equal) {
		return 0, false
	}
	distance := target.subscripts[last].plus(o.subscripts[last], -1)
	return distance[""] * w.alongStream(target), distance.isConstant()
}

// reach is by how many iterations an operand of a target's array is behind it at most.
func (w *blockWriter) reach(target *blockOperand) int64 {
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
func (w *blockWriter) needsOld(target *blockOperand) bool {
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
func (w *blockWriter) elementKey(o *blockOperand, offsets []int64) string {
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
func (w *blockWriter) inWindows(first, whole string) []line {
	variable, lanes := w.block.stream.ForIterator().ID(), w.block.lanes
	var before, inside []line
	for _, q := range w.squares {
		for k, name := range q.carried {
			before = append(before, line{0, w.vector + " " + name + ";"})
			before = append(before, line{0, fmt.Sprintf("{ const long %s = %s; %s = %s; }", variable, first, name, q.gathered[k])})
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
	loop := enclose(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < %[3]s; %[1]s += %[4]d)", variable, first, whole, lanes), chunk{lines: inside})
	if len(before) == 0 {
		return loop
	}
	return enclose("if ("+first+" < "+whole+")", chunk{lines: append(before, loop...)})
}

// bodyOfWindow are the statements of one iteration, with what they declare for themselves.
func (w *blockWriter) bodyOfWindow() []line {
	lines := w.body()
	if slices.ContainsFunc(lines, func(l line) bool { return strings.HasPrefix(l.code, "const ") }) {
		return braces(lines)
	}
	return lines
}

// wholeWindows declares where the last whole window ends.
func (w *blockWriter) wholeWindows(first, last string) (name string, declaration line) {
	name = w.nodes.fresh("tune_whole")
	return name, line{0, fmt.Sprintf("const long %[1]s = %[2]s + (%[3]s - %[2]s + 1) / %[4]d * %[4]d;", name, first, last, w.block.lanes)}
}

// load fills the vectors of a square, and asks for the elements that come later where the block does.
func (w *blockWriter) load(q *square) []line {
	if !q.loads {
		return []line{{0, w.vector + " " + strings.Join(q.names, ", ") + ";"}}
	}
	var lines []line
	for k, row := range q.rows {
		if w.block.ahead && !q.backwards {
			lines = append(lines, prefetch("(__UINTPTR_TYPE__) &"+row, w.transposedDistance(), intoSecondCache))
		}
		lines = append(lines, line{0, w.vector + " " + q.names[k] + " = " + w.asRegister(row) + ";"})
	}
	return append(lines, w.transpose(q)...)
}

// store writes the results of a window, and keeps those that the next one reads.
func (w *blockWriter) store(q *square) []line {
	if !q.stores {
		return nil
	}
	var lines []line
	for back, name := range slices.Backward(q.carried) {
		lines = append(lines, line{0, name + " = " + q.at(w.block.lanes-1-int64(back)) + ";"})
	}
	lines = append(lines, w.transpose(q)...)
	for k, row := range q.rows {
		lines = append(lines, line{0, w.asRegister(row) + " = " + q.names[k] + ";"})
	}
	return lines
}

// transpose swaps the elements on either side of a square's diagonal.
func (w *blockWriter) transpose(q *square) []line {
	var lines []line
	for distance := 1; distance < len(q.names); distance *= 2 {
		swap := w.swapMacro(distance)
		for k := range q.names {
			if k&distance == 0 {
				lines = append(lines, line{0, fmt.Sprintf("%s(%s, %s)", swap, q.names[k], q.names[k+distance])})
			}
		}
	}
	return lines
}

// swapMacro is the name of a macro that swaps, between two vectors whose numbers in a square differ by a distance, the elements on the wrong side of its
// diagonal: in the end, for all powers of two, the square is transposed.
func (w *blockWriter) swapMacro(distance int) string {
	lanes := int(w.block.lanes)
	key := fmt.Sprintf("swap %s %d", w.vector, distance)
	return w.nodes.define(key, fmt.Sprintf("tune_swap%d_%s", distance, strings.TrimPrefix(w.vector, "tune_")), func(name string) []string {
		var low, high []string
		for lane := range lanes {
			if lane&distance == 0 {
				low, high = append(low, fmt.Sprint(lane)), append(high, fmt.Sprint(lane+distance))
			} else {
				low, high = append(low, fmt.Sprint(lanes+lane-distance)), append(high, fmt.Sprint(lanes+lane))
			}
		}
		mix, lowest := w.mixMacro(), w.nodes.fresh("tune_low")
		return []string{fmt.Sprintf("#define %[1]s(a, b) { const %[2]s %[3]s = %[4]s(a, b, %[5]s); b = %[4]s(a, b, %[6]s); a = %[3]s; }",
			name, w.vector, lowest, mix, strings.Join(low, ", "), strings.Join(high, ", "))}
	})
}

// mixMacro is the name of a macro for a vector of elements of two others, by their numbers.
func (w *blockWriter) mixMacro() string {
	return w.nodes.define("mix "+w.vector, "tune_mix_"+strings.TrimPrefix(w.vector, "tune_"), func(name string) []string {
		element := w.statements[0].assignment.Element
		// The type has no name, of which clang would say that nothing uses it.
		numbers := fmt.Sprintf("%s __attribute__((vector_size(%d)))", map[string]string{"float": "int", "double": "long long"}[element], w.block.lanes*elementSizes[element])
		return []string{
			"#if defined(__clang__)",
			"#define " + name + "(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)",
			"#else",
			"#define " + name + "(a, b, ...) __builtin_shuffle(a, b, (" + numbers + "){__VA_ARGS__})",
			"#endif",
		}
	})
}
