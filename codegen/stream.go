package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// Stores of a vector loop that pass by the caches: streaming, or non-temporal, stores. Processors
// have them for whole vectors at aligned addresses only, and compilers give names of their own to each, so
// the loop is written with vectors, between single iterations up to an aligned
// element and those of the rest. Such stores of one thread may be seen by others later than those that
// follow: a fence behind the loop says that they have to be seen before anything else.

// streamed is a vector loop whose stores pass by the caches. ok is false where its body is not an
// assignment alone whose target moves to the next element in each iteration.
func (n *nodes) streamed(header loopHeader, lanes int64, s scope) (f fragment, ok bool) {
	w := n.streamWriter(header, lanes)
	if w == nil || !w.useVectors() {
		return f, false
	}
	single := n.fragment(header.body, s).code
	i := w.instanceOf(&w.statements[0], []int64{0}, map[string]loopir.Register{})
	target := w.elementOf(i, &i.operands[0])
	assign, loads := w.valueOf(i, addend{"=", i.assignment.Sum.At()})
	n.streamMacro(w.vector)
	assign.Target, assign.Past = target, true

	variable, last := header.variable, n.fresh("tune_last")
	until := func(end *loopir.Expr) *loopir.Expr { return atMost(loopir.Named(variable), end) }
	loop := func(condition *loopir.Expr, step int64, body loopir.Code) *loopir.For {
		return n.loopOver(variable, nil, condition, loopir.Int(step), body)
	}
	first := n.define(variable, header.start)
	first.Varies = true
	misaligned := loopir.Misaligned(target.Text, lanes*elementSizes[w.vector.Element], variable)
	n.fence()
	return of(&loopir.Block{Body: loopir.Code{
		n.define(last, lastOf(header.condition)), first,
		loop(loopir.Operation(isl.OpAnd, until(loopir.Named(last)), misaligned), 1, single),
		loop(until(loopir.Operation(isl.OpSub, loopir.Named(last), loopir.Int(lanes-1))), lanes, append(loads, assign)),
		loop(until(loopir.Named(last)), 1, single),
		&loopir.Fence{},
	}}), true
}

// streamWriter is for the vectors of a loop whose body is one assignment by =, also of several iterations of loops around; nil for others.
func (n *nodes) streamWriter(header loopHeader, lanes int64, around ...unrolledLoop) *blockWriter {
	body := skipMarks(n.marks, header.body)
	if n.lanes != nil || body == nil || body.Type() != isl.AstUser || header.step.Kind != isl.AstInt || header.step.Value != 1 {
		return nil
	}
	whole := linear{header.variable: 1}
	w := writerOf(&blockFacts{nodes: n, block: &registerBlock{
		tile:     &fullTile{opaque: map[string]*loopir.Expr{}},
		lanes:    lanes,
		unrolled: append(around, unrolledLoop{variable: header.variable, lower: whole, count: lanes}),
	}})
	s, ok := w.statementOf(loopir.FromISL(body.UserExpr()))
	if !ok || s.assignment == nil || s.assignment.Operator != "=" {
		return nil
	}
	w.statements = []blockStatement{s}
	return w
}

// lastOf is the last value of a canonical loop's variable.
func lastOf(condition *loopir.Expr) *loopir.Expr {
	if condition.Is(isl.OpLt) {
		return loopir.Operation(isl.OpSub, condition.Args[1], loopir.Int(1))
	}
	return condition.Args[1]
}
