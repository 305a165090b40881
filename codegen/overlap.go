package codegen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// Vectors that overlap: the first one begins where the loop does, those behind it at lines of
// memory, and the last one ends where the loop ends. The elements that two vectors share are
// computed twice, which no element's value depends on (schedule.Overlap), so that no iteration runs
// alone in front of the vectors or behind them, and stores, and most loads, are of whole lines.
//
// Measured on an AMD EPYC (Zen 5, AVX-512), gcc 12, two threads, PolyBench LARGE: heat-3d, rows of
// 118 elements, takes 0.535 s as loops for the compiler, 0.42 in vectors that overlap, and 0.32
// with four rows beside each other.

// overlap has such loops where marks ask for them.
func overlap(p *loopir.Program, e *Env) error {
	// were are the vector loops that the code has had.
	were := map[loopir.Stmt]*loopir.For{}
	return e.inVectors(p.Code, func(loop *loopir.For) loopir.Stmt {
		if m, is := mark.Of[mark.Overlap](loop.Marks); is && m.Lanes > 0 && isOfLanes(loop) {
			made := e.overlapped(loop, m)
			were[made] = loop
			return made
		}
		if m, is := mark.Of[mark.Beside](loop.Marks); is {
			return e.rowsBeside(loop, were[loop.Body.Only()], m)
		}
		return loop
	})
}

// overlapped is a vector loop whose vectors overlap, the loop where its body is not an assignment
// alone whose target moves to the next element in each iteration.
func (e *Env) overlapped(loop *loopir.For, m mark.Overlap) loopir.Stmt {
	n := e.nodes
	w := n.rowWriter(loop, loop, 1, m.Lanes)
	if n.note(m, w != nil, notPlain); w == nil {
		return loop
	}
	e.honourLanes(loop)
	single := *loop
	single.Lanes = nil
	o := overlapOf(n.place, loop, m.Lanes)
	choice := &loopir.If{Cond: o.fits(), Then: o.loop(w), Else: loopir.Code{&single}, Short: true}
	return &loopir.Block{Body: append(o.bounds(), choice)}
}

// rowsBeside is a loop of which several iterations run at once, around one whose vectors overlap;
// the loop where isl has made others of them.
func (e *Env) rowsBeside(rows, vectors *loopir.For, m mark.Beside) loopir.Stmt {
	w, overlap := e.nodes.besideWriter(rows, vectors)
	if e.nodes.note(m, w != nil, "the loop inside is not written in vectors that overlap"); w == nil {
		return rows
	}
	e.Honour(overlap)
	n := e.nodes
	variable, last, o := rows.Var, n.fresh("tune_row"), overlapOf(n.place, vectors, overlap.Lanes)
	loop := func(last *loopir.Expr, step int64, body loopir.Code) *loopir.For {
		return n.loopOver(variable, nil, atMost(loopir.Named(variable), last), loopir.Int(step), body).As(rows)
	}
	first := n.define(variable, rows.From)
	first.Varies = true
	blocks := loop(loopir.Operation(isl.OpSub, loopir.Named(last), loopir.Int(overlap.Rows-1)), overlap.Rows, o.loop(w))
	return &loopir.Block{Body: append(o.bounds(),
		n.define(last, lastOf(rows.While)), first,
		&loopir.If{Cond: o.fits(), Then: loopir.Code{blocks}},
		loop(loopir.Named(last), 1, rows.Body))}
}

// besideWriter writes vectors of several rows, which have the same bounds; nil where they cannot be
// written so.
func (n *nodes) besideWriter(rows, vectors *loopir.For) (w *blockWriter, o mark.Overlap) {
	if vectors == nil || !rows.Step.IsInt(1) || !isCanonical(rows.While, rows.Var) {
		return nil, o
	}
	outer := map[string]bool{rows.Var: true}
	if o, _ = mark.Of[mark.Overlap](vectors.Marks); o.Rows < 2 || loopir.Mentions(vectors.From, outer) || loopir.Mentions(vectors.While, outer) {
		return nil, o
	}
	return n.rowWriter(rows, vectors, o.Rows, o.Lanes), o
}

// rowWriter writes vectors of several rows; nil where they cannot be written so. Without rows
// beside each other both loops are the vector loop.
func (n *nodes) rowWriter(rows, vectors *loopir.For, count, lanes int64) *blockWriter {
	if vectors.Plain != loopir.OneInPlace {
		return nil
	}
	var around []unrolledLoop
	if count > 1 {
		around = append(around, unrolledLoop{variable: rows.Var, lower: linear{rows.Var: 1}, count: count})
	}
	w := n.streamWriter(vectors, lanes, around...)
	if w == nil || !w.isAlongRows() || !w.useVectors() {
		return nil
	}
	return w
}

// isAlongRows says whether all that the block reads moves to the next element from one lane to the
// next, or stands still.
func (w *blockFacts) isAlongRows() bool {
	return !slices.ContainsFunc(w.statements[0].operands, func(o blockOperand) bool { return o.step == scattered })
}

// overlapping has the names in the code of a loop whose vectors overlap.
type overlapping struct {
	nodes *place
	of    *loopir.For
	lanes int64
	// first and stop are the first elements of the first and of the last vector.
	first, stop string
}

func overlapOf(n *place, loop *loopir.For, lanes int64) overlapping {
	return overlapping{n, loop, lanes, n.fresh("tune_first"), n.fresh("tune_stop")}
}

// bounds declares first and stop.
func (o overlapping) bounds() loopir.Code {
	stop := loopir.Operation(isl.OpSub, lastOf(o.of.While), loopir.Int(o.lanes-1))
	return loopir.Code{o.nodes.define(o.first, o.of.From), o.nodes.define(o.stop, stop)}
}

// fits is the condition that at least one vector is full.
func (o overlapping) fits() *loopir.Expr { return atMost(loopir.Named(o.first), loopir.Named(o.stop)) }

// loop is the loop over the vectors. Pointers to the rows that it reads and writes are made in
// front of it: compilers find no fewer among so many elements.
func (o overlapping) loop(w *blockWriter) loopir.Code {
	at, next, last := o.nodes.fresh("tune_at"), o.nodes.fresh("tune_next"), o.nodes.fresh("tune_last")
	w.rows = &rowPointers{at: at, element: w.vector.Element}
	body := w.assignments()
	code := append(loopir.Code{o.nodes.define(o.of.Var, loopir.Named(o.first))}, w.rows.declarations...)
	return append(code,
		o.nodes.define(last, loopir.Operation(isl.OpSub, loopir.Named(o.stop), loopir.Named(o.first))),
		&loopir.Cover{Name: o.of.Name, Var: at, Next: next, Last: last, Vector: w.vector, Aligned: w.rows.target, Body: body})
}

// rowPointers are pointers to what a loop over vectors reads and writes: one for all elements that
// lie in one row.
type rowPointers struct {
	// at is the variable that says how far the loop is, element the type of elements.
	at, element string
	rows        []rowPointer
	// declarations are those of the pointers, target the name of the first one that is written to.
	declarations loopir.Code
	target       string
}

type rowPointer struct {
	array, name string
	subscripts  []linear
}

// of is an element in terms of a pointer. Its text is that in the loop's first iteration, which is
// where pointers to new rows begin.
func (r *rowPointers) of(w *blockWriter, o *blockOperand, text string, offsets []int64, read bool) string {
	subscripts := w.block.subscriptsAt(o, offsets)
	last := len(subscripts) - 1
	for _, row := range r.rows {
		if row.array != o.array {
			continue
		}
		distance := subscripts[last].plus(row.subscripts[last], -1)
		if distance.isConstant() && slices.EqualFunc(subscripts[:last], row.subscripts[:last], maps.Equal) {
			return row.name + "[" + plus(r.at, distance[""]) + "]"
		}
	}
	row := rowPointer{o.array, w.nodes.fresh(fmt.Sprintf("tune_p%d", len(r.rows))), subscripts}
	if !read {
		r.target = cmp.Or(r.target, row.name)
	}
	r.rows = append(r.rows, row)
	r.declarations = append(r.declarations, &loopir.Pointer{Name: row.name, Type: r.element, Constant: read, To: text})
	return row.name + "[" + r.at + "]"
}

// plus is a variable and a constant.
func plus(variable string, constant int64) string {
	switch {
	case constant > 0:
		return fmt.Sprintf("%s + %d", variable, constant)
	case constant < 0:
		return fmt.Sprintf("%s - %d", variable, -constant)
	}
	return variable
}

// assignments are those of all points of the block, which read an element once for several points.
// Each store stands right behind its value: gcc takes each operand from memory again where nothing
// is stored between its uses, and stencils wait for loads. jacobi-2d, which reads 14 vectors for 4
// instead of 20, takes 0.8 of the time on two threads of a virtual AMD Zen 4 (gcc 12, PolyBench
// LARGE).
func (w *blockWriter) assignments() (code loopir.Code) {
	s := &w.statements[0]
	loaded := map[string]loopir.Register{}
	for _, offsets := range w.block.offsets() {
		i := w.instanceOf(s, offsets, loaded)
		assign, loads := w.valueOf(i, addend{"=", s.assignment.Sum.At()})
		assign.Target = w.targetOf(i)
		code = append(append(code, loads...), assign)
	}
	return code
}
