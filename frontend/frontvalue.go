package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// Sizes, steps and strides often have names that get one value in front of the region, or in the
// file:
//
//	static const int B = 16;
//	int sx = ny, sy = 1, plane = nx * ny;
//
// Such a name is read as its value: a constant, or a sum or product of variables that never change.

// frontValue is the value that a variable of the function or of the file has from its declaration
// on, or nil.
func (x *extractor) frontValue(d *cc.Declarator) *affineCopy {
	if known, ok := x.frontValues[d]; ok {
		return known
	}
	x.frontValues[d] = nil
	value := x.initialOf(d)
	if value == nil || !x.isNeverWritten(d) {
		return nil
	}
	e := x.evaluatorAt(place{})
	if constant, ok := x.constantInFront(e, value); ok {
		if holdsConstant(d.Type(), constant) {
			x.frontValues[d] = &affineCopy{integerValue: affineInteger(single(constantForm(constant)))}
		}
		return x.frontValues[d]
	}
	if isFileScope(d) || !x.isMadeOfUnchanged(value) || !x.keepsMeaning(value) || !keepsIndex(value.Type(), d.Type()) || d.Type().Size() < 4 {
		return nil
	}
	x.attempt(func() bool {
		x.frontValues[d] = e.sumInFront(value)
		return x.frontValues[d] != nil
	})
	return x.frontValues[d]
}

// constantInFront is the value of an expression of constants, and of names that have constant
// values.
func (x *extractor) constantInFront(e *evaluator, n cc.ExpressionNode) (constant int64, ok bool) {
	if constant, ok = constantValue(n); ok {
		return constant, true
	}
	if !x.isMadeOfUnchanged(n) || !x.keepsMeaning(n) {
		return 0, false
	}
	x.attempt(func() bool {
		value, err := e.affine(n)
		form, isLinear := value.linear()
		constant, ok = form.constant, err == nil && isLinear && form.isConstant() && !e.mayWrap(n)
		return ok
	})
	return constant, ok
}

// attempt forgets the parameters and assumptions that a function adds, with the values that are
// made of them, unless it says that they are of use.
func (x *extractor) attempt(isOfUse func() bool) {
	parameters, assumptions, values := len(x.parameters), len(x.assumptions), maps.Clone(x.frontValues)
	if !isOfUse() {
		x.parameters, x.assumptions, x.frontValues = x.parameters[:parameters], x.assumptions[:assumptions], values
	}
}

// sumInFront is the value of an expression in front of the region that is a sum of variables, or of
// products of them. Quotients and choices keep their names: a parameter is simpler than they are.
func (e *evaluator) sumInFront(n cc.ExpressionNode) *affineCopy {
	c := &affineCopy{factors: e.factorsOf(n)}
	value, err := e.affine(n)
	if err != nil {
		index, ok := e.polynomial(n)
		if c.index = index; !ok || isUnsigned(n.Type()) {
			return nil
		}
		isPlain := func(t term) bool { return e.x.isParameterName(t.text) }
		if slices.ContainsFunc(index, func(p product) bool { return slices.ContainsFunc(p.factors, func(t term) bool { return !isPlain(t) }) }) {
			return nil
		}
		return c
	}
	form, ok := value.linear()
	if c.value = value; !ok || e.mayWrap(n) || slices.ContainsFunc(form.terms, func(t term) bool { return !e.x.isParameterName(t.text) }) {
		return nil
	}
	return c
}

// mayWrap says that unsigned arithmetic of an expression in front of the region may exceed its
// type, as n + 1 does for the largest n: the variable that gets its value has the right one.
func (e *evaluator) mayWrap(n cc.ExpressionNode) (may bool) {
	visit(n, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.AdditiveExpression, *cc.MultiplicativeExpression, *cc.ShiftExpression:
			part := n.(cc.ExpressionNode)
			value, err := e.affine(part)
			may = may || err != nil || e.fitsUnsigned(part, value) != nil
		}
	})
	return may
}

// holdsConstant says that a constant is one of a type's values.
func holdsConstant(t cc.Type, constant int64) bool {
	least, greatest, _ := typeRange(t)
	if least == greatest {
		return !isUnsigned(t) || constant >= 0
	}
	return t.Kind() != cc.Bool && least <= constant && constant <= greatest
}

// isMadeOfUnchanged says that an expression names variables alone that have one value while the
// function runs: its arguments, and others of its variables with a first value.
func (x *extractor) isMadeOfUnchanged(n cc.ExpressionNode) bool {
	unchanged := !hasEffect(n)
	visit(n, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.PostfixExpression:
			unchanged = false
		case *cc.UnaryExpression:
			unchanged = unchanged && n.Case != cc.UnaryExpressionDeref && n.Case != cc.UnaryExpressionAddrof
		case *cc.PrimaryExpression:
			d := variableOf(n)
			unchanged = unchanged && (d == nil || cc.IsIntegerType(d.Type()) && x.isNeverWritten(d) && (d.IsParam() || x.initialOf(d) != nil))
		}
	})
	return unchanged
}

// isNeverWritten says that a variable keeps its first value: no assignment changes it, and no
// pointer leads to it.
func (x *extractor) isNeverWritten(d *cc.Declarator) bool {
	if d.AddressTaken() || d.IsVolatile() || d.IsAtomic() || x.facts.local[d] || x.facts.assigned[d] != nil {
		return false
	}
	if !isFileScope(d) {
		return (d.StorageDuration() == cc.Automatic || d.IsConst()) && !x.changesLater(d)
	}
	if d.IsConst() {
		return !d.IsExtern()
	}
	if !d.IsStatic() {
		return false
	}
	for _, f := range x.definitions {
		if changesIn(f.CompoundStatement, d) {
			return false
		}
	}
	return true
}
