package device

import (
	"slices"

	"polytune/internal/pattern"
	"polytune/scop"
)

// boolean is C's type of truth values, which have a byte of their own in memory of devices: 0 or 1.
const boolean = "_Bool"

func isBoolean(name string) bool { return name == boolean || name == "bool" }

// booleans finds the type in declarations.
var booleans = pattern.New(`\b(_Bool|bool)\b`)

// isTruth says whether a part of a statement is an element, or a variable, of truth values.
func (n *instances) isTruth(e scop.Expr) bool {
	e = scop.Unwrapped(e)
	if unary, is := e.(*scop.Unary); is {
		if pointed := n.pointedTo(unary); pointed != nil {
			e = pointed
		}
	}
	ref, is := e.(*scop.Ref)
	if !is {
		return false
	}
	array := n.arrayOf(ref)
	return array != nil && isBoolean(unqualified(array.Type))
}

// isAssignment says whether an operator gives its left side a value.
func isAssignment(operator string) bool {
	return slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, operator)
}

// truth is whether a number is another one than 0, as C converts it to a truth value.
func truth(e scop.Expr) scop.Expr { return &scop.Binary{Operator: "!=", X: e, Y: number(0)} }

// truthOf is the assignment of a truth value: of another one, or of what an operator makes of the
// one before and a number.
func truthOf(operator string, x, y scop.Expr) scop.Expr {
	if operator != "" {
		y = &scop.Binary{Operator: operator, X: x, Y: y}
	}
	return &scop.Binary{Operator: "=", X: x, Y: truth(y)}
}
