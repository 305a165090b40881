package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// A partial register block can run the code of a full one: the elements of the
// target that exist are brought to a small array and back, and the operands are read
// from buffers, which have room for the rest. What is computed for elements that do not
// exist is thrown away.

// edge is what partial blocks need to run the code of full ones.
type edge struct {
	*blockWriter
	// loops are the unrolled ones with their bounds.
	loops []copyLoop
	// target is the element that a point updates.
	target *blockOperand
	call   *blockStatement
	// array is the name of the small array.
	array string
}

// edgeOf says how partial blocks run the code of full ones; nil when they cannot.
func (w *blockWriter) edgeOf() *edge {
	b := w.block
	isPlain := slices.ContainsFunc(w.statements, func(s blockStatement) bool { return s.assignment == nil })
	if isPlain || len(w.late) > 0 || b.stream == nil || b.conditional || len(b.outside) == 0 || len(b.lowers)+len(b.uppers) > 0 {
		return nil
	}
	e := &edge{blockWriter: w, call: &w.statements[0], target: &w.statements[0].operands[0]}
	for i := range w.statements {
		for k := range w.statements[i].operands {
			o := &w.statements[i].operands[k]
			if k == 0 && !(o.kept && o.isSame(e.target)) || !w.existsInPartial(o) {
				return nil
			}
		}
	}
	if w.touchesAgain(e.target) {
		return nil
	}
	stream := map[string]interval{b.stream.Var: {}}
	for _, u := range b.unrolled {
		if !e.target.movesAlong(u.variable) {
			return nil
		}
		loop, ok := copyLoopOf(u.loop, func(e *loopir.Expr) bool { return !loopir.Mentions(e, stream) })
		if !ok || !loop.isExact() {
			return nil
		}
		e.loops = append(e.loops, loop)
	}
	e.array = w.nodes.fresh("tune_edge")
	return e
}

// existsInPartial says whether an operand can be read at all points of a block of which
// some are no instances.
func (w *blockFacts) existsInPartial(o *blockOperand) bool {
	if o.kept {
		return true
	}
	for _, u := range w.block.unrolled {
		if o.movesAlong(u.variable) && (o.packed == nil || !slices.Contains(o.packed.whole, u.variable)) {
			return false
		}
	}
	return true
}

// movesAlong says whether a loop moves the operand.
func (o *blockOperand) movesAlong(variable string) bool {
	return slices.ContainsFunc(o.subscripts, func(l linear) bool { return l[variable] != 0 })
}

// touchesAgain says whether the block reads elements of the target's array from memory
// while registers hold them, or whether points of a partial block might share one: what has
// been shown for full blocks need not be so in partial ones.
func (w *blockFacts) touchesAgain(target *blockOperand) bool {
	for o := range w.allOperands() {
		if o.array == target.array && !o.kept && o.packed == nil {
			return true
		}
	}
	conditions := w.block.tile.conditions
	w.block.tile.conditions = nil
	defer func() { w.block.tile.conditions = conditions }()
	return w.meets(target, target, true)
}

// edgePlace is the place of a point in the small array.
func (w *blockFacts) edgePlace() linear {
	place, size := linear{}, int64(1)
	for _, u := range slices.Backward(w.block.unrolled) {
		place = place.plus(linear{u.variable: 1}, size).plus(u.lower, -size)
		size *= u.count
	}
	return place
}

// anyBlock is the code of a full block that partial ones run as well.
func (e *edge) anyBlock() loopir.Code {
	body := e.streamed()
	first, last, full := e.nodes.fresh("tune_first"), e.nodes.fresh("tune_last"), e.nodes.fresh("tune_full")
	isFull := e.nodes.define(full, (&fullTile{conditions: e.block.outside, opaque: e.block.tile.opaque}).guard())
	isFull.Truth = true
	choice := func(yes, no loopir.Code) loopir.Stmt {
		return &loopir.If{Cond: loopir.Named(full), Then: yes, Else: no, Whole: true}
	}
	inside := loopir.Code{
		&loopir.Registers{Vector: e.registerType(), Names: e.registerNames()},
		&loopir.Buffer{Type: e.element, Name: e.array, Elements: e.edgeSize()},
		choice(append(e.fills(), e.ahead()...), e.fill()),
		e.along(loopir.Named(first), loopir.Named(last), body),
		choice(e.stores(), e.store()),
	}
	return loopir.Code{&loopir.Block{Body: loopir.Code{
		e.nodes.define(first, e.block.first), e.nodes.define(last, e.block.last), isFull,
		&loopir.If{Cond: atMost(loopir.Named(first), loopir.Named(last)), Then: inside, Whole: true},
	}}}
}

// edgeSize is the number of points of a block.
func (w *blockFacts) edgeSize() int64 {
	size := int64(1)
	for _, u := range w.block.unrolled {
		size *= u.count
	}
	return size
}

// fill fills the registers of a partial block.
func (e *edge) fill() loopir.Code {
	k := e.nodes.fresh("tune_i")
	zero := &loopir.Move{To: &loopir.Buffered{Buffer: e.array, Index: loopir.Named(k)}, From: loopir.Zero{}}
	code := loopir.Code{e.nodes.loopOver(k, loopir.Int(0), loopir.Operation(isl.OpLt, loopir.Named(k), loopir.Int(e.edgeSize())), loopir.Int(1), loopir.Code{zero})}
	code = append(code, e.copies(true)...)
	for _, k := range e.kept {
		code = append(code, &loopir.Move{To: loopir.Register(k.name), From: e.place(k), Vector: e.registerType()})
	}
	return code
}

// store writes the registers of a partial block back.
func (e *edge) store() (code loopir.Code) {
	for _, k := range e.kept {
		code = append(code, &loopir.Move{To: e.place(k), From: loopir.Register(k.name), Vector: e.registerType()})
	}
	return append(code, e.copies(false)...)
}

// place is the place of a register in the small array.
func (e *edge) place(k keptElement) *loopir.Buffered {
	index := e.block.at(e.block.tile.expressionOf(e.edgePlace()), k.offsets)
	e.nodes.needs(index)
	return &loopir.Buffered{Buffer: e.array, Index: index}
}

// copies bring the elements that exist to the small array, or back.
func (e *edge) copies(bring bool) loopir.Code {
	s := e.call
	values := e.nodes.values(s.run, same)
	text := oneLine(textBetween(s.model.Statement, values, e.target.place.Start, e.target.place.End))
	place := &loopir.Buffered{Buffer: e.array, Index: e.block.tile.expressionOf(e.edgePlace())}
	e.nodes.needs(place.Index)
	element := e.present(e.target, text)
	move := &loopir.Move{To: element, From: place}
	if bring {
		move.To, move.From = place, element
	}
	return e.nodes.nest(e.loops, loopir.Code{move})
}

// nest is the body inside loops.
func (n *place) nest(loops []copyLoop, body loopir.Code) loopir.Code {
	for _, l := range slices.Backward(loops) {
		last := loopir.Operation(isl.OpLe, loopir.Named(l.variable), extremum(isl.OpMin, l.uppers))
		body = loopir.Code{n.loopOver(l.variable, extremum(isl.OpMax, l.lowers), last, loopir.Int(1), body)}
	}
	return body
}
