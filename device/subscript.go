package device

import (
	"cmp"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// subscript is the value of a subscript. Sums and products of iterators, parameters and numbers are
// computed in the numbers of kernels, of 32 or 64 bits: they have the same value in all types, since
// they are within an array. All else, such as the hash (i * 2654435761u) >> 28, is computed in the
// types of C.
func (n *instances) subscript(e scop.Expr, r *loopir.Run) (scop.Expr, error) {
	return n.value(e, r, n.isPlain(e, r, true))
}

// plainOperators are those whose results are the same in all types that are not unsigned.
var plainOperators = []string{"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}

// isPlain says whether an expression is made of iterators, parameters and numbers by sums and
// products, or by quotients and conditions, too, where no type is unsigned.
func (n *instances) isPlain(e scop.Expr, r *loopir.Run, mayBeUnsigned bool) bool {
	switch e := e.(type) {
	case *scop.Ref:
		kind := ""
		if e.Loop >= 0 {
			kind = r.Statement.Statement.Loops[e.Loop].Type
		} else if kind = n.integerType(e); kind == "" {
			return false
		}
		return mayBeUnsigned || !strings.HasPrefix(kind, "unsigned")
	case *scop.Number:
		return isNumber(e.Text)
	case *scop.Unary:
		return (e.Operator == scop.Parentheses || e.Operator == "-" || e.Operator == "+") && n.isPlain(e.X, r, mayBeUnsigned)
	case *scop.Binary:
		mayBeUnsigned = mayBeUnsigned && strings.Contains("+-*", e.Operator)
		return slices.Contains(plainOperators, e.Operator) && n.isPlain(e.X, r, mayBeUnsigned) && n.isPlain(e.Y, r, mayBeUnsigned)
	case *scop.Select:
		return n.isPlain(e.If, r, false) && n.isPlain(e.Then, r, false) && n.isPlain(e.Else, r, false)
	}
	return false
}

// integerType is the type of a parameter of the program, "" for what is none.
func (n *instances) integerType(e *scop.Ref) string {
	spelling := spellingOf(e)
	for _, parameter := range n.program.Parameters {
		if n.program.Spelling(parameter) == spelling {
			return n.parameterType(parameter)
		}
	}
	return ""
}

// parameterType is the type of a parameter in C.
func (n *instances) parameterType(parameter string) string {
	return cmp.Or(n.program.ParameterTypes[parameter], "int")
}
