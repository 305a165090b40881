package codegen

import (
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// unroll has iterations of loops one after the other in the code, or side by side in lanes, a
// constant number at a time, where marks say so, and a loop for the rest.
func unroll(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		loop, is := s.(*loopir.For)
		if !is {
			return s, nil
		}
		if m, is := mark.Of[mark.Unroll](loop.Marks); is {
			return e.unrolled(loop, m), nil
		}
		if m, is := mark.Of[mark.Strips](loop.Marks); is && isOfLanes(loop) {
			return e.inStrips(loop, m), nil
		}
		return s, nil
	})
}

// notCounted is why nobody knows how many iterations a loop has.
const notCounted = "the loop has no constant step, or goes on from where another one ended"

// unrolled is a loop with so many iterations, or all, one after the other.
func (e *Env) unrolled(loop *loopir.For, m mark.Unroll) loopir.Stmt {
	c, is := e.countedOf(loop)
	if !is {
		e.Decline(m, notCounted)
		return loop
	}
	by := m.By
	if by == 0 {
		if by = c.number(); by < 0 || by > mostUnrolled {
			e.Decline(m, fmt.Sprintf("the loop has no constant number of iterations, or more than %d", mostUnrolled))
			return loop
		}
	}
	e.Honour(m)
	first := loopir.Named(c.turn)
	if m.By == 0 {
		first = loop.From
	}
	var copies loopir.Code
	for k := range by {
		copies = append(copies, &loopir.Let{Var: loop.Var, Value: c.ahead(first, k), Body: loop.Body})
	}
	if m.By == 0 {
		return &loopir.Block{Body: copies}
	}
	return c.inTurns(by, copies)
}

// mostUnrolled bounds the iterations that stand one after the other because nobody says how many do.
const mostUnrolled = 1024

// inStrips is a vector loop as loops of so many iterations, with a constant number of iterations
// for the compiler, and a loop for the rest, which has no lanes.
func (e *Env) inStrips(loop *loopir.For, m mark.Strips) loopir.Stmt {
	c, is := e.countedOf(loop)
	if !is || c.step != 1 {
		e.Decline(m, notCounted)
		return loop
	}
	e.Honour(m)
	lanes := *loop
	lanes.From = loopir.Named(c.turn)
	lanes.While = loopir.Operation(isl.OpLt, loopir.Named(loop.Var), c.ahead(lanes.From, m.Lanes))
	lanes.Full = true
	return c.inTurns(m.Lanes, loopir.Code{&lanes})
}

// counted is a loop over one variable with a constant step.
type counted struct {
	*loopir.For
	env  *Env
	step int64
	// end is the number in front of which the loop ends.
	end *loopir.Expr
	// lines has the expressions in the bounds that are not affine.
	lines *fullTile
	// turn is the name of the variable of a loop over several iterations.
	turn string
}

// countedOf is a loop as one that is counted, if it is one.
func (e *Env) countedOf(loop *loopir.For) (c counted, is bool) {
	if loop.Once || loop.From == nil || loop.Step.Kind != isl.AstInt || loop.Step.Value < 1 || !isCanonical(loop.While, loop.Var) {
		return c, false
	}
	c = counted{For: loop, env: e, step: loop.Step.Value, end: loop.While.Args[1], lines: &fullTile{opaque: map[string]*loopir.Expr{}}, turn: freshNames(loop.Var+"_", 1, e.nodes.taken)[0]}
	if loop.While.Is(isl.OpLe) {
		c.end = sum(c.end, 1)
	}
	return c, true
}

// ahead is the value of the variable so many iterations behind another one.
func (c counted) ahead(value *loopir.Expr, iterations int64) *loopir.Expr {
	return sum(value, iterations*c.step)
}

// distance is how far the loop's end is from its first value.
func (c counted) distance() linear {
	return c.lines.linearOf(c.end).plus(c.lines.linearOf(c.From), -1)
}

// number is the constant number of iterations, -1 where there is no such.
func (c counted) number() int64 {
	distance := c.distance()
	if !distance.isConstant() {
		return -1
	}
	return max(0, (distance[""]+c.step-1)/c.step)
}

// inTurns is a loop whose body has so many iterations, and one for those that are left.
func (c counted) inTurns(by int64, body loopir.Code) loopir.Stmt {
	turns, rest := *c.For, *c.For
	turns.Var, turns.Lanes, turns.Marks, turns.Done = c.turn, nil, nil, true
	turns.While = loopir.Operation(isl.OpLt, loopir.Named(c.turn), sum(c.end, -(by-1)*c.step))
	turns.Step, turns.Body = loopir.Int(by*c.step), body
	rest.Lanes, rest.Marks = nil, nil
	rest.From = c.behindTurns(by)
	c.env.nodes.needs(turns.While, rest.From)
	return &loopir.Block{Body: loopir.Code{&turns, &rest}}
}

// behindTurns is the first value of the variable that no turn of so many iterations has.
func (c counted) behindTurns(by int64) *loopir.Expr {
	length := by * c.step
	left := c.lines.expressionOf(c.distance().plus(linear{"": 1}, c.step-1))
	turned := loopir.Operation(isl.OpMul, loopir.Int(length), loopir.Operation(isl.OpFdivQ, left, loopir.Int(length)))
	if !c.From.IsInt(0) {
		turned = loopir.Operation(isl.OpAdd, c.From, turned)
	}
	return loopir.Operation(isl.OpMax, c.From, turned)
}

// sum is an expression and a number.
func sum(e *loopir.Expr, number int64) *loopir.Expr {
	switch {
	case number == 0:
		return e
	case e.Kind == isl.AstInt:
		return loopir.Int(e.Value + number)
	case number < 0:
		return loopir.Operation(isl.OpSub, e, loopir.Int(-number))
	}
	return loopir.Operation(isl.OpAdd, e, loopir.Int(number))
}
