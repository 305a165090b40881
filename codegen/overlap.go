package codegen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// Vectors that overlap: the first one begins where the loop does, those behind it at lines of memory, and the last one ends where the loop
// ends. The elements that two vectors share are computed twice, which no element's value depends on (schedule.Overlap), so that
// no iteration runs alone in front of the vectors or behind them, and stores, and most loads, are of whole lines.
//
// Measured on an AMD EPYC (Zen 5, AVX-512), gcc 12, two threads, PolyBench LARGE: heat-3d, rows of 118 elements, takes 0.535 s as loops for the compiler, 0.42
// in vectors that overlap, and 0.32 with four rows beside each other.

// overlapped is a vector loop whose vectors overlap. ok is false where its body is not an assignment alone whose target
// moves to the next element in each iteration.
func (n *nodes) overlapped(header loopHeader, lanes int64, s scope) (f fragment, ok bool) {
	w := n.rowWriter(header, header, 1, lanes)
	if w == nil {
		return f, false
	}
	single := n.around(header, n.fragment(header.body, s))
	o := overlapOf(n.place, header, lanes)
	choice := &loopir.If{Cond: o.fits(), Then: o.loop(w), Else: single.code, Short: true}
	return of(&loopir.Block{Body: append(o.bounds(), choice)}), true
}

// rowsBeside is a loop of which several iterations run at once, around one whose vectors overlap. ok is false where isl has made others of them.
func (n *nodes) rowsBeside(header loopHeader, s scope) (f fragment, ok bool) {
	inner, overlap := n.overlappingBelow(header.body)
	if inner == nil || overlap.Rows < 2 || header.step.Kind != isl.AstInt || header.step.Value != 1 || !isCanonical(header.condition, header.variable) {
		return f, false
	}
	row, empty := n.comingHeader(inner)
	if empty || !isCanonical(row.condition, row.variable) || n.mentionsIn(row, header.variable) {
		return f, false
	}
	w := n.rowWriter(header, row, overlap.Rows, overlap.Lanes)
	if w == nil {
		return f, false
	}
	single := n.fragment(header.body, s)
	if len(single.declares) > 0 {
		return f, false
	}
	n.env.Honour(overlap)
	variable, last, o := header.variable, n.fresh("tune_row"), overlapOf(n.place, row, overlap.Lanes)
	loop := func(last *loopir.Expr, step int64, body loopir.Code) *loopir.For {
		return n.loopOver(variable, nil, atMost(loopir.Named(variable), last), loopir.Int(step), body)
	}
	first := n.define(variable, header.start)
	first.Varies = true
	blocks := loop(loopir.Operation(isl.OpSub, loopir.Named(last), loopir.Int(overlap.Rows-1)), overlap.Rows, o.loop(w))
	return of(&loopir.Block{Body: append(o.bounds(),
		n.define(last, lastOf(header.condition)), first,
		&loopir.If{Cond: o.fits(), Then: loopir.Code{blocks}},
		loop(loopir.Named(last), 1, single.code))}), true
}

// overlappingBelow is the vector loop right below, with nothing but marks in between, and how its vectors overlap; nil when there is none.
func (n *place) overlappingBelow(node *isl.AstNode) (loop *isl.AstNode, o mark.Overlap) {
	for ; node.Type() == isl.AstMark; node = node.MarkNode() {
		if found, is := n.marks.OfCode(node).(mark.Overlap); is {
			o = found
		}
	}
	if o.Lanes == 0 || node.Type() != isl.AstFor {
		return nil, o
	}
	degenerate, err := node.ForIsDegenerate()
	if degenerate || err != nil {
		return nil, o
	}
	return node, o
}

// comingHeader is the header of the loop that is printed next, which it stays.
func (n *place) comingHeader(node *isl.AstNode) (h loopHeader, empty bool) {
	bounds, empty := n.full.coming()
	return n.headerOf(node, bounds), empty
}

// mentionsIn says whether a bound of a loop has a variable.
func (n *place) mentionsIn(h loopHeader, variable string) bool {
	return slices.Contains(ctext.Words(n.expression(h.start).code+" "+n.expression(h.condition).code), variable)
}

// rowWriter writes vectors of several rows; nil where they cannot be written so. Without rows beside each other
// both headers are that of the vector loop.
func (n *nodes) rowWriter(rows, vectors loopHeader, count, lanes int64) *blockWriter {
	if len(n.contractions)+len(n.copyings) > 0 || n.flat != nil || n.narrowed != nil {
		return nil
	}
	var around []unrolledLoop
	if count > 1 {
		around = append(around, unrolledLoop{variable: rows.variable, lower: linear{rows.variable: 1}, count: count})
	}
	w := n.streamWriter(vectors, lanes, around...)
	if w == nil || !w.isAlongRows() || !w.useVectors() {
		return nil
	}
	return w
}

// isAlongRows says whether all that the block reads moves to the next element from one lane to the next, or stands still.
func (w *blockFacts) isAlongRows() bool {
	return !slices.ContainsFunc(w.statements[0].operands, func(o blockOperand) bool { return o.step == scattered })
}

// overlap has the names in the code of a loop whose vectors overlap.
type overlap struct {
	nodes  *place
	header loopHeader
	lanes  int64
	// first and stop are the first elements of the first and of the last vector.
	first, stop string
}

func overlapOf(n *place, header loopHeader, lanes int64) overlap {
	return overlap{n, header, lanes, n.fresh("tune_first"), n.fresh("tune_stop")}
}

// bounds declares first and stop.
func (o overlap) bounds() loopir.Code {
	stop := loopir.Operation(isl.OpSub, lastOf(o.header.condition), loopir.Int(o.lanes-1))
	return loopir.Code{o.nodes.define(o.first, o.header.start), o.nodes.define(o.stop, stop)}
}

// fits is the condition that at least one vector is full.
func (o overlap) fits() *loopir.Expr { return atMost(loopir.Named(o.first), loopir.Named(o.stop)) }

// loop is the loop over the vectors. Pointers to the rows that it reads and writes are made in front of it: compilers find no fewer
// among so many elements.
func (o overlap) loop(w *blockWriter) loopir.Code {
	at, next, last := o.nodes.fresh("tune_at"), o.nodes.fresh("tune_next"), o.nodes.fresh("tune_last")
	w.rows = &rowPointers{at: at, element: w.vector.Element}
	body := w.assignments()
	code := append(loopir.Code{o.nodes.define(o.header.variable, loopir.Named(o.first))}, w.rows.declarations...)
	return append(code,
		o.nodes.define(last, loopir.Operation(isl.OpSub, loopir.Named(o.stop), loopir.Named(o.first))),
		&loopir.Cover{Var: at, Next: next, Last: last, Vector: w.vector, Aligned: w.rows.target, Body: body})
}

// rowPointers are pointers to what a loop over vectors reads and writes: one for all elements that lie in one row.
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

// of is an element in terms of a pointer. Its text is that in the loop's first iteration, which is where pointers to new rows begin.
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

// assignments are those of all points of the block, which read an element once for several points. Each store stands right behind its value:
// gcc takes each operand from memory again where nothing is stored between its uses, and stencils wait for loads. jacobi-2d, which
// reads 14 vectors for 4 instead of 20, takes 0.8 of the time on two threads of a virtual AMD Zen 4 (gcc 12, PolyBench LARGE).
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
