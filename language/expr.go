package language

import (
	"fmt"
	"strings"

	"polytune/algorithm"
)

// levels is where operators with one operand bind.
const levels = 10

// c is an expression as C, in a place where operators of a level bind, as algorithm.Binding counts.
func (w *writer) c(e algorithm.Expr, level int) string {
	text, own := w.unbound(e)
	if own < level {
		return "(" + text + ")"
	}
	return text
}

// unbound is an expression without parentheses around it, and how much it binds; -1 is less than
// all operators.
func (w *writer) unbound(e algorithm.Expr) (text string, binds int) {
	switch e.Op {
	case algorithm.OpNumber:
		return e.Text, levels + 1
	case algorithm.OpName:
		if v := w.values[e.Text]; v != nil && v.made != nil {
			return w.element(v, nil), levels + 1
		}
		return e.Text, levels + 1
	case algorithm.OpCast:
		return "(" + cTypes[algorithm.Type(e.Text)] + ")" + w.c(e.Args[0], levels), levels
	case algorithm.OpSelect:
		return fmt.Sprintf("%s ? %s : %s", w.c(e.Args[0], 0), w.c(e.Args[1], 0), w.c(e.Args[2], 0)), -1
	case algorithm.OpCall:
		return w.call(e)
	}
	if len(e.Args) == 1 {
		return e.Op + w.c(e.Args[0], levels+1), levels
	}
	own := algorithm.Binding(e.Op)
	left, right := own, own+1
	if isMixed(e.Op) {
		left, right = loose(e.Op, e.Args[0]), loose(e.Op, e.Args[1])
	}
	return w.c(e.Args[0], left) + " " + e.Op + " " + w.c(e.Args[1], right), own
}

// isMixed says that compilers warn of operators beside others without parentheses.
func isMixed(op string) bool { return strings.Contains("|| && | ^ & == != < <= > >= << >>", op) }

// loose is the level at which an operand of such an operator stands without parentheses: the same
// operator again, and, beside comparisons and conditions, arithmetic.
func loose(op string, operand algorithm.Expr) int {
	switch {
	case operand.Op == op && strings.Contains("|| && | ^ &", op):
		return algorithm.Binding(op)
	case op == "||" || op == "&&":
		return 5 // comparisons
	case strings.Contains("== != < <= > >=", op):
		return 8 // sums
	}
	return levels
}

// isOne says whether a value without subscripts is the one element of an array: the caller's, or an
// integer, since C whose integers have values that are known has no statements for them.
func (v *value) isOne() bool {
	return v.made != nil && v.dimensions() == 0 && (v.output != nil || isInteger(v.Type))
}

// element is an element of the array that has a value, with these subscripts.
func (w *writer) element(v *value, subscripts []algorithm.Expr) string {
	text := v.array
	for k, e := range subscripts {
		if v.offsets[k] > 0 {
			e = e.Plus(int(v.offsets[k]))
		}
		text += "[" + w.c(e, 0) + "]"
	}
	if v.isOne() {
		text += "[0]"
	}
	return text
}

// absolute is the function of C for an absolute value; "" for integers that are affine, as in
// subscripts, and for larger ones, which are chosen by a condition.
func (w *writer) absolute(e algorithm.Expr) string {
	switch t := w.typeOf(e); {
	case t == algorithm.Float32:
		return "fabsf"
	case t == algorithm.Float64:
		return "fabs"
	case promoted(t) == algorithm.Int32 && w.affine(e) == nil:
		return "abs"
	}
	return ""
}

// typeOf is the type of an expression of a computation whose types are right.
func (w *writer) typeOf(e algorithm.Expr) algorithm.Type {
	s := &scope{function: w.function, iterators: w.iterators}
	return s.typed(e)
}

// call is a value with subscripts, or a call of a function.
func (w *writer) call(e algorithm.Expr) (text string, binds int) {
	if v := w.values[e.Text]; v != nil {
		return w.element(v, e.Args), levels + 1
	}
	part := func(k int) string { return w.c(e.Args[k], 8) }
	switch e.Text {
	case "min":
		return fmt.Sprintf("%s < %s ? %s : %s", part(0), part(1), part(0), part(1)), -1
	case "max":
		return fmt.Sprintf("%s > %s ? %s : %s", part(0), part(1), part(0), part(1)), -1
	case "clamp":
		return fmt.Sprintf("%s < %s ? %s : %s > %s ? %s : %s", part(0), part(1), part(1), part(0), part(2), part(2), part(0)), -1
	case "abs":
		if name := w.absolute(e.Args[0]); name != "" {
			return name + "(" + w.c(e.Args[0], 0) + ")", levels + 1
		}
		return fmt.Sprintf("%s < 0 ? -%s : %s", part(0), w.c(e.Args[0], levels+1), part(0)), -1
	}
	arguments := make([]string, len(e.Args))
	for k, a := range e.Args {
		arguments[k] = w.c(a, 0)
	}
	return e.Text + "(" + strings.Join(arguments, ", ") + ")", levels + 1
}
