package codegen

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// Along a triangle's edge the rows of a register block begin or end at different
// iterations of the stream, and at the end of the domain some rows do not exist. Such
// iterations run in registers too, with a condition for each row; what is inside
// is the full block's code.

// ragged is a block whose rows may have iterations of their own.
type ragged struct {
	writer *blockWriter
	rows   []raggedRow
	// lanes are the conditions under which all rows have all their lanes.
	lanes []linear
	// start and end are the variables of the stream's bounds, first and last those
	// of the iterations of full blocks.
	start, end, first, last string
}

// raggedRow are the points of a block that differ in the lanes only.
type raggedRow struct {
	offsets [][]int64
	// lowers and uppers bound the stream, where the conditions hold.
	lowers, uppers, conditions []linear
	// from and to are the variables of the bounds.
	from, to string
}

// raggedOf describes the rows of a block; nil where all have the same iterations,
// or they cannot run apart from each other: then rows must not share elements, nor read what
// another has in a register.
func (w *blockWriter) raggedOf() *ragged {
	b := w.block
	isPlain := slices.ContainsFunc(w.statements, func(s blockStatement) bool { return s.assignment == nil })
	if isPlain || b.stream == nil || b.conditional || b.lanes == 0 || len(b.lowers)+len(b.uppers) == 0 || !w.keepsOneTarget() {
		return nil
	}
	r := &ragged{writer: w, start: w.nodes.fresh("tune_start"), end: w.nodes.fresh("tune_end"),
		first: w.nodes.fresh("tune_first"), last: w.nodes.fresh("tune_last")}
	lanes := len(b.unrolled) - 1
	bounds := make([][]linear, len(b.unrolled))
	for k := range b.unrolled {
		var ok bool
		if bounds[k], ok = w.differences(k); !ok {
			return nil
		}
	}
	last := linear{"": b.unrolled[lanes].count - 1}
	for _, d := range bounds[lanes] {
		if d[b.stream.Var] != 0 {
			return nil
		}
		r.lanes = appendUnknown(r.lanes, d.plus(last, min(0, d[offsetName])).plus(linear{offsetName: 1}, -d[offsetName]))
	}
	for _, offsets := range b.offsets() {
		k := len(r.rows) - 1
		if k < 0 || !slices.Equal(r.rows[k].offsets[0][:lanes], offsets[:lanes]) {
			row, ok := w.raggedRow(len(r.rows), offsets[:lanes], bounds)
			if !ok {
				return nil
			}
			r.rows = append(r.rows, row)
			k++
		}
		r.rows[k].offsets = append(r.rows[k].offsets, offsets)
	}
	return r
}

// keepsOneTarget says whether all statements update the same elements, each row and lane its own,
// which stay in registers and are read in no other way.
func (w *blockFacts) keepsOneTarget() bool {
	target := &w.statements[0].operands[0]
	for i := range w.statements {
		if o := &w.statements[i].operands[0]; !o.kept || !o.isSame(target) {
			return false
		}
	}
	return !w.touchesAgain(target) && !slices.ContainsFunc(w.block.unrolled, func(u unrolledLoop) bool { return !target.movesAlong(u.variable) })
}

// offsetName stands for the number of a point in differences.
const offsetName = "tune offset"

// differences are the affine expressions that are not negative at the points that
// an unrolled loop has, over its offset in the full block, the stream, and the variables
// outside; ok is false where others bound it.
func (w *blockFacts) differences(k int) (list []linear, ok bool) {
	b, u := w.block, w.block.unrolled[k]
	loop, ok := copyLoopOf(u.loop, func(*loopir.Expr) bool { return true })
	if !ok {
		return nil, false
	}
	stream := b.stream.Var
	value := u.lower.plus(linear{offsetName: 1}, 1)
	if value[stream] != 0 || b.tile.isOpaqueIn(value, b.variables()) {
		return nil, false
	}
	for _, e := range loop.lowers {
		list = append(list, value.plus(b.tile.linearOf(e), -1))
	}
	for _, e := range loop.uppers {
		list = append(list, b.tile.linearOf(e).plus(value, -1))
	}
	for _, d := range list {
		isOther := slices.ContainsFunc(b.unrolled, func(other unrolledLoop) bool { return d[other.variable] != 0 })
		if isOther || b.tile.isOpaqueIn(d, b.variables()) {
			return nil, false
		}
	}
	return list, true
}

// appendUnknown appends a condition that is not always true.
func appendUnknown(conditions []linear, c linear) []linear {
	if c.isConstant() && c[""] >= 0 {
		return conditions
	}
	return append(conditions, c)
}

// raggedRow is the row at some offsets, without its points; ok is false where the stream cannot be
// told from what bounds it.
func (w *blockFacts) raggedRow(number int, offsets []int64, bounds [][]linear) (row raggedRow, ok bool) {
	row = raggedRow{from: w.nodes.fresh(fmt.Sprintf("tune_from%d", number)), to: w.nodes.fresh(fmt.Sprintf("tune_to%d", number))}
	var conditions []linear
	for k, offset := range offsets {
		for _, d := range bounds[k] {
			d = d.plus(linear{"": 1}, d[offsetName]*offset).plus(linear{offsetName: 1}, -d[offsetName])
			conditions = appendUnknown(conditions, d)
		}
	}
	row.conditions, row.lowers, row.uppers, ok = w.block.dividedByStream(conditions)
	return row, ok
}

// block is the code of a block with such rows: those iterations that are full as they are,
// and the others row by row.
func (r *ragged) block() loopir.Code {
	n, b := r.writer.nodes, r.writer.block
	body := r.writer.streamed()
	code := r.bounds()
	for _, k := range r.writer.kept {
		code = append(code, &loopir.Move{To: loopir.Register(k.name), From: loopir.Zero{}, Vector: r.writer.registerType(), Declares: true})
	}
	code = append(code, r.moves(r.writer.fills())...)
	one, first, last := loopir.Int(1), loopir.Named(r.first), loopir.Named(r.last)
	if len(b.lowers)+len(b.outside) > 0 {
		before := loopir.Operation(isl.OpMin, loopir.Operation(isl.OpSub, first, one), loopir.Named(r.end))
		code = append(code, r.writer.along(loopir.Named(r.start), before, r.body()))
	}
	if ahead := r.writer.ahead(); ahead != nil {
		code = append(code, &loopir.If{Cond: atMost(first, last), Then: ahead, Whole: true})
	}
	code = append(code, r.writer.along(first, last, body))
	if len(b.uppers) > 0 {
		behind := loopir.Operation(isl.OpMax, loopir.Operation(isl.OpAdd, last, one), first)
		code = append(code, r.writer.along(behind, loopir.Named(r.end), r.body()))
	}
	code = append(code, r.moves(r.writer.stores())...)
	if len(r.lanes) == 0 {
		return loopir.Code{&loopir.Block{Body: code}}
	}
	cond := r.writer.condition(r.lanes)
	n.needs(cond)
	return loopir.Code{&loopir.If{Cond: cond, Then: code, Else: r.writer.anywhere(), Whole: true}}
}

// condition is what some conditions say together.
func (w *blockFacts) condition(conditions []linear) *loopir.Expr {
	return (&fullTile{conditions: conditions, opaque: w.block.tile.opaque}).guard()
}

// bounds declares the bounds of the stream, those of full iterations, of which a
// block without all rows has none, and those of each row.
func (r *ragged) bounds() loopir.Code {
	b := r.writer.block
	start, end, one := loopir.Named(r.start), loopir.Named(r.end), loopir.Int(1)
	where := func(d *loopir.Define, conditions []linear, other *loopir.Expr) *loopir.Define {
		if len(conditions) > 0 {
			d.When, d.Else = r.writer.condition(conditions), other
			r.writer.nodes.needs(d.When, d.Else)
		}
		return d
	}
	code := loopir.Code{
		r.writer.nodes.define(r.start, b.first), r.writer.nodes.define(r.end, b.last),
		where(r.writer.nodes.define(r.first, b.limit(isl.OpMax, start, b.lowers)), b.outside, loopir.Operation(isl.OpAdd, end, one)),
		r.writer.nodes.define(r.last, b.limit(isl.OpMin, end, b.uppers)),
	}
	for _, row := range r.rows {
		code = append(code,
			r.writer.nodes.define(row.from, b.limit(isl.OpMax, start, row.lowers)),
			where(r.writer.nodes.define(row.to, b.limit(isl.OpMin, end, row.uppers)), row.conditions, loopir.Operation(isl.OpSub, start, one)))
	}
	return code
}

// body are the statements of the rows that have the present iteration.
func (r *ragged) body() (code loopir.Code) {
	present := loopir.Named(r.writer.block.stream.Var)
	for _, row := range r.rows {
		has := loopir.Operation(isl.OpAnd, atMost(loopir.Named(row.from), present), atMost(present, loopir.Named(row.to)))
		code = append(code, &loopir.If{Cond: has, Then: r.writer.bodyAt(row.offsets), Whole: true})
	}
	return code
}

// moves are those of the moves of all registers that are of rows which have any iteration, row by
// row.
func (r *ragged) moves(moves loopir.Code) (code loopir.Code) {
	for _, row := range r.rows {
		var own loopir.Code
		for k := range r.writer.kept {
			if at := r.writer.kept[k].offsets; slices.Equal(at[:len(at)-1], row.offsets[0][:len(at)-1]) {
				own = append(own, moves[k])
			}
		}
		code = append(code, &loopir.If{Cond: atMost(loopir.Named(row.from), loopir.Named(row.to)), Then: own, Whole: true})
	}
	return code
}
