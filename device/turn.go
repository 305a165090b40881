package device

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/mark"
)

// isTurn says whether it is the present thread's turn to run an iteration of a loop.
func isTurn(iteration *loopir.Expr, t mark.Thread) *loopir.Expr {
	return loopir.Operation(isl.OpEq, modulo(iteration, t.Count), loopir.Index(t.Dimension))
}

// modulo is the remainder, never negative, of a number.
func modulo(e *loopir.Expr, by int64) *loopir.Expr {
	if e.Kind == isl.AstInt {
		return loopir.Int((e.Value%by + by) % by)
	}
	quotient := loopir.Operation(isl.OpFdivQ, e, loopir.Int(by))
	return loopir.Operation(isl.OpSub, e, loopir.Operation(isl.OpMul, loopir.Int(by), quotient))
}

// valueOf is the value of a loop of the schedule for an instance.
func (m *mapper) valueOf(loop string, r *loopir.Run) (*loopir.Expr, error) {
	n, place, err := m.env.Tree().Loop(loop)
	if err != nil {
		return nil, err
	}
	l := n.Loops[place]
	if len(l.Terms) != 1 || !l.Runs(r.Statement.Index) {
		return nil, fmt.Errorf("threads cannot share the iterations of %s, a wavefront or a loop over hexagons", loop)
	}
	row := l.Terms[0].Rows[r.Statement.Index]
	value := rowAt(row, r, m.env.Model().Program.Parameters)
	if size := l.Terms[0].Size; size > 1 {
		value = loopir.Operation(isl.OpFdivQ, value, loopir.Int(size))
	}
	return value, nil
}

// rowAt is the value of a row for an instance.
func rowAt(row schedule.Row, r *loopir.Run, parameters []string) *loopir.Expr {
	value := loopir.Int(row.Constant)
	add := func(factor int64, e *loopir.Expr) {
		if factor != 0 {
			value = loopir.Operation(isl.OpAdd, loopir.Operation(isl.OpMul, loopir.Int(factor), e), value)
		}
	}
	for k, factor := range row.Iterators {
		add(factor, r.At[k])
	}
	for k, factor := range row.Parameters {
		add(factor, loopir.Named(parameters[k]))
	}
	return value
}

// isValue says whether the variable of a loop certainly is the value of the schedule's loop for all
// instances inside: isl may have iterations 2i and 2i + 1 in one. What runs in a single iteration
// has a number as its value, which is the variable's there, too, where some other instance has the
// variable, or the loop is over tiles, and isl counts by one: it does not move instances then.
func (m *mapper) isValue(l *loopir.For, loop string) bool {
	n, place, err := m.env.Tree().Loop(loop)
	if err != nil || len(n.Loops[place].Terms) != 1 {
		return false
	}
	term, byOne, isFound := n.Loops[place].Terms[0], l.Step.Kind == isl.AstInt && l.Step.Value == 1, false
	for _, r := range loopir.Runs(l.Body) {
		row, known := term.Rows[r.Statement.Index]
		switch {
		case !known:
			return false
		case term.Size > 1 && byOne && row.IsConstant():
			continue
		case term.Size > 1 && !isClose(row, term.Size):
			return false
		case term.Size > 1:
			isFound = true
			continue
		}
		value := quotaOf(rowAt(row, r, m.env.Model().Program.Parameters))
		isHere := value.plus(quotaOf(loopir.Named(l.Var)), -1).isZero()
		if !isHere && !(byOne && value.isNumber()) {
			return false
		}
		isFound = isFound || isHere
	}
	isStrided := func(row schedule.Row) bool { return !row.IsConstant() && !isClose(row, term.Size) }
	return isFound || term.Size > 1 && byOne && !slices.ContainsFunc(slices.Collect(maps.Values(term.Rows)), isStrided)
}

// isClose says whether a statement with a row has all tiles of a size between the first and the last
// that it has.
func isClose(row schedule.Row, size int64) bool {
	return slices.ContainsFunc(row.Iterators, func(factor int64) bool { return factor != 0 && max(factor, -factor) <= size })
}

// quota is a sum of parts, by their keys, with factors over a denominator.
type quota struct {
	factors     map[string]int64
	denominator int64
}

// quotaOf is an expression as a sum; what is none is a part.
func quotaOf(e *loopir.Expr) quota {
	switch {
	case e.Kind == isl.AstInt:
		return quota{map[string]int64{"": e.Value}, 1}
	case e.Is(isl.OpMinus):
		return quota{nil, 1}.plus(quotaOf(e.Args[0]), -1)
	case e.Is(isl.OpAdd), e.Is(isl.OpSub):
		sum := quotaOf(e.Args[0])
		for _, argument := range e.Args[1:] {
			sum = sum.plus(quotaOf(argument), map[bool]int64{true: 1, false: -1}[e.Is(isl.OpAdd)])
		}
		return sum
	case e.Is(isl.OpMul) && e.Args[0].Kind == isl.AstInt:
		return quota{nil, 1}.plus(quotaOf(e.Args[1]), e.Args[0].Value)
	case e.Is(isl.OpMul) && e.Args[1].Kind == isl.AstInt:
		return quota{nil, 1}.plus(quotaOf(e.Args[0]), e.Args[1].Value)
	case e.Is(isl.OpDiv) && e.Args[1].Kind == isl.AstInt: // a division without remainder
		quotient := quotaOf(e.Args[0])
		quotient.denominator *= e.Args[1].Value
		return quotient
	}
	return quota{map[string]int64{e.Key(): 1}, 1}
}

// plus is the sum with another one, so many times.
func (l quota) plus(other quota, times int64) quota {
	sum := quota{map[string]int64{}, l.denominator * other.denominator}
	for part, factor := range l.factors {
		sum.factors[part] += factor * other.denominator
	}
	for part, factor := range other.factors {
		sum.factors[part] += times * factor * l.denominator
	}
	return sum
}

func (l quota) isZero() bool {
	for _, factor := range l.factors {
		if factor != 0 {
			return false
		}
	}
	return true
}

// isNumber says that all parts but the number are gone.
func (l quota) isNumber() bool {
	for part, factor := range l.factors {
		if part != "" && factor != 0 {
			return false
		}
	}
	return true
}
