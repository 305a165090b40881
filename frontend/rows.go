package frontend

import (
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/pattern"
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

// polynomial evaluates an integer expression of sums and products, in which variables stand for
// piecewise values. Arithmetic in which C lets a value wrap around below 64 bits has none.
func (e *evaluator) polynomial(n cc.ExpressionNode) (value polynomial, ok bool) {
	n = unwrap(n)
	whole, err := e.affine(n)
	form, isLinear := whole.linear()
	if err != nil || !isLinear {
		value, ok = e.sumOfProducts(n)
	}
	if err == nil && !ok {
		if !isLinear {
			form = e.x.standInFor(whole)
		}
		value, ok = polynomialOf(form), true
	}
	return value, ok && !value.tooLarge()
}

// sumOfProducts is the polynomial of an expression that is made of other ones.
func (e *evaluator) sumOfProducts(n cc.ExpressionNode) (value polynomial, ok bool) {
	if !cc.IsIntegerType(n.Type()) || isUnsigned(n.Type()) && n.Type().Size() < 8 && !e.ignoresWrapping {
		return nil, false
	}
	if slices.Contains(e.embedded, n) {
		return e.polynomial(embeddedAs(n))
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
		ok = true
		for _, term := range x.terms() {
			p, isKnown := e.polynomial(term.ExpressionNode)
			value, ok = value.plus(p, term.factor), ok && isKnown
		}
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
	case *cc.ConditionalExpression:
		value, ok = e.chosenIndex(x)
	case *updateNode:
		value, ok = e.updatedIndex(x)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			called, err := e.called(x)
			value, ok = called.index, err == nil && called.index != nil
		}
	case *cc.PrimaryExpression:
		if e.locals != nil {
			d := variableOf(x)
			value = e.locals[localKey(d)].index
			return value, value != nil
		}
		if copied := e.indexCopy(x); copied != nil {
			value, ok = e.decided(copied.index), true
		}
	}
	return value, ok
}

// decided is a sum of products without the choices that are decided where it stands: a loop over
// columns has run as often as a row is long wherever an iteration of it is.
func (e *evaluator) decided(p polynomial) polynomial {
	for _, summand := range p {
		for k, factor := range summand.factors {
			value := e.x.valueOf(factor.text)
			if value == nil {
				continue
			}
			for _, piece := range value.pieces {
				if piece.when == nil || !e.holds(piece.when) {
					continue
				}
				others := product{slices.Delete(slices.Clone(summand.factors), k, k+1), summand.coefficient}
				rest := p.plus(polynomial{summand}, -1)
				return e.decided(rest.plus(polynomial{others}.times(polynomialOf(piece.value)), 1))
			}
		}
	}
	return p
}

// chosenIndex is one of two indices of rows, by an affine condition.
func (e *evaluator) chosenIndex(x *cc.ConditionalExpression) (value polynomial, ok bool) {
	if x.ExpressionList == nil {
		return nil, false
	}
	condition, err := e.condition(x.LogicalOrExpression)
	if err != nil {
		return nil, false
	}
	yes, err := e.under(condition).integer(x.ExpressionList)
	if err != nil {
		return nil, false
	}
	no, err := e.under(condition.negated()).integer(x.ConditionalExpression)
	if err != nil {
		return nil, false
	}
	return e.x.asPolynomial(e.choice(condition, yes, no)), true
}

// indexCopy is the index of rows that a variable stands for, or nil.
func (e *evaluator) indexCopy(x *cc.PrimaryExpression) *affineCopy {
	d := variableOf(x)
	if d == nil {
		return nil
	}
	switch b := e.bindingOf(d); {
	case b != nil && b.copy != nil && b.copy.index != nil && (e.ignoresWrapping || !b.copy.modulo):
		return b.copy
	case b != nil:
		return nil
	}
	if front := e.x.frontValue(d); front != nil && front.index != nil {
		return front
	}
	return nil
}

// indexInRows is an index into an array with rows.
type indexInRows struct {
	// subscripts are those of the row and of the columns, outermost first.
	subscripts []linear
	// assumed are conditions on the parameters under which each column stays in its row.
	assumed []formula
}

// inRows are the subscripts of an index into an array with such rows; ok is false where they are
// not known to stay in their rows, and may not be assumed to.
func (e *evaluator) inRows(index polynomial, lengths rowLengths, assuming bool) (found indexInRows, ok bool) {
	if len(lengths) == 0 {
		first, ok := index.linear()
		return indexInRows{subscripts: []linear{first}}, ok
	}
	outer, length := lengths[:len(lengths)-1], lengths[len(lengths)-1].value
	quotient, remainder, ok := e.inMultiples(index, lengths[len(lengths)-1]).dividedBy(length)
	if !ok {
		return found, false
	}
	if found, ok = e.inRowsOf(quotient, remainder, length, outer, assuming); ok {
		return found, true
	}
	if quotient, remainder, ok = e.chosenInRow(quotient, remainder, length); !ok {
		return found, false
	}
	return e.inRowsOf(quotient, remainder, length, outer, assuming)
}

// inRowsOf are the subscripts of an index that has been divided by the length of a row.
func (e *evaluator) inRowsOf(quotient, remainder polynomial, length linear, outer rowLengths, assuming bool) (found indexInRows, ok bool) {
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

// chosenInRow leaves choices of whole rows in the column: j == 0 ? c + m - 1 : c - 1 is in another
// row than c, or at the other end of its own. ok is false where there are none.
func (e *evaluator) chosenInRow(quotient, remainder polynomial, length linear) (q, r polynomial, ok bool) {
	r = remainder
	for _, p := range quotient {
		value := (*affine)(nil)
		if len(p.factors) == 1 {
			value = e.x.valueOf(p.factors[0].text)
		}
		isNumber := func(p piece) bool { return p.value.isConstant() }
		if value == nil || slices.ContainsFunc(value.pieces, func(p piece) bool { return !isNumber(p) }) {
			q = append(q, p)
			continue
		}
		rows := value.mapValues(func(l linear) linear { return length.times(l.constant * p.coefficient) })
		r, ok = r.plus(polynomialOf(e.x.standInFor(rows)), 1), true
	}
	return q, r, ok
}

// subscriptsInRows are the subscripts of a reference to an array with rows.
func (c *collector) subscriptsInRows(array *arrayInfo, index cc.ExpressionNode, at cc.Node) ([]subscript, error) {
	e, rows := c.indexEvaluator(index), c.x.rows[array.key()]
	value, ok := polynomial{}, true
	if index != nil {
		value, ok = e.polynomial(index)
	}
	form, isLinear := value.linear()
	isLinear = isLinear && ok
	if ok {
		found, ok := e.inRows(value, array.rows, false)
		if !ok && !(isLinear && rows.optional) {
			found, ok = e.inRows(value, array.rows, true)
		}
		if ok && !(c.isFlat(found) && !e.under(and(rows.assumed...)).holds(and(found.assumed...))) {
			return c.foundInRows(array, found, index, at)
		}
	}
	depends := index != nil && (c.dependsOnData(index) || isFloating(index))
	isAny := depends || isLinear && c.x.varies(form)
	if ok || !depends {
		c.misfit(array, index, isAny && !(isLinear && rows.optional))
	}
	if isAny && !depends {
		c.x.warnings = append(c.x.warnings, c.anyElement(array, at))
	}
	if isAny {
		rows.flat = rows.flat || !depends
		return make([]subscript, len(array.rows)+1), nil
	}
	return c.anyInRows(array, index, at)
}

// foundInRows are the subscripts that were found, with what they assume.
func (c *collector) foundInRows(array *arrayInfo, found indexInRows, index cc.ExpressionNode, at cc.Node) ([]subscript, error) {
	subscripts := make([]subscript, len(array.rows)+1)
	for k, form := range found.subscripts {
		if subscripts[k] = (subscript{value: c.x.spelledOut(form), known: true}); subscripts[k].value.tooLarge() {
			return nil, c.notAffineIn(array, index, at)
		}
	}
	if e := c.evaluator(); e.isCountedModulo(index) && !e.under(and(found.assumed...)).isBelowModulus(subscripts, array.rows) {
		return c.anyInRows(array, index, at)
	}
	if !c.isFlat(found) {
		rows := c.x.rows[array.key()]
		rows.assumed = append(rows.assumed, found.assumed...)
	}
	c.x.assumptions = append(c.x.assumptions, found.assumed...)
	c.noteKnown(index)
	return subscripts, nil
}

// isFlat says whether an index that goes through elements is in the first row only if something is
// assumed. b[i] with i < size, beside b[i * m + j], mostly goes through all rows, so that the size
// is not assumed to be at most m, unless other references are only right then as well.
func (c *collector) isFlat(found indexInRows) bool {
	return len(found.assumed) > 0 && isZero(found.subscripts[0]) && slices.ContainsFunc(found.subscripts, c.x.varies)
}

// varies says whether a form has other terms than parameters.
func (x *extractor) varies(form linear) bool {
	return slices.ContainsFunc(form.variables(), func(name string) bool { return !x.isParameterName(name) })
}

// wantRows notes that dimension k of an array may count rows, and that the region is read again
// then: when an index is no linear form, or, optionally, when it is the last one, and one of long
// rows or a variable that stands for an index. It says whether they are wanted.
func (c *collector) wantRows(array *arrayInfo, index cc.ExpressionNode, k int, optional bool) bool {
	known := c.x.rows[array.key()]
	isLast := k == len(array.Extents)-1
	if index == nil || array.rows != nil || array.Local || !isLast && optional || known != nil && (optional || !known.optional) {
		return false
	}
	lengths := c.indexEvaluator(index).lengthsOf(index)
	if lengths == nil || optional && lengths.areShort() {
		return false
	}
	c.x.rows[array.key()], c.x.again = &arrayRows{at: k, lengths: lengths, optional: optional}, true
	return true
}

// giveRows makes the model's array one with rows, where the region is read
// again for that.
func (c *collector) giveRows(array *arrayInfo) error {
	rows := c.x.rows[array.key()]
	if array.rows != nil || rows == nil || rows.refused {
		return nil
	}
	e := c.evaluator()
	var lengths rowLengths
	for _, l := range rows.lengths {
		length, ok := e.length(l.node)
		if !ok {
			// It is written with a variable that has no value yet.
			rows.misfits++
			return c.notAffineIn(array, nil, l.node)
		}
		lengths = append(lengths, length)
	}
	if len(array.Extents) > 1 && array.Path == "" {
		array.Path = array.Variable + strings.Repeat("[]", len(array.Extents))
	}
	array.rows, array.Linear, array.LinearAt = lengths, true, rows.at
	for k, length := range lengths {
		text := identifierText.ReplaceAllStringFunc(length.value.String(), c.x.spellingOf)
		array.Extents = slices.Insert(array.Extents, rows.at+1+k, text)
		array.limits = slices.Insert(array.limits, rows.at+1+k, -1)
	}
	if array.Path != "" {
		array.Extents[rows.at], array.limits[rows.at] = "", -1
		return nil
	}
	isGuarded := array.limits[0] >= 0
	array.Extents[0], array.limits[0] = c.rowCount(array), -1
	if count, err := strconv.ParseInt(array.Extents[0], 10, 64); err == nil && isGuarded {
		array.limits[0] = count
	}
	array.Rows = c.x.rowsName(array)
	return nil
}

// identifierText finds the parameters in a linear form.
var identifierText = pattern.New(`[A-Za-z_][A-Za-z0-9_]*`)

// spellingOf is the C expression of a parameter.
func (x *extractor) spellingOf(parameter string) string {
	for _, p := range x.parameters {
		if p.name == parameter {
			return p.spelling
		}
	}
	return parameter
}
