package frontend

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// notAffineConstruct is what errors about expressions that are no affine form are about.
const notAffineConstruct = "non-affine expression"

// anySubscript is the subscript that may be anything where one is no affine form, with a warning
// for each array; the remainder of a division by an affine form is at least less than that. Other
// errors stay.
func (c *collector) anySubscript(array *arrayInfo, v lvalue, n cc.ExpressionNode, err error) (subscript, error) {
	if n != nil && c.wrapsAround(n) {
		err = c.unsignedRows(array, n)
	}
	problem := coarseProblem(err)
	if problem == nil || hasEffect(n) {
		return subscript{}, err
	}
	c.x.warnOnce(c.anyElementOf(array, v, problem))
	return c.belowDivisor(n), nil
}

// coarseProblem is the problem of an index that may be taken for any: it is no affine form, or one
// of rows that may wrap around. It is nil for other errors.
func coarseProblem(err error) *Error {
	var problem *Error
	if !errors.As(err, &problem) || problem.Construct != notAffineConstruct && problem.Construct != unsignedRowsConstruct {
		return nil
	}
	return problem
}

// anyInRows are subscripts of an array with rows that may be anything, with a warning, once it is
// settled that no lengths of rows fit all references.
func (c *collector) anyInRows(array *arrayInfo, index cc.ExpressionNode, at cc.Node) ([]subscript, error) {
	err := c.notAffineIn(array, index, at)
	problem := coarseProblem(err)
	if index == nil || !c.x.rows[array.key()].settled || problem == nil || hasEffect(index) {
		return nil, err
	}
	c.x.warnOnce(c.anyElementOf(array, lvalue{variable: array.declarator}, problem))
	return make([]subscript, len(array.rows)+1), nil
}

// belowDivisor is a subscript of which only the divisor is known, if it is a remainder.
func (c *collector) belowDivisor(n cc.ExpressionNode) subscript {
	x, ok := unwrap(n).(*cc.MultiplicativeExpression)
	if !ok || x.Case != cc.MultiplicativeExpressionMod {
		return subscript{}
	}
	divisor, err := c.evaluator().affine(x.CastExpression)
	if err != nil || !c.evaluator().holds(compare(divisor, ">", single(constantForm(0)))) {
		return subscript{}
	}
	return subscript{value: single(constantForm(1)).plus(divisor, -1), end: divisor}
}

// anyElementOf is the warning about an array with a subscript that is no affine form.
func (c *collector) anyElementOf(array *arrayInfo, v lvalue, problem *Error) *Error {
	cost := "; the region only reads it, so that this keeps no loop in order"
	if slices.ContainsFunc(c.x.facts.written[v.variable], v.overlaps) {
		cost = ", which the region writes: loops around keep their order, and do not run in parallel"
	}
	return &Error{problem.Position, "subscript", fmt.Sprintf("references to %s such as this one are taken for ones to any element%s: %s", array.Spelling(), cost, problem.Message), problem.Advice}
}

// warnOnce adds a warning if there is none that says the same, its place and reason aside.
func (x *extractor) warnOnce(warning *Error) {
	const untilReason = ':'
	of := func(w *Error) string {
		if k := slices.Index([]byte(w.Message), untilReason); k >= 0 {
			return w.Message[:k]
		}
		return w.Message
	}
	if !slices.ContainsFunc(x.warnings, func(w *Error) bool { return w.Construct == warning.Construct && of(w) == of(warning) }) {
		x.warnings = append(x.warnings, warning)
	}
}
