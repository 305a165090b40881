package frontend

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// Arrays with one subscript are often used as if they had several: a[i * m + j]
// with j from 0 to m − 1 is element j of row i. Where every reference of the
// region to an array is of that form, with the same lengths of rows and with
// remainders that provably stay in their row, rows and columns are the array's
// subscripts in the model: different ones are different elements then, which is
// all that the model says about an array. Where a row's length is a parameter
// that nothing in the region compares with the loops' bounds, as lda of BLAS, the
// code asks for it when it runs. Grosser, Ramanujam, Pouchet,
// Sadayappan and Pop, Optimistic delinearization of parametrically sized arrays
// (ICS 2015), guess the same form and check it in the same way.

// rowLength is the length of the rows of an array's elements, or of its rows. It
// is an expression of the region over its parameters, or a constant, and its value.
type rowLength struct {
	node  cc.ExpressionNode
	value linear
}

// rowLengths are outermost first: those of a[(i * n + j) * m + k] are n and m.
type rowLengths []rowLength

// arrayRows says how an array is read that may have rows.
type arrayRows struct {
	lengths rowLengths
	// optional says that the array can be read without rows as well, and refused that it has to be: not
	// all references stay in their rows.
	optional, refused bool
}

// maxRowLengths and maxRowFactors bound the dimensions that are looked for, and
// the factors among which they are.
const (
	maxRowLengths = 4
	maxRowFactors = 6
)

// polynomial evaluates an integer expression of sums and products, in which variables stand for piecewise values.
// Arithmetic in which C lets a value wrap around below 64 bits has none.
func (e *evaluator) polynomial(n cc.ExpressionNode) (value polynomial, ok bool) {
	n = unwrap(n)
	whole, err := e.affine(n)
	form, isLinear := whole.linear()
	if err != nil || !isLinear {
		value, ok = e.sumOfProducts(n)
	}
	if err == nil && !ok {
		if !isLinear {
			form = e.standInFor(whole)
		}
		value, ok = polynomialOf(form), true
	}
	return value, ok && !value.tooLarge()
}

// sumOfProducts is the polynomial of an expression that is made of other ones.
func (e *evaluator) sumOfProducts(n cc.ExpressionNode) (value polynomial, ok bool) {
	if !cc.IsIntegerType(n.Type()) || isUnsigned(n.Type()) && n.Type().Size() < 8 {
		return nil, false
	}
	switch x := n.(type) {
	case *cc.AdditiveExpression:
		factor := int64(1)
		if x.Case == cc.AdditiveExpressionSub {
			factor = -1
		}
		l, okLeft := e.polynomial(x.AdditiveExpression)
		r, okRight := e.polynomial(x.MultiplicativeExpression)
		value, ok = l.plus(r, factor), okLeft && okRight
	case *indexSum:
		l, okLeft := e.polynomial(x.ExpressionNode)
		r, okRight := e.polynomial(x.Second)
		value, ok = l.plus(r, 1), okLeft && okRight
	case *cc.MultiplicativeExpression:
		l, okLeft := e.polynomial(x.MultiplicativeExpression)
		r, okRight := e.polynomial(x.CastExpression)
		if okLeft && okRight && x.Case == cc.MultiplicativeExpressionMul {
			value, ok = l.times(r), true
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && x.Type().Size() == 8 {
			value, ok = e.polynomial(x.CastExpression)
		}
	case *cc.PrimaryExpression:
		if copied := e.indexCopy(x); copied != nil {
			value, ok = copied.index, true
		}
	}
	return value, ok
}

// indexCopy is the index of rows that a variable stands for, or nil.
func (e *evaluator) indexCopy(x *cc.PrimaryExpression) *affineCopy {
	d := variableOf(x)
	if d == nil {
		return nil
	}
	if b := e.bindingOf(d); b != nil && b.copy != nil && b.copy.index != nil {
		return b.copy
	}
	return nil
}

// length is the length of rows that a factor may be.
func (e *evaluator) length(n cc.ExpressionNode) (rowLength, bool) {
	value, err := e.affine(n)
	if err != nil {
		return rowLength{}, false
	}
	l, ok := value.linear()
	if !ok || l.isConstant() && l.constant < 2 || polynomialOf(l).tooLarge() {
		return rowLength{}, false
	}
	return rowLength{n, l}, !slices.ContainsFunc(l.terms, func(t term) bool { return !e.isParameterName(t.text) })
}

// indexInRows is an index into an array with rows.
type indexInRows struct {
	// subscripts are those of the row and of the columns, outermost first.
	subscripts []linear
	// assumed are conditions on the parameters under which each column stays in its row.
	assumed []formula
}

// inRows are the subscripts of an index into an array with such rows; ok is false where they are not
// known to stay in their rows, and may not be assumed to.
func (e *evaluator) inRows(index polynomial, lengths rowLengths, assuming bool) (found indexInRows, ok bool) {
	if len(lengths) == 0 {
		first, ok := index.linear()
		return indexInRows{subscripts: []linear{first}}, ok
	}
	outer, length := lengths[:len(lengths)-1], lengths[len(lengths)-1].value
	quotient, remainder, ok := index.dividedBy(length)
	if !ok {
		return found, false
	}
	for _, shift := range []int64{0, -1, 1} {
		column, ok := remainder.plus(polynomialOf(length), -shift).linear()
		if !ok {
			continue
		}
		assumed, ok := e.staysInRow(column, length, assuming)
		if !ok {
			continue
		}
		found, ok = e.inRows(quotient.plus(polynomial{{nil, 1}}, shift), outer, assuming)
		return indexInRows{append(found.subscripts, column), append(found.assumed, assumed...)}, ok
	}
	return found, false
}

// lengthsOf finds lengths of rows for an index among the factors that it is
// written with; nil for none.
func (e *evaluator) lengthsOf(n cc.ExpressionNode) rowLengths {
	factors := e.factorsOf(n)
	if len(factors) == 0 {
		return nil
	}
	index, ok := e.polynomial(n)
	if !ok {
		return nil
	}
	if proven := e.chosenLengths(index, factors, nil, false); proven != nil {
		return proven
	}
	return e.chosenLengths(index, factors, nil, true)
}

// factorsOf are the factors in an index that may be lengths of rows.
func (e *evaluator) factorsOf(n cc.ExpressionNode) (factors rowLengths) {
	visit(n, func(inner cc.Node) {
		var found rowLengths
		switch x := inner.(type) {
		case *cc.PrimaryExpression:
			if copied := e.indexCopy(x); copied != nil {
				found = e.factorsOf(copied.node)
			}
		case *cc.MultiplicativeExpression:
			if x.Case != cc.MultiplicativeExpressionMul {
				return
			}
			for _, factor := range []cc.ExpressionNode{x.MultiplicativeExpression, x.CastExpression} {
				if length, ok := e.length(factor); ok {
					found = append(found, length)
				}
			}
		}
		factors = append(factors, found...)
	})
	return factors[:min(len(factors), maxRowFactors)]
}

// chosenLengths puts factors in front of the inner lengths until the index has
// rows of these lengths, and its first subscript no rows any more that a constant counts.
func (e *evaluator) chosenLengths(index polynomial, factors, inner rowLengths, assuming bool) rowLengths {
	var fitting rowLengths
	if found, ok := e.inRows(index, inner, assuming); ok && len(inner) > 0 {
		if fitting = inner; !factors.divide(found.subscripts[0]) {
			return inner
		}
	}
	if len(inner) == maxRowLengths {
		return fitting
	}
	for k, factor := range factors {
		others := slices.Delete(slices.Clone(factors), k, k+1)
		if found := e.chosenLengths(index, others, append(rowLengths{factor}, inner...), assuming); found != nil {
			return found
		}
	}
	return fitting
}

// divide says whether one of the lengths is a factor of a term of the form.
func (lengths rowLengths) divide(form linear) bool {
	return slices.ContainsFunc(lengths, func(l rowLength) bool {
		return l.value.isConstant() && slices.ContainsFunc(form.terms, func(t term) bool { return t.coefficient%l.value.constant == 0 })
	})
}

// subscriptsInRows are the subscripts of a reference to an array with rows.
func (c *collector) subscriptsInRows(array *arrayInfo, index cc.ExpressionNode, at cc.Node) ([]subscript, error) {
	subscripts := make([]subscript, len(array.Extents))
	e := c.evaluator()
	value, ok := polynomial{}, true
	if index != nil {
		value, ok = e.polynomial(index)
	}
	if ok {
		found, ok := e.inRows(value, array.rows, false)
		if _, isLinear := value.linear(); !ok && !(isLinear && c.rows[array.declarator].optional) {
			found, ok = e.inRows(value, array.rows, true)
		}
		if ok {
			for k, form := range found.subscripts {
				if subscripts[k] = (subscript{c.spelledOut(form), true}); subscripts[k].value.tooLarge() {
					return nil, c.notAffineIn(array, at)
				}
			}
			c.assumptions = append(c.assumptions, found.assumed...)
			c.noteKnown(index)
			return subscripts, nil
		}
	}
	depends := index != nil && (c.dependsOnData(index) || isFloating(index))
	_, isLinear := value.linear()
	if rows := c.rows[array.declarator]; rows.optional && (!depends || ok && isLinear) {
		rows.refused, c.again = true, true
	}
	if depends {
		return subscripts, nil
	}
	return nil, c.notAffineIn(array, at)
}

// wantRows notes that an array with one subscript may be used with rows, and that the region is read
// again then: when an index is no linear form, or, optionally, when it is one of long rows or a variable
// that stands for an index.
func (c *collector) wantRows(array *arrayInfo, index cc.ExpressionNode, optional bool) {
	d := array.declarator
	known := c.rows[d]
	if index == nil || len(array.Extents) != 1 || array.members != "" || array.Local || known != nil && (optional || !known.optional) {
		return
	}
	lengths := c.evaluator().lengthsOf(index)
	isShort := func(l rowLength) bool { return l.value.isConstant() && l.value.constant < minOptionalRow }
	if lengths != nil && !(optional && slices.ContainsFunc(lengths, isShort)) {
		c.rows[d], c.again = &arrayRows{lengths: lengths, optional: optional}, true
	}
}

// minOptionalRow is the least length of rows where they need not be told apart: shorter ones, as of
// a[2 * i + 1], are taken for steps.
const minOptionalRow = 8

// giveRows makes the model's array one with rows, where the region is read
// again for that.
func (c *collector) giveRows(array *arrayInfo) error {
	rows := c.rows[array.declarator]
	if array.rows != nil || rows == nil || rows.refused || len(array.Extents) != 1 || array.members != "" {
		return nil
	}
	e := c.evaluator()
	for _, l := range rows.lengths {
		length, ok := e.length(l.node)
		if !ok {
			return c.notAffineIn(array, l.node)
		}
		array.rows = append(array.rows, length)
		text := identifierText.ReplaceAllStringFunc(length.value.String(), c.spellingOf)
		array.Extents, array.limits = append(array.Extents, text), append(array.limits, -1)
	}
	isGuarded := array.limits[0] >= 0
	array.Extents[0], array.limits[0] = c.rowCount(array), -1
	if count, err := strconv.ParseInt(array.Extents[0], 10, 64); err == nil && isGuarded {
		array.limits[0] = count
	}
	array.Linear, array.Rows = true, c.rowsName(array)
	return nil
}

// rowsOfMember is the error of an index that is no linear form, with better advice where it would have rows if the array were
// no member of a struct.
func (c *collector) rowsOfMember(array *arrayInfo, index cc.ExpressionNode, at cc.Node, err error) error {
	if array.members == "" || index == nil || c.evaluator().lengthsOf(index) == nil {
		return err
	}
	name := array.Spelling()
	if indexed, ok := at.(*cc.PostfixExpression); ok && indexed.Case == cc.PostfixExpressionIndex {
		if extent, ok := spanOf(indexed.PostfixExpression); ok {
			name = c.expressionText(extent)
		}
	}
	return c.errorAt(at, "non-affine expression", name+" is a member of a struct, where rows such as those of A[i * n + j] are not looked for",
		fmt.Sprintf("copy the pointer to a variable in front of #pragma scop, as in %s *rows = %s, and index that", array.Type, name))
}

// notAffineIn is the error of an index that does not stay in a row of an array
// with rows.
func (c *collector) notAffineIn(array *arrayInfo, at cc.Node) error {
	return c.errorAt(at, "non-affine expression",
		fmt.Sprintf("%s is used with rows, as in A[i * n + j], and this subscript is not known to stay in a row", array.Spelling()),
		fmt.Sprintf("add the condition that keeps it in its row, such as j < n, or declare %s as A[m][n] and index it as A[i][j]", array.Spelling()))
}

// identifierText finds the parameters in a linear form.
var identifierText = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// spellingOf is the C expression of a parameter.
func (x *extractor) spellingOf(parameter string) string {
	for _, p := range x.parameters {
		if p.name == parameter {
			return p.spelling
		}
	}
	return parameter
}
