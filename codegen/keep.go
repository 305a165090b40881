package codegen

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"polytune/internal/ctext"
)

// keep finds the elements that stay in registers while the block streams: those
// that a statement writes, and that are the same in all iterations of the
// stream. Everything else that the block reads or writes of the array must be
// the same elements, or none of them.
func (w *blockFacts) keep() {
	for _, s := range w.statements {
		if s.assignment == nil {
			return
		}
	}
	for i := range w.statements {
		target := &w.statements[i].operands[0]
		if w.namesStream(target) || !w.canKeep(target) {
			continue
		}
		w.element = w.statements[i].assignment.Element
		for o := range w.allOperands() {
			o.kept = o.kept || o.isSame(target)
		}
	}
}

// keepReads finds, where results are stored while the block streams, the vectors that
// stay the same: compilers load them again behind each store, which might be to their elements. The
// block writes none of them.
func (w *blockFacts) keepReads() {
	if w.vector.Lanes == 0 || w.block.stream == nil || !w.storesInStream() {
		return
	}
	for i := range w.statements {
		s := &w.statements[i]
		for k := 1; k < len(s.operands); k++ {
			o := &s.operands[k]
			if o.step == consecutive && o.packed == nil && !o.kept && !o.movesAlong(w.block.stream.Var) && !w.namesStream(o) && !w.mayChange(o) {
				o.kept, w.element = true, s.assignment.Element
			}
		}
	}
}

// storesInStream says whether the result of some statement does not stay in registers.
func (w *blockFacts) storesInStream() bool {
	return slices.ContainsFunc(w.statements, func(s blockStatement) bool { return !s.operands[0].kept })
}

// mayChange says whether some statement of a full block may write the elements of an operand.
func (w *blockFacts) mayChange(o *blockOperand) bool {
	return slices.ContainsFunc(w.statements, func(s blockStatement) bool {
		return s.operands[0].array == o.array && w.meets(o, &s.operands[0], false)
	})
}

// isWritten says whether elements that are kept are the result of a statement.
func (w *blockFacts) isWritten(k keptElement) bool {
	return slices.ContainsFunc(w.statements, func(s blockStatement) bool {
		target := &s.operands[0]
		return target.array == k.array && slices.EqualFunc(w.block.subscriptsAt(target, k.offsets), k.subscripts, maps.Equal)
	})
}

// allOperands are those of all statements.
func (w *blockFacts) allOperands() iter.Seq[*blockOperand] {
	return func(yield func(*blockOperand) bool) {
		for i := range w.statements {
			for k := range w.statements[i].operands {
				if !yield(&w.statements[i].operands[k]) {
					return
				}
			}
		}
	}
}

// namesStream says whether the text of an operand that is the same element as the
// target mentions the stream's variable, though the element does not depend on it,
// as in x[i + k - k].
func (w *blockFacts) namesStream(target *blockOperand) bool {
	if w.block.stream == nil {
		return false
	}
	for i := range w.statements {
		s := &w.statements[i]
		values := w.block.values(w.nodes, s, make([]int64, len(w.block.unrolled)))
		for _, o := range s.operands {
			text := textBetween(s.model.Statement, values, o.place.Start, o.place.End)
			if o.isSame(target) && slices.Contains(ctext.Words(text), w.block.stream.Var) {
				return true
			}
		}
	}
	return false
}

// isSame says whether two operands are the same element at every point.
func (o *blockOperand) isSame(p *blockOperand) bool {
	return o.array == p.array && slices.EqualFunc(o.subscripts, p.subscripts, func(a, b linear) bool {
		return len(a.plus(b, -1)) == 0
	})
}

// canKeep says whether a target's elements are the same along the stream, each
// that of the points of the block from which it does not move only, and not touched in
// another way.
func (w *blockFacts) canKeep(target *blockOperand) bool {
	if w.block.stream != nil {
		stream := w.block.stream.Var
		if slices.ContainsFunc(target.subscripts, func(l linear) bool { return l[stream] != 0 }) {
			return false
		}
	}
	if w.meets(target, target, true) {
		return false
	}
	for o := range w.allOperands() {
		if o.array == target.array && !o.isSame(target) && w.meets(target, o, false) {
			return false
		}
	}
	return true
}

// meets says whether, in some full block, the first operand at one point and the second one at some
// point, if so said one that differs in a loop along which the first operand moves, are the same
// element; or that nobody knows. Points are those of the unrolled loops and of the stream, outer
// variables and parameters the same for both.
func (w *blockFacts) meets(first, second *blockOperand, different bool) bool {
	q := &meetingQuestion{block: w.block, facts: w.nodes.facts, names: map[string]string{}}
	if len(w.block.tile.opaque) > 0 {
		return true
	}
	var conditions []string
	for _, copy := range []string{"a", "b"} {
		conditions = append(conditions, q.inside(copy)...)
	}
	for k := range first.subscripts {
		conditions = append(conditions, q.text(first.subscripts[k], "a")+" = "+q.text(second.subscripts[k], "b"))
	}
	if different {
		var ways []string
		for _, loop := range w.block.unrolled {
			if !slices.ContainsFunc(first.subscripts, func(l linear) bool { return l[loop.variable] != 0 }) {
				continue
			}
			v := linear{loop.variable: 1}
			ways = append(ways, q.text(v, "a")+" != "+q.text(v, "b"))
		}
		if len(ways) == 0 {
			return false
		}
		conditions = append(conditions, "("+strings.Join(ways, " or ")+")")
	}
	context := w.nodes.model.Context
	set := context.ReadSet("{ [" + strings.Join(q.dimensions, ", ") + "] : " + strings.Join(conditions, " and ") + " }")
	empty, err := set.IsEmpty()
	return err != nil || !empty
}

// meetingQuestion names the variables of a set for isl.
type meetingQuestion struct {
	block *registerBlock
	// facts are those about the variables outside.
	facts      []linear
	names      map[string]string
	dimensions []string
}

// inside are the conditions that a point of the given copy is one of a full block.
func (q *meetingQuestion) inside(copy string) []string {
	var conditions []string
	for _, loop := range q.block.unrolled {
		v, lower := q.text(linear{loop.variable: 1}, copy), q.text(loop.lower, copy)
		conditions = append(conditions, fmt.Sprintf("%s <= %s <= %s + %d", lower, v, lower, loop.count-1))
	}
	facts := slices.Concat(q.block.tile.conditions, q.facts)
	if q.block.stream != nil {
		facts = append(facts, loopFacts(q.block.stream)...)
	}
	for _, c := range facts {
		conditions = append(conditions, q.text(c, copy)+" >= 0")
	}
	return conditions
}

// text is an affine expression with the copy's own variables for those inside the
// block.
func (q *meetingQuestion) text(l linear, copy string) string {
	terms := []string{"0"}
	for name, c := range l {
		if name == "" {
			terms = append(terms, fmt.Sprint(c))
		} else {
			terms = append(terms, fmt.Sprintf("%d*%s", c, q.variable(name, copy)))
		}
	}
	return strings.Join(terms, " + ")
}

// variable is the dimension of a variable.
func (q *meetingQuestion) variable(name, copy string) string {
	isInside := q.block.stream != nil && q.block.stream.Var == name ||
		slices.ContainsFunc(q.block.unrolled, func(loop unrolledLoop) bool { return loop.variable == name })
	key := name
	if isInside {
		key += " " + copy
	}
	if q.names[key] == "" {
		q.names[key] = fmt.Sprintf("v%d", len(q.dimensions))
		q.dimensions = append(q.dimensions, q.names[key])
	}
	return q.names[key]
}
