package codegen

import (
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// Stores of a vector loop that pass by the caches: streaming, or non-temporal, stores. Processors
// have them for whole vectors at aligned addresses only, and compilers give names of their own to
// each, so the loop is written with vectors, between single iterations up to an aligned element and
// those of the rest. Such stores of one thread may be seen by others later than those that follow:
// a fence behind the loop says that they have to be seen before anything else.

// stream has such loops where marks ask for them.
func stream(p *loopir.Program, e *Env) error {
	return e.inVectors(p.Code, func(loop *loopir.For) loopir.Stmt {
		m, is := mark.Of[mark.Stream](loop.Marks)
		if !is || m.Lanes == 0 || !isOfLanes(loop) {
			return loop
		}
		streamed := e.streamed(loop, m.Lanes)
		if e.nodes.note(m, streamed != nil, notPlain); streamed == nil {
			return loop
		}
		e.honourLanes(loop)
		return streamed
	})
}

// notPlain is why a loop is not written in vectors of our own.
const notPlain = "the loop's body is not one assignment whose elements follow each other from one iteration to the next"

// isOfLanes says whether a loop runs in lanes, which add nothing up, on one thread.
func isOfLanes(loop *loopir.For) bool {
	return loop.Lanes != nil && loop.Threads == nil && len(loop.Lanes.Reductions) == 0
}

// honourLanes notes that a loop is written in vectors.
func (e *Env) honourLanes(loop *loopir.For) {
	if m, is := mark.Of[mark.Vector](loop.Marks); is {
		e.Honour(m)
	}
}

// inVectors replaces loops by others, inner ones first, where it is known through which relay
// threads run.
func (e *Env) inVectors(code loopir.Code, change func(*loopir.For) loopir.Stmt) error {
	n := e.nodes
	for k, s := range code {
		for _, body := range loopir.Bodies(s) {
			if r, is := s.(*loopir.Relay); is && body == &r.Second {
				n.relay = n.relays[r]
			}
			if err := e.inVectors(*body, change); err != nil {
				return err
			}
			n.relay = nil
		}
		if loop, is := s.(*loopir.For); is {
			e.loop = loop.Var
			code[k] = change(loop)
		}
	}
	return n.err
}

// streamed is a vector loop whose stores pass by the caches; nil where its body is not an
// assignment alone whose target moves to the next element in each iteration.
func (e *Env) streamed(of *loopir.For, lanes int64) loopir.Stmt {
	n := e.nodes
	w := n.streamWriter(of, lanes)
	if w == nil || !w.useVectors() {
		return nil
	}
	i := w.instanceOf(&w.statements[0], []int64{0}, map[string]loopir.Register{})
	target := w.elementOf(i, &i.operands[0])
	assign, loads := w.valueOf(i, addend{"=", i.assignment.Sum.At()})
	n.streamMacro(w.vector)
	assign.Target, assign.Past = target, true

	variable, last := of.Var, n.fresh("tune_last")
	until := func(end *loopir.Expr) *loopir.Expr { return atMost(loopir.Named(variable), end) }
	loop := func(condition *loopir.Expr, step int64, body loopir.Code) *loopir.For {
		return n.loopOver(variable, nil, condition, loopir.Int(step), body).As(of)
	}
	first := n.define(variable, of.From)
	first.Varies = true
	misaligned := loopir.Misaligned(target.Text, lanes*elementSizes[w.vector.Element], variable)
	n.fence()
	return &loopir.Block{Body: loopir.Code{
		n.define(last, lastOf(of.While)), first,
		loop(loopir.Operation(isl.OpAnd, until(loopir.Named(last)), misaligned), 1, of.Body),
		loop(until(loopir.Operation(isl.OpSub, loopir.Named(last), loopir.Int(lanes-1))), lanes, append(loads, assign)),
		loop(until(loopir.Named(last)), 1, of.Body),
		&loopir.Fence{},
	}}
}

// streamWriter is for the vectors of a loop whose body is one assignment by =, also of several
// iterations of loops around; nil for others.
func (n *nodes) streamWriter(loop *loopir.For, lanes int64, around ...unrolledLoop) *blockWriter {
	run, is := loop.Body.Only().(*loopir.Run)
	if !is || loop.Plain == loopir.NotPlain || !loop.Step.IsInt(1) {
		return nil
	}
	whole := linear{loop.Var: 1}
	w := writerOf(&blockFacts{nodes: n.copies, block: &registerBlock{
		tile:     &fullTile{opaque: map[string]*loopir.Expr{}},
		lanes:    lanes,
		unrolled: append(around, unrolledLoop{variable: loop.Var, lower: whole, count: lanes}),
	}})
	s := w.statementOf(run)
	if s.assignment == nil || s.assignment.Operator != "=" {
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
