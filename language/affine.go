package language

import (
	"fmt"
	"slices"
	"strings"

	"polytune/algorithm"
)

// piece is the value of an integer expression, in isl's notation, where conditions hold.
type piece struct {
	value string
	when  []string
}

// mostPieces bounds the pieces of one expression.
const mostPieces = 64

// affine are the pieces of an integer expression over iterators and sizes; none where it is not
// affine.
func (f *function) affine(e algorithm.Expr) []piece {
	switch e.Op {
	case algorithm.OpNumber:
		if isInteger(numberType(e.Text)) {
			return []piece{{value: strings.TrimRight(e.Text, "uUlL")}}
		}
		return nil
	case algorithm.OpName:
		return f.affineName(e)
	case algorithm.OpCast:
		if t := algorithm.Type(e.Text); t == algorithm.Int32 || t == algorithm.Int64 {
			return f.affine(e.Args[0])
		}
		return nil
	case algorithm.OpSelect:
		return f.choice(e.Args[0], e.Args[1], e.Args[2])
	case algorithm.OpCall:
		return f.affineCall(e)
	case "-", "+", "*", "/", "%":
		return f.affineOperation(e)
	}
	return nil
}

func (f *function) affineName(e algorithm.Expr) []piece {
	if v := f.values[e.Text]; v != nil {
		if v.Kind == algorithm.KindConstant && isInteger(v.Type) {
			return f.affine(v.Value)
		}
		return nil
	}
	return []piece{{value: e.Text}}
}

func (f *function) affineCall(e algorithm.Expr) []piece {
	compared := func(op string, a, b algorithm.Expr) algorithm.Expr {
		return algorithm.Expr{Op: op, Args: []algorithm.Expr{a, b}}
	}
	if f.values[e.Text] != nil {
		return nil
	}
	switch e.Text {
	case "min":
		return f.choice(compared("<", e.Args[0], e.Args[1]), e.Args[0], e.Args[1])
	case "max":
		return f.choice(compared(">", e.Args[0], e.Args[1]), e.Args[0], e.Args[1])
	case "clamp":
		high := algorithm.Select(compared(">", e.Args[0], e.Args[2]), e.Args[2], e.Args[0])
		return f.choice(compared("<", e.Args[0], e.Args[1]), e.Args[1], high)
	case "abs":
		return f.choice(compared("<", e.Args[0], algorithm.Number("0")), e.Args[0].Negated(), e.Args[0])
	}
	return nil
}

// choice are the pieces of one expression where a condition holds, and of the other elsewhere.
func (f *function) choice(condition, then, otherwise algorithm.Expr) (pieces []piece) {
	holds, not := f.condition(condition), f.condition(algorithm.Not(condition))
	if holds == "" || not == "" {
		return nil
	}
	for _, side := range []struct {
		when string
		of   []piece
	}{{holds, f.affine(then)}, {not, f.affine(otherwise)}} {
		if side.of == nil {
			return nil
		}
		for _, p := range side.of {
			pieces = append(pieces, piece{p.value, append(slices.Clone(p.when), side.when)})
		}
	}
	return few(pieces)
}

func few(pieces []piece) []piece {
	if len(pieces) > mostPieces {
		return nil
	}
	return pieces
}

func (f *function) affineOperation(e algorithm.Expr) (pieces []piece) {
	left := f.affine(e.Args[0])
	if len(e.Args) == 1 {
		for _, p := range left {
			pieces = append(pieces, piece{"-(" + p.value + ")", p.when})
		}
		return pieces
	}
	right := f.affine(e.Args[1])
	isNumber := func(of []piece) bool { return len(of) == 1 && strings.Trim(of[0].value, "0123456789-()") == "" }
	switch {
	case e.Op == "*" && !isNumber(left) && !isNumber(right), (e.Op == "/" || e.Op == "%") && (!isNumber(right) || strings.Trim(right[0].value, "0-()") == "" || strings.Contains(right[0].value, "-")):
		return nil
	}
	for _, a := range left {
		for _, b := range right {
			when := append(slices.Clone(a.when), b.when...)
			switch e.Op {
			case "/":
				pieces = append(pieces, piece{fmt.Sprintf("floor((%s)/%s)", a.value, b.value), append(slices.Clone(when), a.value+" >= 0")},
					piece{fmt.Sprintf("-(floor((-(%s))/%s))", a.value, b.value), append(when, a.value+" < 0")})
			case "%":
				pieces = append(pieces, piece{fmt.Sprintf("((%s) mod %s)", a.value, b.value), append(slices.Clone(when), a.value+" >= 0")},
					piece{fmt.Sprintf("-((-(%s)) mod %s)", a.value, b.value), append(when, a.value+" < 0")})
			case "*":
				number, other := a.value, b.value
				if !isNumber(left) {
					number, other = other, number
				}
				pieces = append(pieces, piece{fmt.Sprintf("(%s*(%s))", signed(number), other), when})
			default:
				pieces = append(pieces, piece{fmt.Sprintf("%s %s (%s)", a.value, e.Op, b.value), when})
			}
		}
	}
	return few(pieces)
}

// signed is a number without parentheses: -(-(3)) is 3.
func signed(number string) string {
	digits := strings.Trim(number, "-()")
	if strings.Count(number, "-")%2 == 1 {
		return "-" + digits
	}
	return digits
}

// condition is an affine condition in isl's notation; "" where it is none.
func (f *function) condition(e algorithm.Expr) string {
	switch e.Op {
	case "&&", "||":
		left, right := f.condition(e.Args[0]), f.condition(e.Args[1])
		if left == "" || right == "" {
			return ""
		}
		return fmt.Sprintf("((%s) %s (%s))", left, map[string]string{"&&": "and", "||": "or"}[e.Op], right)
	case "!":
		if inside := f.condition(e.Args[0]); inside != "" {
			return "not (" + inside + ")"
		}
	case "<", "<=", ">", ">=", "==", "!=":
		left, right := f.affine(e.Args[0]), f.affine(e.Args[1])
		if len(left)*len(right) > mostPieces {
			return ""
		}
		var cases []string
		for _, a := range left {
			for _, b := range right {
				op := map[string]string{"==": "="}[e.Op]
				if op == "" {
					op = e.Op
				}
				comparison := fmt.Sprintf("%s %s %s", a.value, op, b.value)
				cases = append(cases, "("+strings.Join(append(append(slices.Clone(a.when), b.when...), comparison), " and ")+")")
			}
		}
		return strings.Join(cases, " or ")
	}
	return ""
}
