package algorithm

import "strings"

// String is the expression as a text that reads as the same tree, with the parentheses that it
// needs.
func (e Expr) String() string { return e.text(0) }

// text is the expression where operators of a level bind.
func (e Expr) text(level int) string {
	switch {
	case e.Op == OpNumber || e.Op == OpName:
		return e.Text
	case e.Op == OpCall || e.Op == OpCast:
		return e.Text + "(" + list(e.Args) + ")"
	case e.Op == OpSelect:
		return "select(" + list(e.Args) + ")"
	case e.Op == OpProblem:
		return "?"
	case len(e.Args) == 1 && e.Args[0].Op == e.Op:
		return e.Op + "(" + e.Args[0].String() + ")"
	case len(e.Args) == 1:
		return e.Op + e.Args[0].text(len(levels))
	case len(e.Args) != 2:
		return "?"
	}
	own := Binding(e.Op)
	left := own
	if own == comparisons {
		left++
	}
	text := e.Args[0].text(left) + " " + e.Op + " " + e.Args[1].text(own+1)
	if own < level {
		return "(" + text + ")"
	}
	return text
}

// comparisons is the level of < and its like, which do not chain.
const comparisons = 6

// Binding is how much an operator with two operands binds, from 0.
func Binding(op string) int {
	for level, operators := range levels {
		for _, o := range operators {
			if o == op {
				return level
			}
		}
	}
	return len(levels)
}

func list(all []Expr) string {
	texts := make([]string, len(all))
	for k, e := range all {
		texts[k] = e.String()
	}
	return strings.Join(texts, ", ")
}
