package variant

import (
	"fmt"
	"slices"
	"strings"
)

// Condition says something about the values of axes. It is made of Is,
// AtMost, All, Any, Not, Implies and Holds. Of an axis that is not active, Is
// is false; for AtMost see Expression.
type Condition interface {
	// String is the condition as people read it; conditions with equal texts
	// are equal.
	String() string
	// given is what is left of the condition when the fact is known. It is a
	// truth when the condition is decided, as it is when all its axes are
	// known.
	given(f fact, r ranges) Condition
	// each calls use for every place where the condition names an axis.
	each(use func(mention))
}

// mention is one place where a condition names an axis: the values it is
// compared with, or the side of a comparison in which it is a number.
type mention struct {
	axis   string
	values []Value
	side   Expression
}

// truth is a decided condition.
type truth bool

func (t truth) String() string               { return fmt.Sprint(bool(t)) }
func (t truth) given(fact, ranges) Condition { return t }
func (t truth) each(func(mention))           {}

// Is says that the axis has one of the values.
func Is(axis string, values ...Value) Condition { return is{axis, values} }

type is struct {
	axis   string
	values []Value
}

func (c is) String() string {
	texts := make([]string, len(c.values))
	for i, v := range c.values {
		texts[i] = c.axis + "=" + v.text
	}
	return strings.Join(texts, " or ")
}

func (c is) given(f fact, _ ranges) Condition {
	if f.axis != c.axis {
		return c
	}
	return truth(f.active && slices.Contains(c.values, f.value))
}

func (c is) each(use func(mention)) { use(mention{axis: c.axis, values: c.values}) }

// AtMost says that left <= right. Its axes are ladders or switches.
func AtMost(left, right Expression) Condition { return comparison{left, right}.decided(nil) }

type comparison struct{ left, right Expression }

func (c comparison) String() string { return c.left.String() + " <= " + c.right.String() }

func (c comparison) given(f fact, r ranges) Condition {
	return comparison{c.left.given(f, 0), c.right.given(f, 0)}.decided(r)
}

// decided is the condition, or a truth as soon as the bounds of both sides
// decide it. Without ranges only numbers do.
func (c comparison) decided(r ranges) Condition {
	if r == nil && len(axesOf(c)) > 0 {
		return c
	}
	leftLow, leftHigh := c.left.bounds(r, 0)
	rightLow, rightHigh := c.right.bounds(r, 0)
	switch {
	case leftHigh <= rightLow:
		return truth(true)
	case leftLow > rightHigh:
		return truth(false)
	}
	return c
}

func (c comparison) each(use func(mention)) {
	for _, side := range []Expression{c.left, c.right} {
		side.eachAxis(func(name string) { use(mention{axis: name, side: side}) })
	}
}

// All says that every one of the conditions holds.
func All(conditions ...Condition) Condition { return junction{true, conditions}.simple() }

// Any says that at least one of the conditions holds.
func Any(conditions ...Condition) Condition { return junction{false, conditions}.simple() }

// junction is "and", neutral being true, or "or".
type junction struct {
	neutral bool
	parts   []Condition
}

// simple leaves out what decides nothing or is there already.
func (c junction) simple() Condition {
	var parts []Condition
	for _, part := range c.parts {
		decided, isDecided := part.(truth)
		switch {
		case isDecided && bool(decided) != c.neutral:
			return decided
		case !isDecided && !slices.ContainsFunc(parts, func(o Condition) bool { return o.String() == part.String() }):
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return truth(c.neutral)
	case 1:
		return parts[0]
	}
	return junction{c.neutral, parts}
}

func (c junction) String() string {
	word := " or "
	if c.neutral {
		word = " and "
	}
	texts := make([]string, len(c.parts))
	for i, part := range c.parts {
		texts[i] = grouped(part)
	}
	return strings.Join(texts, word)
}

// grouped is the text of a condition inside another one.
func grouped(c Condition) string {
	switch c := c.(type) {
	case is:
		if len(c.values) == 1 {
			return c.String()
		}
	case comparison, truth, holds:
		return c.String()
	}
	return "(" + c.String() + ")"
}

func (c junction) given(f fact, r ranges) Condition {
	parts := make([]Condition, len(c.parts))
	for i, part := range c.parts {
		parts[i] = part.given(f, r)
	}
	return junction{c.neutral, parts}.simple()
}

func (c junction) each(use func(mention)) {
	for _, part := range c.parts {
		part.each(use)
	}
}

// Not says that the condition does not hold.
func Not(c Condition) Condition {
	if decided, ok := c.(truth); ok {
		return !decided
	}
	return not{c}
}

type not struct{ Condition }

func (c not) String() string                   { return "not " + grouped(c.Condition) }
func (c not) given(f fact, r ranges) Condition { return Not(c.Condition.given(f, r)) }

// Implies says that where the first condition holds the second does, too.
func Implies(first, second Condition) Condition {
	if decided, ok := first.(truth); ok {
		return Any(!decided, second)
	}
	if decided, ok := second.(truth); ok {
		return Any(Not(first), decided)
	}
	return implication{first, second}
}

type implication struct{ first, second Condition }

func (c implication) String() string { return grouped(c.first) + " implies " + grouped(c.second) }

func (c implication) given(f fact, r ranges) Condition {
	return Implies(c.first.given(f, r), c.second.given(f, r))
}

func (c implication) each(use func(mention)) {
	c.first.each(use)
	c.second.each(use)
}

// Holds is a condition on the named axes that is a function, for what the
// others cannot say. text says it to people, and no two different functions
// of one model have the same text. The function gets a setting of the axes
// that are active; it depends on nothing else and keeps no reference to it.
// Counting has to try all combinations of the axes.
func Holds(text string, axes []string, function func(Setting) bool) Condition {
	if len(axes) == 0 {
		return truth(function(Setting{}))
	}
	return holds{text: text, open: slices.Compact(slices.Sorted(slices.Values(axes))), function: function}
}

type holds struct {
	text     string
	open     []string
	known    []fact
	function func(Setting) bool
}

func (c holds) String() string {
	text := c.text
	for _, f := range c.known {
		text += fmt.Sprintf(" [%s=%s]", f.axis, f.value)
	}
	return text
}

func (c holds) given(f fact, _ ranges) Condition {
	k := slices.Index(c.open, f.axis)
	if k < 0 {
		return c
	}
	c.open = slices.Delete(slices.Clone(c.open), k, k+1)
	c.known = append(slices.Clip(c.known), f)
	if len(c.open) > 0 {
		return c
	}
	setting := Setting{}
	for _, f := range c.known {
		setting.add(f)
	}
	return truth(c.function(setting))
}

func (c holds) each(use func(mention)) {
	for _, name := range c.open {
		use(mention{axis: name})
	}
}
