package scop

import (
	"slices"
	"strconv"
	"strings"

	"polytune/internal/ctext"
)

// Assignment is a statement that is nothing but target = sum, product, difference or
// quotient of array elements, scalars and numbers, or target += such: its
// text computes the same for vectors of elements as for single ones, because GCC and
// Clang extend these operators to vectors, and mix them with scalars.
type Assignment struct {
	// Element is the C type of all array elements, double or float.
	Element string
	// Operator is =, +=, -=, *= or /=, and Value the place in the statement's source
	// of what is behind it.
	Operator string
	Value    Place
	// Operands are the places of the source that name elements, in the order of the
	// statement's accesses: the target first.
	Operands []Place
	// Scaled are, for each operand, the place of the longest product of it with
	// scalars and numbers that stands in front of another factor, as alpha * A[i][k] in
	// alpha * A[i][k] * B[k][j]: a value that is the same wherever the operand is. It
	// is the operand's own place where there is no such product.
	Scaled []Place
	// Terms are the places of the terms that the value is the sum of, and Minus says of
	// each whether it is subtracted.
	Terms []Place
	Minus []bool
}

// token is a word, a number or an operator of a statement's text.
type token struct {
	text       string
	start, end int
}

// Assignment recognises a statement of that kind; nil for all others, and where
// a name has an unknown type.
func (p *Program) Assignment(s *Statement) *Assignment {
	tokens, ok := tokensOf(s.Source)
	if !ok {
		return nil
	}
	r := &assignmentReader{program: p, statement: s, tokens: tokens}
	if !r.operand() || !r.assign() || !r.terms() || r.next != len(tokens)-1 || tokens[r.next].text != ";" {
		return nil
	}
	r.a.Value.End = tokens[r.next].start
	if len(r.a.Operands) != r.accesses() || r.a.Element == "" || !r.isWhole() {
		return nil
	}
	return &r.a
}

// assignmentReader reads a statement's text.
type assignmentReader struct {
	program   *Program
	statement *Statement
	tokens    []token
	next      int
	a         Assignment
	// elements are the operands but for scalars that the region only reads.
	elements []int
}

func (r *assignmentReader) peek() string {
	if r.next >= len(r.tokens) {
		return ""
	}
	return r.tokens[r.next].text
}

// accept takes the next token if it is one of the texts.
func (r *assignmentReader) accept(texts ...string) bool {
	if !slices.Contains(texts, r.peek()) || r.next >= len(r.tokens) {
		return false
	}
	r.next++
	return true
}

func (r *assignmentReader) assign() bool {
	r.a.Operator = r.peek()
	if !r.accept("=", "+=", "-=", "*=", "/=") {
		return false
	}
	r.a.Value.Start = r.tokens[r.next-1].end
	return true
}

// terms takes the value, a sum.
func (r *assignmentReader) terms() bool {
	for minus := false; r.next < len(r.tokens); minus = r.tokens[r.next-1].text == "-" {
		start := r.tokens[r.next].start
		if !r.product() {
			return false
		}
		r.a.Terms, r.a.Minus = append(r.a.Terms, Place{Start: start, End: r.tokens[r.next-1].end}), append(r.a.Minus, minus)
		if !r.accept("+", "-") {
			return true
		}
	}
	return false
}

func (r *assignmentReader) sum() bool {
	for ok := r.product(); ok; ok = r.product() {
		if !r.accept("+", "-") {
			return true
		}
	}
	return false
}

func (r *assignmentReader) product() bool {
	if r.next >= len(r.tokens) {
		return false
	}
	start, before := r.tokens[r.next].start, len(r.elements)
	for ok := r.factor(); ok; ok = r.factor() {
		end := r.tokens[r.next-1].end
		if !r.accept("*", "/") {
			return true
		}
		if len(r.elements) == before+1 {
			r.a.Scaled[r.elements[before]] = Place{Start: start, End: end}
		}
	}
	return false
}

func (r *assignmentReader) factor() bool {
	switch {
	case r.accept("-", "+"):
		return r.factor()
	case r.accept("("):
		return r.sum() && r.accept(")")
	case r.peek() != "" && (ctext.IsDigit(r.peek()[0]) || r.peek()[0] == '.'):
		return r.number()
	}
	return r.operand()
}

// number takes a constant. One of type double would make the value of a float
// expression a double.
func (r *assignmentReader) number() bool {
	text := strings.ToLower(r.peek())
	r.next++
	isHexadecimal := strings.HasPrefix(text, "0x")
	isFloating := strings.ContainsAny(text, ".") || !isHexadecimal && strings.ContainsAny(text, "ef")
	if isHexadecimal && (isFloating || strings.Contains(text, "p")) || strings.HasSuffix(text, "l") || strings.HasSuffix(text, "u") {
		return false
	}
	if !isFloating {
		return r.isExact(text)
	}
	return r.has("double") || strings.HasSuffix(text, "f")
}

// isExact says whether elements, as which vectors take it, have the value of a whole number. Elements may be met behind it.
func (r *assignmentReader) isExact(number string) bool {
	most := int64(1) << 31
	if !r.has("double") {
		most = 1 << 24
	}
	value, err := strconv.ParseInt(number, 0, 64)
	return err == nil && value <= most
}

// has says whether elements are of that type.
func (r *assignmentReader) has(element string) bool { return r.a.Element == element }

// operand takes an array element or a scalar.
func (r *assignmentReader) operand() bool {
	name := r.peek()
	if name == "" || !ctext.IsWordByte(name[0]) || ctext.IsDigit(name[0]) {
		return false
	}
	start := r.tokens[r.next].start
	isIterator := r.isIterator(start)
	r.next++
	subscripts := 0
	for r.peek() == "[" {
		if !r.subscript() {
			return false
		}
		subscripts++
	}
	if isIterator {
		return false
	}
	array := r.arrayNamed(name)
	if array == nil {
		return subscripts == 0 && r.isScalar(name)
	}
	if r.a.Element == "" && (array.Type == "double" || array.Type == "float") {
		r.a.Element = array.Type
	}
	if !r.has(array.Type) || len(array.Extents) != subscripts || array.Path != "" {
		return false
	}
	place := Place{Start: start, End: r.tokens[r.next-1].end}
	if subscripts > 0 || r.program.Writes(array.Name) {
		r.elements = append(r.elements, len(r.a.Operands))
	}
	r.a.Operands, r.a.Scaled = append(r.a.Operands, place), append(r.a.Scaled, place)
	return true
}

// isIterator says whether an iterator stands at a place of the source: another variable may have its name where the loop does not reach.
func (r *assignmentReader) isIterator(place int) bool {
	return slices.ContainsFunc(r.statement.Uses, func(u Use) bool { return u.Offset == place })
}

// arrayNamed is the only array of the model that texts call by that name.
func (r *assignmentReader) arrayNamed(name string) (named *Array) {
	for k := range r.program.Arrays {
		if a := &r.program.Arrays[k]; a.InTexts() == name {
			if named != nil {
				return nil
			}
			named = a
		}
	}
	return named
}

// Writes says whether some statement may write the array.
func (p *Program) Writes(array string) bool {
	return slices.ContainsFunc(p.Statements, func(s Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.Write && a.Array == array })
	})
}

// subscript takes everything between brackets; elements of other arrays are
// none that a vector could be made of.
func (r *assignmentReader) subscript() bool {
	for depth := 0; r.next < len(r.tokens); {
		switch text := r.peek(); {
		case text == "[":
			if depth++; depth > 1 {
				return false
			}
		case text == "]":
			depth--
		case r.program.Array(text) != nil && !r.isIterator(r.tokens[r.next].start):
			return false
		}
		r.next++
		if depth == 0 {
			return true
		}
	}
	return false
}

// isScalar says whether a variable that the region only reads has a type whose
// values all are values of the elements' type: double for double alone.
func (r *assignmentReader) isScalar(name string) bool {
	return slices.ContainsFunc(r.program.Function.Arguments, func(a Argument) bool {
		return a.Name == name && a.Role == Scalar && (a.Type == "float" || a.Type == r.a.Element)
	})
}

// accesses is the number of the statement's references.
func (r *assignmentReader) accesses() int { return len(r.statement.Accesses) }

// isWhole says whether the operands are the references, one for one.
func (r *assignmentReader) isWhole() bool {
	for k, place := range r.a.Operands {
		access := r.statement.Accesses[k]
		first := ctext.WordAt(r.statement.Source, place.Start)
		array := r.program.Array(access.Array)
		if access.May || array == nil || array.InTexts() != first || access.Write != (k == 0) {
			return false
		}
	}
	return true
}

// tokensOf cuts a text into words, numbers and operators; ok is false for one
// with comments, strings or preprocessing.
func tokensOf(source string) (tokens []token, ok bool) {
	if strings.ContainsAny(source, "\"'#?:&|!<>%^~{},\\") || strings.Contains(source, "/*") || strings.Contains(source, "//") {
		return nil, false
	}
	for i := 0; i < len(source); {
		start := i
		switch c := source[i]; {
		case strings.IndexByte(ctext.Blank, c) >= 0:
			i++
			continue
		case ctext.IsDigit(c) || c == '.' && i+1 < len(source) && ctext.IsDigit(source[i+1]):
			i = afterNumber(source, i)
		case ctext.IsWordByte(c):
			i += len(ctext.WordAt(source, i))
		case i+1 < len(source) && source[i+1] == '=' && strings.IndexByte("+-*/", c) >= 0:
			i += 2
		case i+1 < len(source) && (c == '+' || c == '-') && source[i+1] == c:
			return nil, false
		default:
			i++
		}
		tokens = append(tokens, token{source[start:i], start, i})
	}
	return tokens, true
}

// afterNumber is the place behind a number, which may have a signed exponent.
func afterNumber(source string, i int) int {
	for i < len(source) && (ctext.IsWordByte(source[i]) || source[i] == '.' ||
		(source[i] == '+' || source[i] == '-') && strings.IndexByte("eE", source[i-1]) >= 0 && !strings.HasPrefix(strings.ToLower(source[max(0, i-3):i]), "0x")) {
		i++
	}
	return i
}
