package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// registerBlock is a subtree below a mark "registers": perhaps one loop along
// which the block streams, and inside it loops with constant numbers of
// iterations, all of whose points are instances where the block is full.
type registerBlock struct {
	tile *fullTile
	// stream is the loop around the unrolled ones, or nil, and first and last
	// its bounds, both included.
	stream      *loopir.For
	first, last *loopir.Expr
	// unrolled are the loops that full blocks unroll, outermost first; with
	// lanes the last one advances by that many.
	unrolled []unrolledLoop
	lanes    int64
	// ahead says that elements of the next block are asked for, advance by how many iterations the
	// stream's variable counts as more while code is written.
	ahead   bool
	advance int64
	// lane is what the innermost unrolled loop, or the stream where lanes are along that, counts as
	// more in each lane while code is written.
	lane        linear
	alongStream bool
	// runs are the statements' instances, in order, and guards are what is at least zero where each
	// of them runs, besides the loops.
	runs   []*loopir.Run
	guards [][]linear
	// conditional says that some instance is under a condition.
	conditional bool
	// lowers and uppers bound the stream's iterations for which the block is full;
	// outside are the conditions that do not depend on it.
	lowers, uppers, outside []linear
}

// unrolledLoop is a loop from lower on, with so many iterations.
type unrolledLoop struct {
	variable string
	lower    linear
	count    int64
	loop     *loopir.For
}

// code is a register block's: unrolled where it is full, and as its loops are elsewhere.
func (w *blockWriter) code() loopir.Code {
	if e := w.edgeOf(); e != nil {
		return e.anyBlock()
	}
	if r := w.raggedOf(); r != nil {
		return r.block()
	}
	full := w.fullBlock()
	if len(w.block.outside) == 0 {
		return full
	}
	guard := (&fullTile{conditions: w.block.outside, opaque: w.block.tile.opaque}).guard()
	return w.nodes.choice(guard, of(full...), of(w.anywhere()...)).code
}

// anywhere is the code of the block's loops as they are.
func (w *blockWriter) anywhere() loopir.Code {
	w.isGeneral = true
	return w.nodes.withCopies(w.general)
}

// fullBlock is the code where the conditions outside of the stream hold.
func (w *blockWriter) fullBlock() loopir.Code {
	n, b := w.nodes, w.block
	if b.stream == nil {
		body := w.streamed() // says what is to be loaded
		return loopir.Code{&loopir.Block{Body: slices.Concat(w.late, w.loads(), body, w.stores())}}
	}
	first, last := n.fresh("tune_first"), n.fresh("tune_last")
	bounds := loopir.Code{n.define(first, b.limit(isl.OpMax, b.first, b.lowers)), n.define(last, b.limit(isl.OpMin, b.last, b.uppers))}
	var full loopir.Code
	if len(b.lowers) > 0 {
		full = append(full, w.between(nil, loopir.Operation(isl.OpSub, loopir.Named(first), loopir.Int(1)))...)
	}
	loops, rest := w.streamLoops(first, last)
	full = slices.Concat(full, w.late, w.loads(), w.ahead(), loops, w.stores())
	if rest != nil || len(b.uppers) > 0 {
		if rest == nil {
			rest = loopir.Operation(isl.OpAdd, loopir.Named(last), loopir.Int(1))
		}
		full = append(full, w.between(rest, nil)...)
	}
	choice := &loopir.If{Cond: atMost(loopir.Named(first), loopir.Named(last)), Then: full, Whole: true}
	if len(b.lowers)+len(b.uppers) > 0 {
		choice.Else = w.anywhere()
	}
	return loopir.Code{&loopir.Block{Body: append(bounds, choice)}}
}

// define names a value.
func (n *place) define(name string, value *loopir.Expr) *loopir.Define {
	n.needs(value)
	return &loopir.Define{Var: name, Value: value}
}

// atMost is the condition that a value is not larger than another one.
func atMost(value, other *loopir.Expr) *loopir.Expr { return loopir.Operation(isl.OpLe, value, other) }

// along is a loop of the stream from one value to another one, in braces.
func (w *blockWriter) along(first, last *loopir.Expr, body loopir.Code) *loopir.For {
	stream := w.block.stream
	return w.nodes.loopOver(stream.Var, first, atMost(loopir.Named(stream.Var), last), loopir.Int(1), body.Several()).As(stream)
}

// streamLoops are the loops over the stream from first to last: one over windows where squares are
// transposed, and one over the iterations that are left, which run as they are, from rest on, where
// results lie in rows.
func (w *blockWriter) streamLoops(first, last string) (code loopir.Code, rest *loopir.Expr) {
	one := func(first string) loopir.Stmt { return w.along(loopir.Named(first), loopir.Named(last), w.streamed()) }
	if len(w.squares) == 0 {
		return loopir.Code{one(first)}, nil
	}
	whole, declaration := w.wholeWindows(first, last)
	code = append(loopir.Code{declaration}, w.inWindows(first, whole)...)
	if slices.ContainsFunc(w.squares, func(q *square) bool { return q.stores }) {
		return code, loopir.Named(whole)
	}
	return append(code, one(whole)), nil
}

// limit is the extreme of a bound of the stream and of those of full blocks.
func (b *registerBlock) limit(operator isl.AstOpType, bound *loopir.Expr, others []linear) *loopir.Expr {
	arguments := []*loopir.Expr{bound}
	for _, l := range others {
		arguments = append(arguments, b.tile.expressionOf(l))
	}
	if len(arguments) == 1 {
		return bound
	}
	return loopir.Operation(operator, arguments...)
}

// between is the code of the block's loops as they are, with another first or last iteration of the
// stream; nil stands for the loop's own.
func (w *blockWriter) between(first, last *loopir.Expr) loopir.Code {
	part := w.anywhere()
	loopir.Walk(part, func(s loopir.Stmt) {
		loop, is := s.(*loopir.For)
		if !is || loop.Done || loop.Var != w.block.stream.Var {
			return
		}
		all := *loop.InAnyTile()
		loop.General, loop.Part = &all, true
		if first != nil {
			loop.From = first
		}
		if last != nil {
			loop.While = atMost(loop.While.Args[0], last)
		}
	})
	return part
}

// collect takes the instances of the body, whose conditions hold in full blocks. guards are those
// around.
func (b *registerBlock) collect(code loopir.Code, ranges map[string]interval, guards []linear) bool {
	code = skipMarks(code)
	if len(code) != 1 {
		all := len(code) > 0
		for k := range code {
			all = all && b.collect(code[k:k+1], ranges, guards)
		}
		return all
	}
	switch node := code[0].(type) {
	case *loopir.Run:
		b.runs, b.guards = append(b.runs, node), append(b.guards, guards)
		return true
	case *loopir.If:
		b.conditional = true
		own, _ := b.tile.differences(node.Cond)
		conditions, ok := b.tile.assumptions(node.Cond, ranges)
		return len(node.Else) == 0 && ok && b.tile.addConditions(conditions) && b.collect(node.Then, ranges, slices.Concat(guards, own))
	}
	return false
}

// divide tells the conditions on the stream from those outside of it.
func (b *registerBlock) divide() (ok bool) {
	b.outside, b.lowers, b.uppers, ok = b.dividedByStream(b.tile.conditions)
	return ok
}

// at is an expression's value where the unrolled loops are at their offsets.
func (b *registerBlock) at(e *loopir.Expr, offsets []int64) *loopir.Expr {
	return b.tile.expressionOf(b.linearAt(e, offsets))
}

// linearAt is that value as an affine expression.
func (b *registerBlock) linearAt(e *loopir.Expr, offsets []int64) linear {
	return b.tile.linearOf(b.substituted(e, offsets))
}

// substituted is an expression with the values of the unrolled loops for their variables,
// in quotients and remainders as well.
func (b *registerBlock) substituted(e *loopir.Expr, offsets []int64) *loopir.Expr {
	if e.Kind == isl.AstID {
		for k, loop := range b.unrolled {
			if loop.variable == e.Name {
				value := loop.lower.plus(linear{"": 1}, offsets[k])
				if k == len(b.unrolled)-1 && !b.alongStream {
					value = value.plus(b.lane, 1)
				}
				return b.tile.expressionOf(value)
			}
		}
	}
	if e.Kind == isl.AstID && (b.advance != 0 || b.alongStream) && b.stream != nil && b.stream.Var == e.Name {
		value := linear{e.Name: 1}.plus(linear{"": 1}, b.advance)
		if b.alongStream {
			value = value.plus(b.lane, 1)
		}
		return b.tile.expressionOf(value)
	}
	if e.Kind != isl.AstOp {
		return e
	}
	own := *e
	own.Args = make([]*loopir.Expr, len(e.Args))
	for k, argument := range e.Args {
		own.Args[k] = b.substituted(argument, offsets)
	}
	return &own
}

// offsets are those of all points of a full block, or of its vectors, in order.
func (b *registerBlock) offsets() [][]int64 {
	list := [][]int64{nil}
	for k, loop := range b.unrolled {
		step := int64(1)
		if b.lanes > 0 && k == len(b.unrolled)-1 {
			step = b.lanes
		}
		var longer [][]int64
		for _, offsets := range list {
			for v := int64(0); v < loop.count; v += step {
				longer = append(longer, append(offsets[:len(offsets):len(offsets)], v))
			}
		}
		list = longer
	}
	return list
}

// values are those of the uses of iterators in a statement at a point of the block.
func (b *registerBlock) values(n *copies, s *blockStatement, offsets []int64) []text {
	return n.texts(b.uses(n, s, offsets))
}

// uses are these values as expressions.
func (b *registerBlock) uses(n *copies, s *blockStatement, offsets []int64) []*loopir.Expr {
	return n.uses(s.run, func(e *loopir.Expr) *loopir.Expr { return b.at(e, offsets) })
}
