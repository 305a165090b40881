package randomprogram

import (
	"fmt"
	"strings"
)

func (w *printer) value(v Value) string {
	text := ""
	switch {
	case v.Condition != nil:
		text = fmt.Sprintf("(%s ? %s : %s)", w.condition(*v.Condition), w.reference(v.Element), w.reference(v.Otherwise))
	case v.Element != nil:
		text = w.reference(v.Element)
	case v.Integer != nil:
		text = parenthesized(w.integer(*v.Integer))
	default:
		return v.Factor
	}
	if v.Function != "" {
		text = v.Function + "(" + text + ")"
	}
	if v.Factor == "" {
		return text
	}
	return v.Factor + " * " + text
}

func (w *printer) reference(r *Reference) string {
	text := r.Array
	for k, s := range r.Subscripts {
		text += "[" + w.integer(s.plus(w.layout.Shifts[r.Array][k])) + "]"
	}
	return text
}

// parenthesized puts a sum in parentheses.
func parenthesized(text string) string {
	if strings.ContainsAny(text, " -") {
		return "(" + text + ")"
	}
	return text
}

func (w *printer) integer(n Integer) string {
	text := ""
	for _, t := range n.Terms {
		factor := t.Factor
		switch {
		case text == "" && factor < 0:
			text = "-"
		case text != "" && factor < 0:
			text += " - "
		case text != "":
			text += " + "
		}
		if factor = max(factor, -factor); factor != 1 {
			text += w.number(factor) + " * "
		}
		text += w.term(t)
	}
	switch {
	case text == "":
		return fmt.Sprint(n.Constant)
	case n.Constant < 0:
		return fmt.Sprintf("%s - %d", text, -n.Constant)
	case n.Constant > 0:
		return fmt.Sprintf("%s + %d", text, n.Constant)
	}
	return text
}

// names of constants, where they have some.
var constantNames = map[int]string{2: "TWO", 3: "three"}

// number is a positive constant or its name.
func (w *printer) number(value int) string {
	if name := constantNames[value]; name != "" && w.program.Named {
		return name
	}
	return fmt.Sprint(value)
}

func (w *printer) term(t Term) string {
	switch {
	case t.Quotient != nil:
		return fmt.Sprintf("(%s %s %s)", parenthesized(w.integer(t.Quotient.Dividend)), t.Quotient.Operator, w.number(t.Quotient.Divisor))
	case t.Choice != nil && t.Choice.Macro != "":
		return fmt.Sprintf("%s(%s, %s)", t.Choice.Macro, w.integer(t.Choice.Then), w.integer(t.Choice.Else))
	case t.Choice != nil:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(t.Choice.Condition), w.integer(t.Choice.Then), w.integer(t.Choice.Else))
	case t.Masked != nil:
		return fmt.Sprintf("(%s & 7)", w.reference(t.Masked))
	}
	return t.Variable
}

func (w *printer) condition(c Condition) string {
	switch c.Operator {
	case "&&", "||":
		return fmt.Sprintf("(%s) %s (%s)", w.condition(c.Parts[0]), c.Operator, w.condition(c.Parts[1]))
	case "!":
		return "!(" + w.condition(c.Parts[0]) + ")"
	}
	return fmt.Sprintf("%s %s %s", w.integer(c.Left), c.Operator, w.integer(c.Right))
}
