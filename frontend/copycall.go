package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// The C library's memcpy, memmove and memset copy and clear elements. Where the number of bytes
// says which ones, loops over the elements take their place:
//
//	memcpy(next[i], row, m * sizeof(double))   becomes  for (int k = 0; k < m; k++) next[i][k] = row[k]
//	memset(sum, 0, sizeof(sum))                becomes  for (int k = 0; k < 16; k++) sum[k] = 0

// copyFunctions are these functions.
var copyFunctions = []string{"memcpy", "memmove", "memset"}

// stretch is what a pointer leads to: elements of an array that have the dimensions without
// subscripts.
type stretch struct {
	variable *cc.Declarator
	element  cc.Type
	// extents are those of these dimensions, outermost first, as they are written; that of the
	// first one is "" where nothing says it. They are made of these variables.
	extents []string
	sizes   []*cc.Declarator
	// isWhole says that there are no dimensions before them.
	isWhole bool
	text    string
}

// quantity is the text of a number, its type, and the variables in it.
type quantity struct {
	text, typeName string
	named          []*cc.Declarator
}

// copyCall replaces a statement that calls one of these functions.
func (r *rewriter) copyCall(n *cc.ExpressionStatement) {
	statement := unwrap(n.ExpressionList)
	if dropped, ok := statement.(*cc.CastExpression); ok && dropped.Type().Kind() == cc.Void {
		statement = unwrap(dropped.CastExpression)
	}
	call, ok := statement.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return
	}
	function := variableOf(call.PostfixExpression)
	if function == nil || function.Type().Kind() != cc.Function || !slices.Contains(copyFunctions, function.Name()) || r.x.definitions[function.Name()] != nil {
		return
	}
	if r.hasMacros(call) {
		return
	}
	arguments := argumentsOf(call)
	_, start, end, ok := r.textOf(n.ExpressionList)
	// What else is replaced here comes first; the call is then in the next text.
	waits := slices.ContainsFunc(r.list, func(other replacement) bool { return other.start < end && other.end > start })
	if len(arguments) != 3 || !ok || waits {
		return
	}
	to, ok := r.stretchOf(arguments[0])
	if !ok {
		return
	}
	counts, ok := r.iterations(to, arguments[2])
	if !ok {
		return
	}
	loops, subscripts := r.loopsOver(counts)
	value, ok := r.valueOf(function.Name(), arguments, to, subscripts)
	if ok {
		r.replace(start, end, loops+to.text+subscripts+" = "+value)
	}
}

// hasMacros says that a part of an expression comes out of macros, which are noted to be written
// out first.
func (r *rewriter) hasMacros(n cc.Node) (found bool) {
	for _, t := range tokensOf(n) {
		if !r.isToken(t) {
			r.x.writeOut(t.Position().Offset)
			found = true
		}
	}
	return found
}

// valueOf is what an element gets, with its subscripts: zero, or the value of an element of another
// stretch, which has to have as many in the same rows.
func (r *rewriter) valueOf(function string, arguments []cc.ExpressionNode, to stretch, subscripts string) (text string, ok bool) {
	if function == "memset" {
		value, ok := constantValue(arguments[1])
		return "0", ok && value == 0
	}
	from, ok := r.stretchOf(arguments[1])
	if !ok || len(from.extents) != len(to.extents) || typeName(from.element) != typeName(to.element) || function == "memmove" && mayMeet(from.variable, to.variable) {
		return "", false
	}
	_, ok = r.iterations(from, arguments[2])
	return from.text + subscripts, ok && slices.Equal(from.extents[1:], to.extents[1:])
}

// mayMeet says that somebody moves elements perhaps because their new places are among the old
// ones: within an array, or by a pointer that is not restrict.
func mayMeet(from, to *cc.Declarator) bool {
	return from == to || isOpenPointer(from) || isOpenPointer(to)
}

// stretchOf is what a pointer leads to, where its elements are numbers and it does not begin within
// a row of an array that has several.
func (r *rewriter) stretchOf(n cc.ExpressionNode) (s stretch, ok bool) {
	v, ok := resolvePointed(n)
	depth := len(v.subscripts) - 1
	isUnsteady := func(subscript cc.ExpressionNode) bool { return subscript != nil && !r.isSteady(subscript, anyVariable) }
	if !ok || depth < 0 || len(v.members) > 0 || slices.ContainsFunc(v.subscripts, isUnsteady) {
		return s, false
	}
	element, extents := r.x.arrayShape(v.variable.Type())
	hasPadding := element.Kind() == cc.LongDouble || element.Kind() == cc.ComplexLongDouble
	if depth >= len(extents) || !isNumberType(element) || hasPadding || element.Attributes().IsVolatile() {
		return s, false
	}
	s = stretch{variable: v.variable, element: element, sizes: sizesIn(v.variable.Type()), isWhole: depth == 0}
	for _, extent := range extents[depth:] {
		s.extents = append(s.extents, strings.Join(strings.Fields(extent), " "))
	}
	if first := v.subscripts[depth]; first != nil {
		if value, ok := constantValue(first); !ok || value != 0 {
			if len(extents) > 1 {
				return s, false
			}
			s.extents[0] = ""
		}
	}
	s.text, ok = r.operandOf(n)
	return s, ok
}

// anyVariable lets expressions have any integers in them.
func anyVariable(*cc.Declarator) bool { return true }

// iterations are those of the loops that reach so many bytes of a stretch: whole rows of it from
// the first one on, or of a row all of it or, where numbers say that it is so long, the beginning.
func (r *rewriter) iterations(s stretch, bytes cc.ExpressionNode) (counts []quantity, ok bool) {
	constant, others, ok := r.factorsOf(bytes)
	if !ok || !divide(&constant, s.element.Size()) {
		return nil, false
	}
	for _, extent := range s.extents[1:] {
		count, ok := r.divideBy(extent, s.sizes, &constant, &others)
		if !ok {
			return nil, false
		}
		counts = append(counts, count)
	}
	first := quantity{text: strconv.FormatInt(constant, 10), typeName: "int"}
	switch length, err := strconv.ParseInt(s.extents[0], 10, 64); {
	case len(others) > 1:
		return nil, false
	case s.isWhole && len(others) == 1 && constant == 1:
		first = others[0]
	case s.isWhole && len(others) == 1:
		first = quantity{text: fmt.Sprintf("%dl * %s", constant, others[0].text), typeName: "long"}
	case s.isWhole:
	case err == nil && (len(others) > 0 || constant > length):
		return nil, false
	case err != nil:
		if first, ok = r.divideBy(s.extents[0], s.sizes, &constant, &others); !ok || constant != 1 {
			return nil, false
		}
	}
	return append([]quantity{first}, counts...), true
}

// divide divides a number, if it is a multiple.
func divide(number *int64, by int64) (ok bool) {
	if by <= 0 || *number%by != 0 {
		return false
	}
	*number /= by
	return true
}

// divideBy divides a product by an extent that is made of some variables, and is the iterations
// along that.
func (r *rewriter) divideBy(extent string, sizes []*cc.Declarator, constant *int64, others *[]quantity) (count quantity, ok bool) {
	if number, err := strconv.ParseInt(extent, 10, 64); err == nil {
		return quantity{text: extent, typeName: "int"}, divide(constant, number)
	}
	isOther := func(d *cc.Declarator) bool { return !slices.Contains(sizes, d) || r.changes(d) }
	k := slices.IndexFunc(*others, func(q quantity) bool {
		return (q.text == extent || q.text == "("+extent+")") && !slices.ContainsFunc(q.named, isOther)
	})
	if k < 0 {
		return count, false
	}
	count = (*others)[k]
	*others = slices.Delete(*others, k, k+1)
	return count, true
}

// sizesIn are the variables in the extents of an array. Another variable may have the name of one.
func sizesIn(t cc.Type) (list []*cc.Declarator) {
	for {
		switch array := t.(type) {
		case *cc.PointerType:
			t = array.Elem()
			if decayed, ok := array.Undecay().(*cc.ArrayType); ok {
				t = decayed
			}
		case *cc.ArrayType:
			if size := array.SizeExpression(); size != nil {
				list = append(list, namedIn(size)...)
			}
			t = array.Elem()
		default:
			return list
		}
	}
}

// changes says that a variable need not have the value in the region that it has where it is
// declared; what it leads to may always have changed.
func (r *rewriter) changes(d *cc.Declarator) bool {
	if !cc.IsIntegerType(d.Type()) || isFileScope(d) {
		return true
	}
	function := newFacts()
	r.x.visitFunction(function.look)
	if declared, ok := function.assigned[d].(*cc.InitDeclarator); ok {
		return declared.Initializer == nil || function.assignments[d] > 1
	}
	return function.assigned[d] != nil
}

// factorsOf are the factors of a number of bytes: a constant, and the others.
func (r *rewriter) factorsOf(n cc.ExpressionNode) (constant int64, others []quantity, ok bool) {
	n = unwrap(n)
	if value, ok := constantValue(n); ok {
		return value, nil, value > 0
	}
	if product, isProduct := n.(*cc.MultiplicativeExpression); isProduct && product.Case == cc.MultiplicativeExpressionMul {
		a, left, okLeft := r.factorsOf(product.MultiplicativeExpression)
		b, right, okRight := r.factorsOf(product.CastExpression)
		wraps := isUnsigned(n.Type()) && n.Type().Size() < 8
		return a * b, append(left, right...), okLeft && okRight && !wraps && a <= 1<<31/max(b, 1)
	}
	if !cc.IsIntegerType(n.Type()) || !r.isSteady(n, anyVariable) {
		return 0, nil, false
	}
	text, ok := r.operandOf(n)
	return 1, []quantity{{text, typeName(n.Type()), namedIn(n)}}, ok
}

// loopsOver are the headers of loops, one in the other, and the subscripts of what they go through.
func (r *rewriter) loopsOver(counts []quantity) (loops, subscripts string) {
	name := r.unusedName("copied")
	for k, count := range counts {
		iterator := name + strings.Repeat("_", k)
		loops += fmt.Sprintf("for (%[1]s %[2]s = 0; %[2]s < %[3]s; %[2]s++) ", count.typeName, iterator, count.text)
		subscripts += "[" + iterator + "]"
	}
	return loops, subscripts
}

// unusedName is a name that the function does not have, nor one that begins with it.
func (r *rewriter) unusedName(name string) string {
	for slices.ContainsFunc(r.x.whole(r.x.function).tokens(), func(t cc.Token) bool { return strings.HasPrefix(t.SrcStr(), name) }) {
		name += "_here"
	}
	return name
}
