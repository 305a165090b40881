package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// cacheLine is the number of bytes that a prefetch brings: that of x86 and of most others.
const cacheLine = 64

// vectorType is the name of the type of vectors, or the type of elements. Vectors
// may lie anywhere where elements may.
func (p *printer) vectorType(v loopir.Vector) string {
	if v.Lanes == 0 {
		return v.Element
	}
	key := fmt.Sprintf("%s %d", v.Element, v.Lanes)
	if name := p.vectorTypes[key]; name != "" {
		return name
	}
	name := p.fresh(fmt.Sprintf("tune_%s%d", v.Element, v.Lanes))
	if p.vectorTypes == nil {
		p.vectorTypes = map[string]string{}
	}
	p.vectorTypes[key] = name
	size := elementSizes[v.Element]
	p.typedefs = append(p.typedefs, fmt.Sprintf("typedef %s %s __attribute__((vector_size(%d), aligned(%d), may_alias));", v.Element, name, v.Lanes*size, size))
	return name
}

// address is what has the address of a place in memory, the first one.
func (p *printer) address(place loopir.Place) string {
	switch place := place.(type) {
	case *loopir.Buffered:
		return place.Buffer + "[" + p.expression(place.Index).code + "]"
	case *loopir.Element:
		return place.Text
	case *loopir.Copied:
		return place.Text
	}
	p.err = fmt.Errorf("%T is no place in memory", place)
	return ""
}

// value is what is at a place, as a vector of that type where it is one.
func (p *printer) value(place loopir.Place, v loopir.Vector) string {
	switch place := place.(type) {
	case loopir.Register:
		return string(place)
	case loopir.Zero:
		return "0"
	case *loopir.Buffered:
		if place.Single {
			return p.address(place)
		}
	case *loopir.Element:
		switch {
		case place.Apart != nil:
			return "(" + p.vectorType(v) + "){" + strings.Join(place.Apart, ", ") + "}"
		case place.Single:
			return place.Text
		}
	}
	if v.Lanes == 0 {
		return p.address(place)
	}
	return "*(" + p.vectorType(v) + " *) &" + p.address(place)
}

// inValue is a value as an operand.
func (p *printer) inValue(place loopir.Place, v loopir.Vector) string {
	if v.Lanes > 0 && isInMemory(place) {
		return "(" + p.value(place, v) + ")"
	}
	return p.value(place, v)
}

// isInMemory says whether a vector is in memory.
func isInMemory(place loopir.Place) bool {
	switch place := place.(type) {
	case *loopir.Buffered:
		return !place.Single
	case *loopir.Element:
		return !place.Single
	}
	return false
}

// move prints a load, a store or a copy.
func (p *printer) move(m *loopir.Move) line {
	to, from := p.value(m.To, m.Vector), p.value(m.From, m.Vector)
	if _, isZero := m.From.(loopir.Zero); isZero && m.Vector.Lanes > 0 {
		from = "{0}"
	}
	if m.Before+m.After != "" {
		from = joined(m.Before, p.inValue(m.From, m.Vector), m.After)
	}
	if m.Declares {
		to = p.vectorType(m.Vector) + " " + to
	}
	if m.Constant {
		to = "const " + to
	}
	return line{0, to + " = " + from + ";"}
}

// joined are texts with blanks between them.
func joined(texts ...string) string {
	all := ""
	for _, t := range texts {
		if all != "" && t != "" {
			all += " "
		}
		all += t
	}
	return all
}

// assign prints an assignment, or one of its terms.
func (p *printer) assign(a *loopir.Assign) line {
	value := a.Texts[0]
	for k, operand := range a.Operands {
		value += p.inValue(operand, a.Vector) + a.Texts[k+1]
	}
	value = oneLine(value)
	if a.Broadcast {
		value = "(" + value + ") - (" + p.vectorType(a.Vector) + "){0}"
	}
	if a.Past {
		return line{0, fmt.Sprintf("%s(&%s, %s);", p.streamMacro(a.Vector), p.address(a.Target), value)}
	}
	return line{0, p.inValue(a.Target, a.Vector) + " " + a.Operator + " " + value + ";"}
}

// oneLine is C text without line feeds.
func oneLine(code string) string { return strings.Join(strings.Fields(code), " ") }

// transposed prints the swaps that transpose a square.
func (p *printer) transposed(t *loopir.Transpose) (lines []line) {
	for distance := 1; distance < len(t.Registers); distance *= 2 {
		swap := p.swapMacro(t.Vector, distance)
		for k := range t.Registers {
			if k&distance == 0 {
				lines = append(lines, line{0, fmt.Sprintf("%s(%s, %s)", swap, t.Registers[k], t.Registers[k+distance])})
			}
		}
	}
	return lines
}

// prefetch asks for a line of memory. Its address is an integer: behind the last element there need
// not be any.
func prefetch(s *loopir.Prefetch) line {
	address := "(__UINTPTR_TYPE__) &" + s.Element
	for _, stride := range s.Strides {
		address += " + " + stride.Times + " * " + bytesOf(stride.Array, stride.Dimension)
	}
	if s.Bytes > 0 {
		address += fmt.Sprintf(" + %d", s.Bytes)
	}
	use := map[loopir.Use]string{loopir.ToWrite: ", 1", loopir.ToReadLater: ", 0, 2"}[s.For]
	return line{0, "__builtin_prefetch((const void *) (" + address + ")" + use + ");"}
}

// bytesOf is the text of by how many bytes elements of an array are apart whose subscripts differ
// by one in a dimension. A linear array has no rows of which sizeof would know.
func bytesOf(array *scop.Array, dimension int) string {
	inC, rows := 0, ""
	for d := range array.Extents {
		switch {
		case !array.IsColumn(d) && d <= dimension:
			inC++
		case array.IsColumn(d) && d > dimension && dimension >= array.LinearAt:
			rows += " * (" + array.Extents[d] + ")"
		}
	}
	return "(long) sizeof(" + array.Element(slices.Repeat([]string{"0"}, inC)) + ")" + rows
}

// cover prints the loop over vectors that overlap.
func (p *printer) cover(s *loopir.Cover) []line {
	lanes := s.Vector.Lanes
	next := line{0, fmt.Sprintf("long %s = %d - (long) ((__UINTPTR_TYPE__) %s / %d %% %[2]d);", s.Next, lanes, s.Aligned, elementSizes[s.Vector.Element])}
	body := append(p.lines(s.Body),
		line{0, "if (" + s.Var + " == " + s.Last + ")"},
		line{1, "break;"},
		line{0, fmt.Sprintf("%s = %s < %s ? %[2]s : %[3]s;", s.Var, s.Next, s.Last)})
	return append([]line{next}, enclose(fmt.Sprintf("for (long %s = 0;; %s += %d)", s.Var, s.Next, lanes), chunk{lines: body})...)
}

// pointer declares a pointer to an element.
func pointer(s *loopir.Pointer) line {
	kind := s.Type
	if s.Constant {
		kind = "const " + kind
	}
	return line{0, kind + " *const " + s.Name + " = &" + s.To + ";"}
}

// definition declares a number.
func (p *printer) definition(d *loopir.Define) line {
	value, kind := p.expression(d.Value).code, "const long "
	if d.When != nil {
		value = "(" + p.expression(d.When).code + ") ? " + value + " : " + p.expression(d.Else).code
	}
	switch {
	case d.Truth:
		kind = "const int "
	case d.Varies:
		kind = "long "
	}
	return line{0, kind + d.Var + " = " + value + ";"}
}
