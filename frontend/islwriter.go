package frontend

import (
	"fmt"
	"strings"
)

// islWriter writes sets and relations in isl's syntax with a fixed list of
// parameters.
type islWriter struct {
	parameters []string
}

func (w *islWriter) prefix() string {
	if len(w.parameters) == 0 {
		return ""
	}
	return "[" + strings.Join(w.parameters, ", ") + "] -> "
}

// context is a set over the parameters alone.
func (w *islWriter) context(conditions []formula) string {
	return fmt.Sprintf("%s{  : %s }", w.prefix(), conditionsText(conditions))
}

// set is the set of the tuple's points that meet all conditions.
func (w *islWriter) set(tuple string, names []string, conditions []formula) string {
	return fmt.Sprintf("%s{ %s%s }", w.prefix(), tupleText(tuple, names), clause(conditions))
}

// relation maps the instances of a statement to the elements a reference
// touches. A subscript that is not affine is left free.
func (w *islWriter) relation(tuple string, names []string, r reference) string {
	var pieces []string
	for _, choice := range r.choices() {
		conditions := append(append([]formula{}, r.conditions...), choice.conditions...)
		pieces = append(pieces, fmt.Sprintf("%s -> %s%s", tupleText(tuple, names),
			tupleText(r.array.Name, choice.subscripts), clause(conditions)))
	}
	return fmt.Sprintf("%s{ %s }", w.prefix(), strings.Join(pieces, "; "))
}

func tupleText(name string, elements []string) string {
	return name + "[" + strings.Join(elements, ", ") + "]"
}

func clause(conditions []formula) string {
	text := conditionsText(conditions)
	if text == "" {
		return ""
	}
	return " : " + text
}

// conditionsText is the conjunction of the conditions, or "" for none.
func conditionsText(conditions []formula) string {
	all := and(conditions...)
	if c, ok := all.(conjunction); ok {
		if len(c) == 0 {
			return ""
		}
		texts := make([]string, len(c))
		for i, p := range c {
			texts[i] = p.text(false)
		}
		return strings.Join(texts, " and ")
	}
	return all.text(true)
}
