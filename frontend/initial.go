package frontend

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// maxInitialValues is the largest number of initial values of an array, zeros aside: each is a
// statement.
const maxInitialValues = 64

// initialList is a list of initial values of an array of the region's own that changes, or that is
// not constant. It is as many assignments as it has values, and loops over the elements that are
// zero:
//
//	double t[5] = {x, y};   -->   t[0] = x;  t[1] = y;  for (int k = 2; k < 5; k++) t[k] = 0;
type initialList struct {
	x     *extractor
	array *cc.Declarator
	at    place
	// values are those that are not zero, by the number of their element.
	values map[int64]cc.ExpressionNode
}

// initialValues makes the statements of a list of initial values.
func (x *extractor) initialValues(n *cc.InitDeclarator, at place) {
	list := &initialList{x: x, array: n.Declarator, at: at, values: map[int64]cc.ExpressionNode{}}
	extents, elements := []int64{}, int64(1)
	element := n.Declarator.Type()
	for element.Kind() == cc.Array {
		array := element.(*cc.ArrayType)
		extents, elements, element = append(extents, array.Len()), elements*max(array.Len(), 1), array.Elem()
	}
	message, advice := "", "assign its elements one by one"
	switch {
	case len(extents) == 0 && !isNumberType(element) && !holdsPointers(element):
		x.initialWhole(n, at)
		return
	case !isNumberType(element):
		message, advice = "a list of initial values, and is no array of numbers", "assign its members one by one"
	case slices.ContainsFunc(extents, func(extent int64) bool { return extent < 1 }):
		message = "a list of initial values, and extents that are no constants"
	case !list.gather(n.Initializer, element.Size()):
		message = "a string, or a range of designators, among its initial values"
	case len(list.values) > maxInitialValues:
		message = fmt.Sprintf("%d initial values besides zeros, and at most %d are accepted where they change or are not constant", len(list.values), maxInitialValues)
		advice = "assign its elements in a loop, or copy them from a constant array"
	}
	if message != "" {
		x.refuse(n, "declaration", fmt.Sprintf("the local variable %s has %s", n.Declarator.Name(), message), advice)
		return
	}
	list.assign(nil, extents, 0, elements)
}

// gather notes the values of a list by their elements of that size.
func (l *initialList) gather(n *cc.Initializer, size int64) bool {
	if value := n.AssignmentExpression; value != nil {
		if isZeroValue(value) {
			delete(l.values, n.Offset()/size)
		} else {
			l.values[n.Offset()/size] = value
		}
		return isNumberType(value.Type())
	}
	for inner := n.InitializerList; inner != nil; inner = inner.InitializerList {
		if !hasPlainDesignators(inner.Designation) || !l.gather(inner.Initializer, size) {
			return false
		}
	}
	return true
}

// hasPlainDesignators says that designators, if there are any, each name one element of an array.
func hasPlainDesignators(n *cc.Designation) bool {
	if n == nil {
		return true
	}
	for l := n.DesignatorList; l != nil; l = l.DesignatorList {
		if l.Designator.Case != cc.DesignatorIndex {
			return false
		}
	}
	return true
}

// initialWhole makes the statement of the initial values of a struct or a vector: q = (struct
// point) {.x = 1};
func (x *extractor) initialWhole(n *cc.InitDeclarator, at place) {
	c := x.newCollector(at)
	c.reference(n.Declarator, lvalue{variable: n.Declarator, name: n.Declarator}, false, true)
	c.initializer(n.Initializer)
	if !x.accept(c) {
		return
	}
	if source, offset, ok := x.statementSource(n.Initializer); ok {
		front := fmt.Sprintf("%s = (%s) ", x.spelledName(n.Declarator), typeName(n.Declarator.Type()))
		x.appendBehind(front, source+";", offset, x.positionOf(n.Declarator), at, c)
	}
}

// isZeroValue says whether an expression is the constant that elements without a value get.
func isZeroValue(n cc.ExpressionNode) bool {
	if v, ok := n.Value().(cc.Float64Value); ok {
		return v == 0 && !math.Signbit(float64(v)) && !hasEffect(n)
	}
	value, ok := constantValue(n)
	return ok && value == 0
}

// assign makes the statements for the elements below those subscripts, count of them from the one
// with the number first on.
func (l *initialList) assign(subscripts, extents []int64, first, count int64) {
	if len(extents) == 0 {
		if value := l.values[first]; value != nil {
			l.value(subscripts, value)
		} else {
			l.zeros(subscripts, 0, nil)
		}
		return
	}
	row := count / extents[0]
	zeros := int64(0)
	for _, element := range slices.Sorted(l.between(first, first+count)) {
		k := (element - first) / row
		if k < zeros {
			continue
		}
		l.zerosIn(subscripts, zeros, k, extents[1:])
		l.assign(append(slices.Clone(subscripts), k), extents[1:], first+k*row, row)
		zeros = k + 1
	}
	l.zerosIn(subscripts, zeros, extents[0], extents[1:])
}

// between are the numbers of the values from first on and before end.
func (l *initialList) between(first, end int64) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		for element := range l.values {
			if element >= first && element < end && !yield(element) {
				return
			}
		}
	}
}

// zerosIn makes the statement for rows of zeros, from one subscript up to another.
func (l *initialList) zerosIn(subscripts []int64, from, to int64, extents []int64) {
	switch to - from {
	case 0:
	case 1:
		l.zeros(append(slices.Clone(subscripts), from), 0, extents)
	default:
		l.zeros(subscripts, from, append([]int64{to}, extents...))
	}
}

// zeros makes the statement that sets the elements below those subscripts to zero in loops over as
// many dimensions as there are ends, the first of them from its own beginning on.
func (l *initialList) zeros(subscripts []int64, from int64, ends []int64) {
	at := l.at
	at.conditions, at.loops, at.position = slices.Clone(at.conditions), slices.Clone(at.loops), slices.Clone(at.position)
	text, uses := l.elementText(subscripts), []scop.Use(nil)
	known := constantSubscripts(subscripts)
	for k, end := range ends {
		name := l.x.zeroIterator(k)
		uses = append(uses, scop.Use{Offset: len(text) + 1, Loop: len(at.loops), Subscript: true})
		text += "[" + name + "]"
		at.conditions = append(at.conditions, chain{constantForm(from), "<=", name, "<", constantForm(end)})
		at.loops = append(at.loops, loopLevel{name: name, tuple: name})
		known = append(known, subscript{value: single(variableForm(name)), known: true})
		from = 0
		next := 0
		at.position, at.next = append(at.position, *at.next), &next
	}
	if c := l.collectorFor(known, at); l.x.accept(c) {
		l.x.addStatement(text+" = 0;", uses, l.x.positionOf(l.array), at, c)
	}
	if len(ends) > 0 {
		*l.at.next++
	}
}

// value makes the statement that sets an element to a value.
func (l *initialList) value(subscripts []int64, value cc.ExpressionNode) {
	c := l.collectorFor(constantSubscripts(subscripts), l.at)
	c.expression(value)
	if !l.x.accept(c) {
		return
	}
	source, offset, ok := l.x.statementSource(value)
	if !ok {
		return
	}
	l.x.appendBehind(l.elementText(subscripts)+" = ", source+";", offset, l.x.positionOf(value), l.at, c)
}

// collectorFor is a collector with the write of an element.
func (l *initialList) collectorFor(subscripts []subscript, at place) *collector {
	c := l.x.newCollector(at)
	array, _, err := c.x.arrayOf(lvalue{variable: l.array, name: l.array})
	if err == nil {
		err = c.giveRows(array)
	}
	if err == nil && array.rows != nil {
		err = c.x.errorAt(l.array, "declaration", fmt.Sprintf("the local array %s has initial values, and is indexed by rows", l.array.Name()),
			"declare it with two extents, or assign its elements in loops over the rows")
	}
	if err != nil {
		c.problems.add(err)
		return c
	}
	c.references = append(c.references, reference{array: array, subscripts: subscripts, write: true, where: c.x.positionOf(l.array)})
	return c
}

// elementText is the text of an element, as far as its subscripts are constant.
func (l *initialList) elementText(subscripts []int64) string {
	var text strings.Builder
	text.WriteString(l.x.spelledName(l.array))
	for _, s := range subscripts {
		fmt.Fprintf(&text, "[%d]", s)
	}
	return text.String()
}

func constantSubscripts(subscripts []int64) []subscript {
	// A scalar is an array without dimensions.
	list := make([]subscript, len(subscripts))
	for k, s := range subscripts {
		list[k] = subscript{value: single(constantForm(s)), known: true}
	}
	return list
}

// zeroIterator is the name of the iterator over the elements in one dimension, which nothing in the
// file has.
func (x *extractor) zeroIterator(dimension int) string {
	for len(x.zeroIterators) <= dimension {
		named := x.identifiers()
		name := x.internalName("k", func(name string) bool {
			return named[name] || x.tuples[name] || x.isParameterName(name)
		})
		x.tuples[name] = true
		x.zeroIterators = append(x.zeroIterators, name)
	}
	return x.zeroIterators[dimension]
}
