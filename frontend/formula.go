package frontend

import (
	"fmt"
	"strings"
)

// formula is a quantifier-free condition over iterators and parameters.
type formula interface {
	// text is the condition in isl's syntax; outer says that it stands alone
	// or in a conjunction, where a conjunction needs no parentheses.
	text(outer bool) string
	negated() formula
	variables() []string
}

// comparison is left op right with op one of < <= > >= = !=.
type comparison struct {
	left  linear
	op    string
	right linear
}

// conjunction holds when all its parts do; the empty one always.
type conjunction []formula

// disjunction holds when one of its parts does; the empty one never.
type disjunction []formula

// chain is low above name below high, the usual bounds of a loop, where the
// operators are < or <=.
type chain struct {
	low   linear
	above string
	name  string
	below string
	high  linear
}

var oppositeOperator = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}

func (c comparison) text(bool) string { return fmt.Sprintf("%s %s %s", c.left, c.op, c.right) }
func (c comparison) negated() formula {
	return comparison{c.left, oppositeOperator[c.op], c.right}
}
func (c comparison) variables() []string { return append(c.left.variables(), c.right.variables()...) }

func (c chain) text(bool) string {
	return fmt.Sprintf("%s %s %s %s %s", c.low, c.above, c.name, c.below, c.high)
}
func (c chain) negated() formula {
	x := variableForm(c.name)
	return disjunction{comparison{c.low, oppositeOperator[c.above], x}, comparison{x, oppositeOperator[c.below], c.high}}
}
func (c chain) variables() []string {
	return append(append(c.low.variables(), c.name), c.high.variables()...)
}

func (c conjunction) text(outer bool) string {
	if len(c) == 0 {
		return "true"
	}
	return joinFormulas(c, " and ", outer || len(c) == 1, len(c) == 1 && outer)
}
func (c conjunction) negated() formula {
	parts := make(disjunction, len(c))
	for i, p := range c {
		parts[i] = p.negated()
	}
	return parts
}
func (c conjunction) variables() []string { return variablesOf(c) }

func (d disjunction) text(outer bool) string {
	if len(d) == 0 {
		return "false"
	}
	return joinFormulas(d, " or ", len(d) == 1, len(d) == 1 && outer)
}
func (d disjunction) negated() formula {
	parts := make(conjunction, len(d))
	for i, p := range d {
		parts[i] = p.negated()
	}
	return parts
}
func (d disjunction) variables() []string { return variablesOf(d) }

func joinFormulas(parts []formula, separator string, bare, outer bool) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text(outer)
	}
	joined := strings.Join(texts, separator)
	if bare {
		return joined
	}
	return "(" + joined + ")"
}

func variablesOf(parts []formula) []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.variables()...)
	}
	return names
}

// constantTruth is the value of a formula without variables.
func constantTruth(f formula) (value, known bool) {
	c, ok := f.(comparison)
	if !ok || !c.left.isConstant() || !c.right.isConstant() {
		return false, false
	}
	l, r := c.left.constant, c.right.constant
	switch c.op {
	case "<":
		return l < r, true
	case "<=":
		return l <= r, true
	case ">":
		return l > r, true
	case ">=":
		return l >= r, true
	case "=":
		return l == r, true
	}
	return l != r, true
}

// and joins conditions and flattens nested conjunctions.
func and(parts ...formula) formula {
	var all conjunction
	for _, p := range parts {
		if p == nil {
			continue
		}
		if truth, known := constantTruth(p); known && truth {
			continue
		}
		if c, ok := p.(conjunction); ok {
			all = append(all, c...)
			continue
		}
		all = append(all, p)
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// or joins alternatives and drops those that never hold.
func or(parts ...formula) formula {
	var all disjunction
	for _, p := range parts {
		if truth, known := constantTruth(p); known && !truth {
			continue
		}
		if d, ok := p.(disjunction); ok {
			all = append(all, d...)
			continue
		}
		all = append(all, p)
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}
