package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

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
	// at is the dimension whose subscript in C counts them.
	at      int
	lengths rowLengths
	// tried are lengths with which not all references stay in their rows, the first ones first.
	tried []rowLengths
	// misfits counts the references that do not stay in their rows in the present reading, and next
	// are lengths with which one may.
	misfits int
	next    rowLengths
	// best are the lengths with the fewest misfits so far, and settled says that no others are to
	// be tried.
	best    rowLengths
	fewest  int
	settled bool
	// assumed is what references in several rows assume, and flat says that a reference without
	// rows of its own is taken for any element, which is reviewed when all of these are known.
	assumed        []formula
	flat, reviewed bool
	// optional says that the array can be read without rows as well, and refused that it has to be:
	// not all references stay in their rows.
	optional, refused bool
}

// maxRowLengths and maxRowFactors bound the dimensions that are looked for, and
// the factors among which they are.
const (
	maxRowLengths = 4
	maxRowFactors = 6
)

// minOptionalRow is the least length of rows where they need not be told apart: shorter ones, as of
// a[2 * i + 1], are taken for steps.
const minOptionalRow = 8

// length is the length of rows that a factor may be.
func (e *evaluator) length(n cc.ExpressionNode) (rowLength, bool) {
	if e.x.namedProduct(variableOf(n)) != nil {
		e = e.ofBound()
	}
	value, err := e.affine(n)
	if err != nil {
		return rowLength{}, false
	}
	l, ok := value.linear()
	if !ok || l.isConstant() && l.constant < 2 || polynomialOf(l).tooLarge() {
		return rowLength{}, false
	}
	return rowLength{n, l}, !slices.ContainsFunc(l.terms, func(t term) bool { return !e.x.isParameterName(t.text) })
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
	products := append(e.productLengths(), factors...)
	for _, assuming := range []bool{false, true} {
		if lengths := e.chosenLengths(index, factors, nil, assuming); lengths != nil {
			return lengths
		}
		if lengths := e.chosenLengths(index, products, nil, assuming); len(products) > len(factors) && lengths != nil {
			return lengths
		}
	}
	return nil
}

// factorsOf are the factors in an index that may be lengths of rows.
func (e *evaluator) factorsOf(n cc.ExpressionNode) (factors rowLengths) {
	visit(n, func(inner cc.Node) {
		var found rowLengths
		switch x := inner.(type) {
		case *cc.PostfixExpression:
			found = e.factorsOfCall(x)
		case *cc.PrimaryExpression:
			if copied := e.indexCopy(x); copied != nil {
				found = copied.factors
			}
		default:
			for _, factor := range multipliedBy(inner) {
				if length, ok := e.length(factor); ok && e.x.namedProduct(variableOf(factor)) == nil {
					found = append(found, length)
				}
			}
		}
		factors = append(factors, found...)
	})
	return factors[:min(len(factors), maxRowFactors)]
}

// comparedLengths are the sums that an expression is made of, or compares, and that may be lengths
// of rows: a variable that counts the iterations of a loop over columns moves on by a row's length.
func (e *evaluator) comparedLengths(n cc.ExpressionNode) (lengths rowLengths) {
	parts := []cc.ExpressionNode{n}
	if left, _, right, ok := comparisonOf(unwrap(n)); ok {
		parts = []cc.ExpressionNode{left, right}
	}
	for _, part := range parts {
		if length, ok := e.length(part); ok {
			lengths = append(lengths, length)
		}
	}
	return lengths
}

// factorsOfCall are those among the arguments of a call that the function multiplies by.
func (e *evaluator) factorsOfCall(x *cc.PostfixExpression) (factors rowLengths) {
	d := calledBy(x)
	if d == nil || e.x.definitions[d.Name()] == nil {
		return nil
	}
	f := e.x.definitions[d.Name()]
	inner, err := e.inside(f, x, e.notAffine(x, "the value of this call is not affine"))
	if err != nil {
		return nil
	}
	for _, factor := range multipliedIn(f.CompoundStatement) {
		caller := inner
		for {
			passed, ok := caller.locals[factorKey(factor)]
			if !ok {
				break
			}
			factor, caller = passed.node, passed.caller
		}
		if caller.locals != nil {
			continue
		}
		if length, ok := caller.length(factor); ok {
			factors = append(factors, length)
		}
	}
	return factors
}

// factorKey is what the variable is known by in a function that an expression is the name of; nil
// for others.
func factorKey(n cc.ExpressionNode) any {
	if d := variableOf(unwrap(n)); d != nil {
		return localKey(d)
	}
	return nil
}

// multipliedIn are the factors of products in a piece of code.
func multipliedIn(body cc.Node) (factors []cc.ExpressionNode) {
	visit(body, func(n cc.Node) { factors = append(factors, multipliedBy(n)...) })
	return factors
}

// multipliedBy are the factors of a node that is a product, or that multiplies a variable.
func multipliedBy(n cc.Node) []cc.ExpressionNode {
	switch n := n.(type) {
	case *cc.MultiplicativeExpression:
		if n.Case == cc.MultiplicativeExpressionMul {
			return []cc.ExpressionNode{n.MultiplicativeExpression, n.CastExpression}
		}
	case *cc.AssignmentExpression:
		if n.Case == cc.AssignmentExpressionMul {
			return []cc.ExpressionNode{n.AssignmentExpression}
		}
	}
	return nil
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

// areShort says whether one of the lengths is too small a constant for rows that need not be told
// apart.
func (lengths rowLengths) areShort() bool {
	return slices.ContainsFunc(lengths, func(l rowLength) bool { return l.value.isConstant() && l.value.constant < minOptionalRow })
}

// divide says whether one of the lengths is a factor of a term of the form.
func (lengths rowLengths) divide(form linear) bool {
	return slices.ContainsFunc(lengths, func(l rowLength) bool {
		return l.value.isConstant() && slices.ContainsFunc(form.terms, func(t term) bool { return t.coefficient%l.value.constant == 0 })
	})
}

// maxTriedLengths bounds how often a region is read for the lengths of one array's rows.
const maxTriedLengths = 6

// equal says whether two lists are of the same lengths.
func (lengths rowLengths) equal(others rowLengths) bool {
	return slices.EqualFunc(lengths, others, func(a, b rowLength) bool { return a.value.String() == b.value.String() })
}

// misfit notes that a reference does not stay in its row with the lengths of this reading. Those
// that it is written with may be right for all: t[(c * h + y) * w + x] has planes, which t[(h + y)
// * w + x] does not tell. One that is tolerated is taken for any element where there are no such
// lengths.
func (c *collector) misfit(array *arrayInfo, index cc.ExpressionNode, tolerated bool) {
	rows := c.x.rows[array.key()]
	if !tolerated {
		rows.misfits++
	}
	if rows.next != nil || index == nil || len(rows.tried) == maxTriedLengths {
		return
	}
	others := c.indexEvaluator(index).lengthsOf(index)
	if !(rows.optional && others.areShort()) && !others.equal(rows.lengths) && !slices.ContainsFunc(rows.tried, others.equal) {
		rows.next = others
	}
}

// settle decides on the lengths for the next reading, and says whether it has to be read again.
// Where none fit all references, those are right that fit most of them.
func (rows *arrayRows) settle() (again bool) {
	if rows.flat && !rows.reviewed {
		rows.reviewed, again = true, true
	}
	if rows.settled || rows.next == nil && rows.misfits == 0 {
		return again
	}
	if rows.best == nil || rows.misfits < rows.fewest {
		rows.best, rows.fewest = rows.lengths, rows.misfits
	}
	rows.assumed, rows.reviewed = nil, false
	if rows.next != nil {
		rows.tried, rows.lengths = append(rows.tried, rows.lengths), rows.next
		return true
	}
	rows.settled, rows.refused = true, rows.optional && rows.fewest > 0
	rows.lengths = rows.best
	return true
}
