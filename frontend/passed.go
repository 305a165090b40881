package frontend

import (
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// A function of a program may take an array of which its declaration does not say how many elements
// it has, as int rowstr[]. Where all calls in the file pass arrays of the same length, it is that.

// mostPassings bounds how many functions may pass an argument on.
const mostPassings = 8

// lengthPassed is the number of elements of an argument of which data decide what the region
// writes, and nothing else says how many there are; "" for other arrays.
func (x *extractor) lengthPassed(a *arrayInfo) string {
	if !a.Argument || a.members != "" || len(a.Extents) != 1 || a.Extents[0] != "" {
		return ""
	}
	isScattered := func(r reference) bool {
		return r.array == a && r.write && slices.ContainsFunc(r.subscripts, func(s subscript) bool { return !s.known })
	}
	if !slices.ContainsFunc(x.statements, func(s *statementDraft) bool { return slices.ContainsFunc(s.references, isScattered) }) {
		return ""
	}
	return x.passedTo(a.declarator)
}

// passedTo is the number of elements, in C, of the array that all calls in the file pass for an
// argument of the region's function; "" where it is not known, or where other files may call the
// function as well.
func (x *extractor) passedTo(d *cc.Declarator) string {
	if length := x.passedBy(x.function, d, mostPassings); length > 0 && !x.isPartly {
		return strconv.FormatInt(length, 10)
	}
	return ""
}

// passedBy is passedTo for a function of the file, 0 where the number is not known.
func (x *extractor) passedBy(f *cc.FunctionDefinition, d *cc.Declarator, most int) (length int64) {
	t, isFunction := f.Declarator.Type().(*cc.FunctionType)
	pointer, isPointer := d.Type().(*cc.PointerType)
	if !isFunction || !isPointer || !d.IsParam() || !f.Declarator.IsStatic() || pointer.Elem().Kind() == cc.Array || setsIn(f, d) || most == 0 {
		return 0
	}
	number := -1
	for k, p := range t.Parameters() {
		if p.Name() == d.Name() {
			number = k
		}
	}
	calls, known := 0, number >= 0
	for l := x.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		caller := l.ExternalDeclaration.FunctionDefinition
		visit(l.ExternalDeclaration, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.PrimaryExpression:
				if named := variableOf(n); named != nil && named.Name() == f.Declarator.Name() {
					calls--
				}
			case *cc.PostfixExpression:
				called := calledBy(n)
				if !known || caller == nil || called == nil || called.Name() != f.Declarator.Name() {
					return
				}
				calls++
				passed := x.lengthIn(caller, argumentsOf(n), number, pointer.Elem(), most)
				known = passed > 0 && (length == 0 || length == passed)
				length = passed
			}
		})
	}
	if !known || calls != 0 {
		return 0
	}
	return length
}

// lengthIn is the number of elements of the array that a call passes as one of its arguments; 0
// where it is not known.
func (x *extractor) lengthIn(caller *cc.FunctionDefinition, arguments []cc.ExpressionNode, number int, element cc.Type, most int) int64 {
	if number >= len(arguments) {
		return 0
	}
	v, ok := resolvePointed(arguments[number])
	if !ok || len(v.members) > 0 || len(v.subscripts) != 1 {
		return 0
	}
	first := int64(0)
	if s := v.subscripts[0]; s != nil {
		if first, ok = constantValue(s); !ok || first < 0 {
			return 0
		}
	}
	return x.lengthOf(caller, v.variable, element, most) - first
}

// lengthOf is the number of elements of an array that a function has or takes, 0 where it is not
// known.
func (x *extractor) lengthOf(f *cc.FunctionDefinition, d *cc.Declarator, element cc.Type, most int) int64 {
	isElement := func(t cc.Type) bool { return t.Kind() == element.Kind() && t.Size() == element.Size() }
	if array, ok := d.Type().(*cc.ArrayType); ok {
		if array.IsVLA() || !isElement(array.Elem()) {
			return 0
		}
		return array.Len()
	}
	if pointer, ok := d.Type().(*cc.PointerType); !ok || !isElement(pointer.Elem()) {
		return 0
	}
	if _, extents := x.arrayShape(d.Type()); d.IsParam() && len(extents) == 1 && extents[0] != "" {
		length, _ := strconv.ParseInt(extents[0], 10, 64)
		return length
	}
	return x.passedBy(f, d, most-1)
}

// setsIn says that a function assigns a variable of its own, or takes its address.
func setsIn(f *cc.FunctionDefinition, d *cc.Declarator) bool {
	inside := newFacts()
	visit(f.CompoundStatement, inside.look)
	return inside.assigned[d] != nil || d.AddressTaken()
}
