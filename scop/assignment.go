package scop

import (
	"slices"
	"strconv"
	"strings"
)

// Assignment is a statement that is nothing but target = sum, product, difference or
// quotient of array elements, scalars and numbers, or target += such: its
// text computes the same for vectors of elements as for single ones, because GCC and
// Clang extend these operators to vectors, and mix them with scalars.
type Assignment struct {
	// Element is the C type of all array elements, double or float.
	Element string
	// Operator is =, +=, -=, *= or /=, and Sum what is behind it.
	Operator string
	Sum      Expr
	// Operands are the elements and scalars, in the order of the statement's accesses: the target
	// first.
	Operands []*Ref
	// Scaled are, for each operand, the longest product of it with
	// scalars and numbers that stands in front of another factor, as alpha * A[i][k] in
	// alpha * A[i][k] * B[k][j]: a value that is the same wherever the operand is. It
	// is the operand itself where there is no such product.
	Scaled []Expr
	// Terms are what the value is the sum of, and Minus says of
	// each whether it is subtracted.
	Terms []Expr
	Minus []bool
}

// Assignment recognises a statement of that kind; nil for all others, and where
// a name has an unknown type.
func (p *Program) Assignment(s *Statement) *Assignment {
	root, ok := s.Value.(*Binary)
	if !ok || !slices.Contains([]string{"=", "+=", "-=", "*=", "/="}, root.Operator) {
		return nil
	}
	r := &assignmentReader{program: p, statement: s}
	r.a.Operator, r.a.Sum = root.Operator, root.Y
	target, ok := root.X.(*Ref)
	if !ok || !r.operand(target) || !r.value(root.Y) {
		return nil
	}
	r.addTerms(root.Y, false)
	if len(r.a.Operands) != len(s.Accesses) || r.a.Element == "" || !r.isWhole() {
		return nil
	}
	return &r.a
}

// assignmentReader reads a statement's tree.
type assignmentReader struct {
	program   *Program
	statement *Statement
	a         Assignment
	// elements are the operands but for scalars that the region only reads.
	elements []int
}

// addTerms notes the terms of a sum, from the left.
func (r *assignmentReader) addTerms(e Expr, minus bool) {
	if sum, ok := e.(*Binary); ok && (sum.Operator == "+" || sum.Operator == "-") {
		r.addTerms(sum.X, minus)
		e, minus = sum.Y, sum.Operator == "-"
	}
	r.a.Terms, r.a.Minus = append(r.a.Terms, e), append(r.a.Minus, minus)
}

// value reads a sum, product, difference or quotient.
func (r *assignmentReader) value(e Expr) bool {
	switch e := e.(type) {
	case *Binary:
		return r.binary(e)
	case *Unary:
		return !e.Postfix && slices.Contains([]string{"-", "+", Parentheses}, e.Operator) && r.value(e.X)
	case *Number:
		return r.number(e.Text)
	case *Ref:
		return r.operand(e)
	}
	return false
}

func (r *assignmentReader) binary(e *Binary) bool {
	before := len(r.elements)
	switch {
	case !slices.Contains([]string{"+", "-", "*", "/"}, e.Operator) || !r.value(e.X):
		return false
	case e.Operator != "+" && e.Operator != "-" && len(r.elements) == before+1:
		r.a.Scaled[r.elements[before]] = e.X
	}
	return r.value(e.Y)
}

// number takes a constant. One of type double would make the value of a float
// expression a double.
func (r *assignmentReader) number(text string) bool {
	text = strings.ToLower(text)
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

// isExact says whether elements, as which vectors take it, have the value of a whole number.
// Elements may be met behind it.
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
func (r *assignmentReader) operand(e *Ref) bool {
	if e.Loop >= 0 || strings.Trim(e.Selected, "[]") != "" || slices.ContainsFunc(e.Subscripts, r.isUnsuited) {
		return false
	}
	array := r.arrayNamed(e.Name)
	if array == nil {
		return len(e.Subscripts) == 0 && r.isScalar(e.Name)
	}
	if r.a.Element == "" && (array.Type == "double" || array.Type == "float") {
		r.a.Element = array.Type
	}
	if !r.has(array.Type) || len(array.Extents) != len(e.Subscripts) || array.Path != "" {
		return false
	}
	if len(e.Subscripts) > 0 || r.program.Writes(array.Name) {
		r.elements = append(r.elements, len(r.a.Operands))
	}
	r.a.Operands, r.a.Scaled = append(r.a.Operands, e), append(r.a.Scaled, e)
	return true
}

// isUnsuited says whether there is more in a subscript than + - * / of names, numbers and calls of
// one argument; elements of other arrays are none that a vector could be made of.
func (r *assignmentReader) isUnsuited(subscript Expr) bool {
	return Has(subscript, func(e Expr) bool {
		switch e := e.(type) {
		case *Ref:
			return len(e.Subscripts) > 0 || strings.Contains(e.Selected, "->") || e.Loop < 0 && r.program.Array(e.Name) != nil
		case *Binary:
			return !slices.Contains([]string{"+", "-", "*", "/"}, e.Operator)
		case *Unary:
			return e.Postfix || slices.Contains([]string{"!", "~", "&", "++", "--"}, e.Operator)
		case *Call:
			return len(e.Arguments) > 1
		case *Number:
			return false
		}
		return true
	})
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

// isScalar says whether a variable that the region only reads has a type whose
// values all are values of the elements' type: double for double alone.
func (r *assignmentReader) isScalar(name string) bool {
	return slices.ContainsFunc(r.program.Function.Arguments, func(a Argument) bool {
		return a.Name == name && a.Role == Scalar && (a.Type == "float" || a.Type == r.a.Element)
	})
}

// isWhole says whether the operands are the references, one for one.
func (r *assignmentReader) isWhole() bool {
	for k, operand := range r.a.Operands {
		access := r.statement.Accesses[k]
		array := r.program.Array(access.Array)
		if access.May || array == nil || array.InTexts() != operand.Name || access.Write != (k == 0) {
			return false
		}
	}
	return true
}
