package randomalgorithm

import (
	"fmt"

	"polytune/algorithm"
)

// stored is an expression for values of a type: integers stay so small that sums of products of some
// of them do not overflow.
func (g *generator) stored(t algorithm.Type) string {
	if t == algorithm.Bool {
		return g.condition(2)
	}
	if isFloating(t) {
		return g.sums(2)
	}
	return g.wrapped(t, g.integers(2))
}

// wrapped is a value of a type that an update gives.
func (g *generator) wrapped(t algorithm.Type, text string) string {
	switch {
	case t == algorithm.Bool:
		return "(" + text + ") != 0"
	case isFloating(t):
		return text
	}
	return fmt.Sprintf("%s((%s) %% %d)", t, text, among(g, 97, 100, 1000))
}

// product is what an update adds.
func (g *generator) product(t algorithm.Type) string {
	if isFloating(t) {
		return g.floating() + " * " + g.floating()
	}
	return g.integer() + " * " + g.integer()
}

// sums are of floating-point values.
func (g *generator) sums(depth int) string {
	if depth == 0 {
		return g.floating()
	}
	a, b := g.sums(depth-1), g.sums(depth-1)
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("select(%s, %s, %s)", g.condition(depth-1), a, b)
	case 1:
		return fmt.Sprintf("%s(%s, %s)", among(g, "min", "max"), a, b)
	case 2:
		return fmt.Sprintf("clamp(%s, -2.0, %s)", a, among(g, "1.5", "2.0f", "3"))
	case 3:
		return fmt.Sprintf("(%s) / %s", a, among(g, "3", "1.5", "0.7f"))
	case 4:
		return fmt.Sprintf("sqrt(abs(%s)) + %s(%s)", a, among(g, "floor", "fabsf", "ceil"), b)
	case 5:
		return fmt.Sprintf("%s(%s)", among(g, "float", "double", "float32"), a)
	case 6:
		return fmt.Sprintf("(%s) * %s", a, among(g, "0.5", "0.25f", "2", "-1.5"))
	}
	return fmt.Sprintf("%s %s (%s)", a, among(g, "+", "-"), b)
}

// floating is a value or a number.
func (g *generator) floating() string {
	if g.one(6) {
		return among(g, "0.5", "2.0f", "1e-1", "3", ".25")
	}
	if v := g.read(func(algorithm.Type) bool { return true }); v != "" {
		return v
	}
	return g.integer()
}

// integers are sums of products of two integers.
func (g *generator) integers(depth int) string {
	if depth == 0 {
		return g.integer()
	}
	a, b := g.integers(depth-1), g.integers(depth-1)
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("select(%s, %s, %s)", g.condition(depth-1), a, b)
	case 1:
		return fmt.Sprintf("%s(%s, %s)", among(g, "min", "max"), a, b)
	case 2:
		return fmt.Sprintf("(%s) %s %d", a, among(g, "/", "%"), 1+g.IntN(7))
	case 3:
		return fmt.Sprintf("%s %s %s", g.integer(), among(g, "&", "|", "^"), g.integer())
	case 4:
		return fmt.Sprintf("(%s >> %d) + abs(%s)", g.integer(), g.IntN(3), g.integer())
	case 5:
		return g.integer() + " * " + g.integer()
	case 6:
		return fmt.Sprintf("select(%s > -100 and %s < 100, int32(%s), 7)", a, a, g.floatingNumber())
	}
	return fmt.Sprintf("%s %s (%s)", a, among(g, "+", "-"), b)
}

// floatingNumber is a floating-point value that an integer can have, whatever the data are.
func (g *generator) floatingNumber() string {
	v := g.read(isFloating)
	if v == "" {
		return "2.5"
	}
	return fmt.Sprintf("select(%s > -100.0 and %s < 100.0, %s, 1.0)", v, v, v)
}

// integer is a value, an iterator, a size or a number.
func (g *generator) integer() string {
	switch {
	case len(g.sides) > 0 && g.one(3):
		return iterators[g.IntN(len(g.sides))]
	case g.one(4):
		return among(g, "1", "2", "7", "N", "M")
	}
	v := g.read(func(t algorithm.Type) bool { return !isFloating(t) })
	if v == "" {
		return among(g, "3", "5")
	}
	return v
}

// condition is one over data or iterators.
func (g *generator) condition(depth int) string {
	if depth > 0 && g.one(3) {
		return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), among(g, "and", "or"), g.condition(depth-1))
	}
	if g.one(6) {
		return "not (" + g.condition(0) + ")"
	}
	operator := among(g, "<", "<=", ">", ">=", "==", "!=")
	if g.one(2) {
		return fmt.Sprintf("%s %s %s", g.floating(), operator, g.floating())
	}
	return fmt.Sprintf("%s %s %s", g.integer(), operator, g.integer())
}

// read is an element of a value of a type that is wanted; "" for none.
func (g *generator) read(wanted func(algorithm.Type) bool) string {
	var list []*value
	for _, v := range g.values {
		if wanted(v.of) && g.isReadable(v) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return ""
	}
	v := among(g, list...)
	if len(v.sides) == 0 {
		return v.name
	}
	text := ""
	for k, s := range v.sides {
		if v.domain != "" {
			text += ", " + iterators[k]
			continue
		}
		text += ", " + g.subscript(s)
	}
	return v.name + "(" + text[2:] + ")"
}

// isReadable says whether the computation that is drawn can read a value.
func (g *generator) isReadable(v *value) bool {
	if v.domain != "" {
		return v.domain == g.domain
	}
	for _, s := range v.sides {
		if !s.isFull() && len(g.offsets(s)) == 0 {
			return false
		}
	}
	return true
}

// offset is an iterator with a number added to it.
type offset struct{ iterator, number int }

// offsets are the subscripts along a side that are inside of it for all iterations.
func (g *generator) offsets(s side) (list []offset) {
	for k, own := range g.sides {
		for number := s.low - own.low; number <= s.high-own.high && own.size == s.size; number++ {
			if number >= -3 && number <= 3 {
				list = append(list, offset{k, number})
			}
		}
	}
	return list
}

// subscript draws one.
func (g *generator) subscript(s side) string {
	offsets := g.offsets(s)
	if len(offsets) > 0 && (!s.isFull() || !g.one(5)) {
		o := among(g, offsets...)
		return plus(iterators[o.iterator], o.number)
	}
	inside := "1"
	if len(g.sides) > 0 {
		inside = iterators[g.IntN(len(g.sides))]
	}
	switch g.IntN(4) {
	case 0:
		return fmt.Sprint(s.low)
	case 1:
		return s.last()
	case 2:
		return fmt.Sprintf("clamp(%s * 2 - 1, %d, %s)", inside, s.low, s.last())
	}
	return fmt.Sprintf("clamp(%s + %d, %d, %s)", inside, g.IntN(5)-2, s.low, s.last())
}
