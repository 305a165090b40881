package randomc

import (
	"fmt"
	"strings"
)

// form is how a function gets at an array.
type form int

const (
	formArray      form = iota // an argument that is declared as an array
	formPointer                // a pointer to elements
	formFlat                   // a pointer to rows of m elements one behind the other
	formRows                   // a pointer to pointers to rows
	formGlobal                 // a variable of the file, of constant extents
	formMember                 // a pointer that is a member of the struct that g leads to
	formMemberFlat             // such a pointer to rows of g->cols elements one behind the other
	formStructs                // an array of structs with the members v and k
)

// array is one of the data that programs work on.
type array struct {
	name, element string
	form          form
	dimensions    int
	// extents are those that the subscripts so far ask for.
	extents []bound
	used    bool
}

// globalExtent is that of variables of the file along each dimension.
const globalExtent = 128

func (a *array) isFloating() bool { return a.element == "double" || a.element == "float" }

// isFlat says whether the array is one of rows that stand one behind the other, with one subscript.
func (a *array) isFlat() bool { return a.form == formFlat || a.form == formMemberFlat }

// way is what stands in front of the array's name.
func (a *array) way() string {
	if a.form == formMemberFlat {
		return "g->"
	}
	return ""
}

// length is the length of rows that stand one behind the other.
func (a *array) length(g *generator) string {
	if a.form == formMemberFlat {
		return among(g, "g->cols", "g->cols", "m")
	}
	return "m"
}

// drawArrays draws the data of the program: numbers and integers of several forms.
func (g *generator) drawArrays() {
	add := func(name, element string, f form, dimensions int) {
		g.arrays = append(g.arrays, &array{name: name, element: element, form: f, dimensions: dimensions, extents: make([]bound, dimensions)})
	}
	vector := func() form { return among(g, formArray, formArray, formPointer, formGlobal) }
	matrix := func() form { return among(g, formArray, formArray, formFlat, formFlat, formRows, formGlobal) }
	add("a", "double", vector(), 1)
	add("b", among(g, "double", "double", "float"), matrix(), 2)
	add("c", among(g, "int", "int", "unsigned char", "short"), vector(), 1)
	if g.one(2) {
		add("x", among(g, "double", "float"), vector(), 1)
	}
	if g.one(3) {
		add("q", among(g, "int", "long", "unsigned char"), matrix(), 2)
	}
	if g.one(4) {
		g.helper("struct grid")
		add("w", "double", formMember, 1)
		add("u", "double", formMemberFlat, 2)
	}
	if g.one(4) {
		g.helper("struct cell")
		add("cells", "double", formStructs, 1)
	}
	if g.one(5) {
		add("d", "double", formArray, 3)
	}
}

// arrayFor is an array of floating numbers, for double, or of integers, for int.
func (g *generator) arrayFor(kind string) *array {
	for {
		a := among(g, g.arrays...)
		if a.form == formStructs || a.isFloating() == (kind == "double") {
			return a
		}
	}
}

// element is an element of some array of floating numbers or of integers.
func (g *generator) element(kind string, depth int) string {
	return g.elementOf(g.arrayFor(kind), kind, depth)
}

// elementOf is an element of an array, which is as long as that asks for.
func (g *generator) elementOf(a *array, kind string, depth int) string {
	subscripts := make([]integer, a.dimensions)
	for k := range subscripts {
		subscripts[k] = g.subscript(a, k, depth)
	}
	return g.at(a, kind, subscripts)
}

// at is the element of an array with subscripts that are not negative.
func (g *generator) at(a *array, kind string, subscripts []integer) string {
	a.used = true
	for k, s := range subscripts {
		a.extents[k] = greatest(a.extents[k], s.to.plus(number(1)))
	}
	var text strings.Builder
	switch a.form {
	case formFlat, formMemberFlat:
		return fmt.Sprintf("%s%s[%s * %s + %s]", a.way(), a.name, subscripts[0].signed().bracketed(), a.length(g), subscripts[1].signed().bracketed())
	case formMember:
		return fmt.Sprintf("g->%s[%s]", a.name, subscripts[0].text)
	case formStructs:
		member := "v"
		if kind == "int" {
			member = "k"
		}
		return fmt.Sprintf("%s[%s].%s", a.name, subscripts[0].text, member)
	}
	if a.dimensions == 1 && g.one(12) {
		return fmt.Sprintf("*(%s + %s)", a.name, subscripts[0].bracketed())
	}
	text.WriteString(a.name)
	for _, s := range subscripts {
		fmt.Fprintf(&text, "[%s]", s.text)
	}
	return text.String()
}

// subscript draws a subscript of an array: never negative, and where extents are given, below them.
func (g *generator) subscript(a *array, dimension, depth int) integer {
	if a.isFlat() && dimension == 1 {
		return g.column()
	}
	for range 8 {
		e := g.integer(g.IntN(depth + 1))
		if !e.isNatural() && e.from.n >= 0 && e.from.m >= 0 {
			low := -e.from.constant
			e = e.signed()
			e = integer{text: fmt.Sprintf("%s + %d", e.bracketed(), low), interval: e.plus(between(low, low))}
		}
		if e.isNatural() && (a.form != formGlobal || e.to.most() < globalExtent) {
			return e
		}
	}
	return constant(g.IntN(3))
}

// column is a subscript below m, or 0 where none is at hand.
func (g *generator) column() integer {
	below := interval{number(0), bound{-1, 0, 1}}
	for range 8 {
		if e := g.integer(g.IntN(2)); e.within(below) {
			return e
		}
	}
	return constant(0)
}

// declaration is the array as an argument, "" for variables of the file and members.
func (a *array) declaration(restrict string) string {
	switch a.form {
	case formPointer, formFlat:
		return fmt.Sprintf("%s *%s%s", a.element, restrict, a.name)
	case formRows:
		return fmt.Sprintf("%s **%s", a.element, a.name)
	case formStructs:
		if restrict != "" {
			return fmt.Sprintf("struct cell *%s%s", restrict, a.name)
		}
		return fmt.Sprintf("struct cell %s[%s]", a.name, a.extents[0])
	case formGlobal, formMember, formMemberFlat:
		return ""
	}
	text := a.element + " " + a.name
	for _, e := range a.extents {
		text += fmt.Sprintf("[%s]", e)
	}
	return text
}

// count is how many elements the array has, as C.
func (a *array) count() string {
	if a.isFlat() {
		return fmt.Sprintf("(%s) * m + %s", a.extents[0], a.extents[1])
	}
	factors := make([]string, a.dimensions)
	for k, e := range a.extents {
		factors[k] = fmt.Sprintf("(%s)", e)
		if a.form == formGlobal {
			factors[k] = fmt.Sprint(globalExtent)
		}
	}
	return strings.Join(factors, " * ")
}
