package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// copy is the code that fills a buffer: with constant numbers of iterations of
// the unrolled loops where the register block is full, and as the bounds say
// elsewhere.
func (c *copyWriter) copy(loops []copyLoop) loopir.Code {
	around := slices.DeleteFunc(slices.Clone(loops), func(l copyLoop) bool { return c.isUnrolled(l.variable) })
	unrolled := slices.DeleteFunc(slices.Clone(loops), func(l copyLoop) bool { return !c.isUnrolled(l.variable) })
	general := c.nodes.nest(unrolled, c.element())
	full, conditions := c.fullCopy(unrolled)
	stream := len(around)
	if c.block.stream != nil && stream > 0 && around[stream-1].variable == c.block.stream.Var {
		stream--
	}
	inner := around[stream:]
	outside, first, last, ok := c.partsOfStream(conditions, inner)
	if full == nil || !ok {
		return c.onThreads(c.nodes.nest(around, general), len(around))
	}
	choice := c.partsInStream(inner, first, last, full, general)
	if len(outside) > 0 {
		guard := (&fullTile{conditions: outside, opaque: c.block.tile.opaque}).guard()
		choice = c.nodes.choice(guard, fragment{code: choice}, fragment{code: c.nodes.nest(inner, general)}).code
	}
	return c.onThreads(c.nodes.nest(around[:stream], choice), stream)
}

// partsOfStream divides the conditions under which a block is full into those outside of the
// stream, and the least and greatest iterations of the stream of which others say that it is full
// there; ok is false where one of them does not, or the copy has no loop over the stream innermost.
func (c *copyWriter) partsOfStream(conditions []linear, inner []copyLoop) (outside, first, last []linear, ok bool) {
	outside, first, last, ok = c.block.dividedByStream(conditions)
	return outside, first, last, ok && (len(first)+len(last) == 0 || len(inner) == 1)
}

// partsInStream are the copies of full blocks between some iterations of the stream, as where a
// triangle cuts blocks, and copies as the bounds say before and behind these. Some iterations may
// be in both.
func (c *copyWriter) partsInStream(inner []copyLoop, first, last []linear, full, general loopir.Code) loopir.Code {
	if len(first)+len(last) == 0 {
		return c.nodes.nest(inner, full)
	}
	stream := inner[0]
	var parts loopir.Code
	part := func(lowers, uppers []*loopir.Expr, body loopir.Code) {
		loop := copyLoop{variable: stream.variable, lowers: slices.Concat(stream.lowers, lowers), uppers: slices.Concat(stream.uppers, uppers)}
		parts = append(parts, c.nodes.nest([]copyLoop{loop}, body)...)
	}
	if len(first) > 0 {
		part(nil, []*loopir.Expr{extremum(isl.OpMax, c.moved(first, -1))}, general)
	}
	part(c.moved(first, 0), c.moved(last, 0), full)
	if len(last) > 0 {
		part([]*loopir.Expr{extremum(isl.OpMin, c.moved(last, 1))}, nil, general)
	}
	return parts
}

// moved are expressions of values, each by so much more.
func (c *copyWriter) moved(values []linear, by int64) []*loopir.Expr {
	expressions := make([]*loopir.Expr, len(values))
	for k, value := range values {
		expressions[k] = c.block.tile.expressionOf(value.plus(linear{"": 1}, by))
	}
	return expressions
}

// onThreads runs the outermost of some loops on the threads that share the
// buffer.
func (c *copyWriter) onThreads(copied loopir.Code, loops int) loopir.Code {
	if c.Shared && loops > 0 {
		copied[0].(*loopir.For).Threads = &loopir.Threads{Several: c.nodes.grain}
	}
	return copied
}

// isUnrolled says whether full blocks unroll a loop.
func (c *copyWriter) isUnrolled(variable string) bool {
	return slices.ContainsFunc(c.block.unrolled, func(u unrolledLoop) bool { return u.variable == variable })
}

// extremum is the largest or least of some expressions.
func extremum(operator isl.AstOpType, of []*loopir.Expr) *loopir.Expr {
	if len(of) == 1 {
		return of[0]
	}
	return loopir.Operation(operator, of...)
}

// element is the copy of one element, at the values of the loops.
func (c *copyWriter) element() loopir.Code {
	s := c.statement
	values := c.nodes.values(s.run, same)
	target := &loopir.Buffered{Buffer: c.buffer, Index: c.block.tile.expressionOf(c.at)}
	c.nodes.needs(target.Index)
	value := oneLine(textBetween(s.model.Statement, values, c.place.Start, c.place.End))
	return loopir.Code{&loopir.Move{To: target, From: c.present(c.operand, value)}}
}

// mostCopies bounds the elements of a full block that are copied by unrolled code.
const mostCopies = 64

// fullCopy are the copies of all elements of a full block, and the conditions
// under which it is full in the loops that move the operand; nil when the
// copy is better made by loops.
func (c *copyWriter) fullCopy(unrolled []copyLoop) (code loopir.Code, conditions []linear) {
	ranges := map[string]interval{}
	product := int64(1)
	for _, u := range c.block.unrolled {
		k := slices.IndexFunc(unrolled, func(l copyLoop) bool { return l.variable == u.variable })
		if k < 0 {
			continue
		}
		full := interval{lower: u.lower, upper: u.lower.plus(linear{"": 1}, u.count-1), depth: len(ranges)}
		var inside []linear
		for _, e := range unrolled[k].lowers {
			inside = append(inside, full.lower.plus(c.block.tile.linearOf(e), -1))
		}
		for _, e := range unrolled[k].uppers {
			inside = append(inside, c.block.tile.linearOf(e).plus(full.upper, -1))
		}
		for _, difference := range inside {
			var ok bool
			if conditions, ok = c.block.tile.atLeastZero(conditions, difference, ranges); !ok {
				return nil, nil
			}
		}
		if product *= u.count; product > mostCopies {
			return nil, nil
		}
		ranges[u.variable] = full
	}
	step := int64(1)
	if c.operand.step == consecutive && c.lanesAreLast(c.at) {
		step = max(1, c.block.lanes)
	}
	for _, offsets := range c.offsetsOf(unrolled, step) {
		code = append(code, c.fullElement(offsets, step))
	}
	return code.Several(), conditions
}

// offsetsOf are the points of a full block, or the first points of its vectors, in
// the loops that move the operand.
func (c *copyWriter) offsetsOf(unrolled []copyLoop, step int64) [][]int64 {
	list := [][]int64{nil}
	for k, u := range c.block.unrolled {
		count, by := int64(1), int64(1)
		if slices.ContainsFunc(unrolled, func(l copyLoop) bool { return l.variable == u.variable }) {
			count = u.count
			if k == len(c.block.unrolled)-1 {
				by = step
			}
		}
		var longer [][]int64
		for _, offsets := range list {
			for v := int64(0); v < count; v += by {
				longer = append(longer, append(offsets[:len(offsets):len(offsets)], v))
			}
		}
		list = longer
	}
	return list
}

// fullElement is the copy of an element of a full block, or of a vector of them.
func (c *copyWriter) fullElement(offsets []int64, step int64) *loopir.Move {
	s := c.statement
	values := c.block.values(c.nodes, s, offsets)
	target := &loopir.Buffered{Buffer: c.buffer, Index: c.block.at(c.block.tile.expressionOf(c.at), offsets)}
	c.nodes.needs(target.Index)
	before := oneLine(textBetween(s.model.Statement, values, c.place.Start, c.operand.place.Start))
	element := oneLine(textBetween(s.model.Statement, values, c.operand.place.Start, c.operand.place.End))
	after := oneLine(textBetween(s.model.Statement, values, c.operand.place.End, c.place.End))
	m := &loopir.Move{To: target, Before: before, After: after, From: c.placed(c.operand, offsets, element)}
	if step > 1 {
		m.Vector = c.vector
	}
	return m
}
