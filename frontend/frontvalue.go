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
	if constant, ok := constantValue(value); ok {
		if e.holdsValue(d.Type(), single(constantForm(constant))) {
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
		isPlain := func(t term) bool { return e.isParameterName(t.text) }
		if slices.ContainsFunc(index, func(p product) bool { return slices.ContainsFunc(p.factors, func(t term) bool { return !isPlain(t) }) }) {
			return nil
		}
		return c
	}
	form, ok := value.linear()
	if c.value = value; !ok || e.mayWrap(n) || slices.ContainsFunc(form.terms, func(t term) bool { return !e.isParameterName(t.text) }) {
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

// holdsValue says that a value is one of a type.
func (e *evaluator) holdsValue(t cc.Type, value affine) bool {
	least, greatest, _ := typeRange(t)
	if least == greatest {
		return !isUnsigned(t) || e.holds(compare(value, ">=", single(constantForm(0))))
	}
	return t.Kind() != cc.Bool && e.holds(and(compare(value, ">=", single(constantForm(least))), compare(value, "<=", single(constantForm(greatest)))))
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
		return (d.StorageDuration() == cc.Automatic || d.IsConst()) && !x.changes(d)
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

// initialOf is the first value of a variable of the file, or of one that is declared in front of
// the region in a block around it; nil for others.
func (x *extractor) initialOf(d *cc.Declarator) cc.ExpressionNode {
	if x.initials == nil {
		x.initials = map[*cc.Declarator]cc.ExpressionNode{}
		for l := x.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
			if e := l.ExternalDeclaration; e != nil && e.Case == cc.ExternalDeclarationDecl {
				x.noteInitials(e.Declaration)
			}
		}
		visit(x.function.CompoundStatement, func(n cc.Node) {
			if declaration, ok := n.(*cc.Declaration); ok {
				x.noteInitials(declaration)
			}
		})
	}
	return x.initials[d]
}

func (x *extractor) noteInitials(n *cc.Declaration) {
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if i := l.InitDeclarator; i.Initializer != nil && i.Initializer.AssignmentExpression != nil && cc.IsIntegerType(i.Declarator.Type()) {
			x.initials[i.Declarator] = i.Initializer.AssignmentExpression
		}
	}
}
