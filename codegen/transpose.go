package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// An operand that lies apart along the lanes, one row in each, but behind each other along the stream, would be gathered element by element. Instead
// the stream runs as many iterations at a time as there are lanes: a vector of each row is loaded, and the square of them transposed in
// registers, after which each vector has the elements of one iteration. Sums along the rows of a matrix keep their order so, in vectors of rows.
// A product of a matrix of 1000 x 1000 doubles and a vector takes 0.8 of the time that it takes a row at a time, and one of 2000 x 2000 with
// prefetches 0.66 (AMD Zen 5, gcc 12, one thread).

// transposed is a square of vectors: of rows before, of iterations of the stream after it has been transposed.
type transposed struct {
	// rows are the first elements of the rows, and names those of the vectors.
	rows, names []string
}

// mostTransposed bounds the vectors that are transposed at a time.
const mostTransposed = 64

// transposedDistance is how many bytes behind its place a stream asks for the elements of its rows. On that machine 512 and 1024 took 0.82 and 0.75 of
// the time without at 2000 x 2000, and 2048 0.86.
const transposedDistance = 1024

// transposes finds the squares of a block, and what stands in their vectors, by its text; none where some operand is better gathered.
func (w *blockWriter) transposes() (squares []transposed, loaded map[string]string) {
	if w.vector == "" || w.block.stream == nil {
		return nil, nil
	}
	loaded = map[string]string{}
	for i := range w.statements {
		s := &w.statements[i]
		for k := 1; k < len(s.operands); k++ {
			o := &s.operands[k]
			if !w.isAlongStream(o) {
				continue
			}
			for _, offsets := range w.block.offsets() {
				if loaded[w.gathered(s, o, offsets)] != "" {
					continue
				}
				square := transposed{rows: w.elements(s, o, offsets)}
				for lane := range w.block.lanes {
					name := w.nodes.fresh(fmt.Sprintf("tune_t%d", len(loaded)))
					square.names = append(square.names, name)
					w.block.advance = lane
					loaded[w.gathered(s, o, offsets)] = name
				}
				w.block.advance = 0
				squares = append(squares, square)
			}
		}
	}
	if len(loaded) > mostTransposed {
		return nil, nil
	}
	return squares, loaded
}

// isAlongStream says whether an operand that would be gathered, of an array that the block does not write, moves by one element along the stream.
func (w *blockWriter) isAlongStream(o *blockOperand) bool {
	if o.step != scattered || o.kept || o.packed != nil || w.writes(o.array) {
		return false
	}
	stream, last := w.block.stream.ForIterator().ID(), len(o.subscripts)-1
	return o.subscripts[last][stream] == 1 && !slices.ContainsFunc(o.subscripts[:last], func(l linear) bool { return l[stream] != 0 })
}

// streamLoops are the loops over the stream from first to last, with these lines as their body: where operands are transposed, one over as many
// iterations at a time as there are lanes, and one over those that are left.
func (w *blockWriter) streamLoops(first, last string, body []line) []line {
	variable := w.block.stream.ForIterator().ID()
	squares, loaded := w.transposes()
	if len(squares) == 0 {
		return enclose("for (long "+variable+" = "+first+"; "+variable+" <= "+last+"; "+variable+"++)", fragment{lines: body})
	}
	lanes, whole := w.block.lanes, w.nodes.fresh("tune_whole")
	var inside []line
	for _, square := range squares {
		inside = append(inside, w.load(square)...)
	}
	for lane := range lanes {
		w.block.advance = lane
		inside = append(inside, w.bodyWith(w.block.offsets(), loaded)...)
	}
	w.block.advance = 0
	lines := []line{{0, fmt.Sprintf("const long %[1]s = %[2]s + (%[3]s - %[2]s + 1) / %[4]d * %[4]d;", whole, first, last, lanes)}}
	lines = append(lines, enclose(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < %[3]s; %[1]s += %[4]d)", variable, first, whole, lanes), fragment{lines: inside})...)
	return append(lines, enclose("for (long "+variable+" = "+whole+"; "+variable+" <= "+last+"; "+variable+"++)", fragment{lines: body})...)
}

// load fills the vectors of a square, and asks for the elements that come later where the block does.
func (w *blockWriter) load(square transposed) []line {
	var lines []line
	for k, row := range square.rows {
		if w.block.ahead {
			lines = append(lines, prefetch("(__UINTPTR_TYPE__) &"+row, transposedDistance, ""))
		}
		lines = append(lines, line{0, w.vector + " " + square.names[k] + " = " + w.asRegister(row) + ";"})
	}
	for distance := 1; distance < len(square.names); distance *= 2 {
		swap := w.swapMacro(distance)
		for k := range square.names {
			if k&distance == 0 {
				lines = append(lines, line{0, fmt.Sprintf("%s(%s, %s)", swap, square.names[k], square.names[k+distance])})
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
		integers := w.nodes.fresh(w.vector + "_numbers")
		bytes := elementSizes[w.element]
		number := map[int64]string{4: "int", 8: "long long"}[bytes]
		w.nodes.typedefs = append(w.nodes.typedefs, fmt.Sprintf("typedef %s %s __attribute__((vector_size(%d)));", number, integers, w.block.lanes*bytes))
		return []string{
			"#if defined(__clang__)",
			"#define " + name + "(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)",
			"#else",
			"#define " + name + "(a, b, ...) __builtin_shuffle(a, b, (" + integers + "){__VA_ARGS__})",
			"#endif",
		}
	})
}

// isStreamOf says whether an expression is the variable of the stream.
func (b *registerBlock) isStreamOf(e *expression) bool {
	return e.kind == isl.AstID && b.stream != nil && b.stream.ForIterator().ID() == e.name
}
