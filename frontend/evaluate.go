package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// evaluator turns C expressions into affine expressions at one place of the
// region. It proves, where C's rules ask for it, that unsigned arithmetic
// does not wrap around and on which side of zero a dividend lies.
type evaluator struct {
	x *extractor
	place
	// assumed holds wherever the expression is evaluated.
	assumed []formula
	// locals are the values of the variables where the expression
	// stands in a function that the region calls, nil elsewhere; inlined are these functions.
	locals  localValues
	inlined []*cc.FunctionDefinition
	// embedded are the ++ and -- on variables that are followed in the statement at hand.
	embedded []cc.ExpressionNode
	// inBound says that the value is one of a bound or a condition, where products of sizes are
	// parameters.
	inBound bool
	// ignoresWrapping says that rows are looked for in unsigned arithmetic of 32 bits as well: what is
	// found is the value modulo 2^32.
	ignoresWrapping bool
}

func (x *extractor) evaluatorAt(p place, assumed ...formula) *evaluator {
	return &evaluator{x: x, place: p, assumed: slices.Concat(p.conditions, p.known, assumed)}
}

// under is the evaluator for an expression that is only reached when the
// condition holds.
func (e *evaluator) under(condition formula) *evaluator {
	inner := *e
	inner.assumed = append(append([]formula{}, e.assumed...), condition)
	return &inner
}

func (e *evaluator) holds(conclusion formula) bool {
	conditions := append(e.x.knownFacts(), e.assumed...)
	return e.x.prover.holds(conditions, conclusion)
}

// notAffine is the error of an expression that is no affine one.
func (e *evaluator) notAffine(at cc.Node, why string) error {
	return e.x.errorAt(at, "non-affine expression", why,
		"bounds, conditions and subscripts must be sums of iterators, integer parameters and constants with constant factors")
}

// affine evaluates an integer expression.
func (e *evaluator) affine(n cc.ExpressionNode) (affine, error) {
	n = unwrap(n)
	if value, ok := constantValue(n); ok {
		return e.checked(n, single(constantForm(value)))
	}
	if !cc.IsIntegerType(n.Type()) {
		value, err := e.floating(n)
		if err != nil {
			return affine{}, err
		}
		return e.checked(n, value)
	}
	value, err := e.operation(n)
	if err != nil {
		return affine{}, err
	}
	return e.checked(n, value)
}

// checked refuses values outside of what the model can hold.
func (e *evaluator) checked(n cc.ExpressionNode, value affine) (affine, error) {
	if value.tooLarge() {
		return affine{}, e.x.errorAt(n, "constant", "the expression is too large for the model",
			fmt.Sprintf("constants up to %d and at most %d cases are accepted", int64(maxCoefficient), maxPieces))
	}
	if _, isSum := n.(*indexSum); !isSum && isUnsigned(n.Type()) {
		if err := e.nonNegative(n, value); err != nil {
			return affine{}, err
		}
		if _, greatest, _ := typeRange(n.Type()); greatest > 0 && value.hasLargeConstant() && !e.withinTypes().holds(compare(value, "<=", single(constantForm(greatest)))) {
			return affine{}, e.x.errorAt(n, "unsigned arithmetic", fmt.Sprintf("unsigned arithmetic may wrap around: this value of type %s may exceed the type", typeName(n.Type())), "use long or size_t")
		}
	}
	return value, nil
}

// holdsOrIsAssumed says whether a condition holds, or does under a condition on parameters alone,
// which is assumed then.
func (e *evaluator) holdsOrIsAssumed(wanted formula) bool {
	return e.holdsOrIsAssumedIf(wanted, func(formula) bool { return true })
}

// holdsOrIsAssumedIf is holdsOrIsAssumed for conditions on parameters that are acceptable.
func (e *evaluator) holdsOrIsAssumedIf(wanted formula, acceptable func(formula) bool) bool {
	within := e.under(and(e.x.assumptions...))
	if within.holds(wanted) {
		return true
	}
	condition := within.whichParameters(wanted)
	if condition == nil || !acceptable(condition) {
		return false
	}
	e.x.assumptions = append(e.x.assumptions, condition)
	return true
}

// nonNegative proves that a value of unsigned type is one without wrapping. Where only parameters
// decide that, as in n - 1, they are assumed to be large enough: the code checks it when it runs.
func (e *evaluator) nonNegative(n cc.ExpressionNode, value affine) error {
	if e.holdsOrIsAssumed(compare(value, ">=", single(constantForm(0)))) {
		return nil
	}
	return e.x.errorAt(n, "unsigned arithmetic",
		fmt.Sprintf("unsigned arithmetic may wrap around: this %s value is not known to be at least 0", typeName(n.Type())),
		"use int or long, or rewrite it without a subtraction (i + 1 < n instead of i < n - 1)")
}

func (e *evaluator) operation(n cc.ExpressionNode) (affine, error) {
	if slices.Contains(e.embedded, n) {
		return e.embeddedValue(n)
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return e.name(x)
	case *cc.UnaryExpression:
		return e.unary(x)
	case *cc.CastExpression:
		return e.cast(x)
	case *cc.AdditiveExpression:
		factor := int64(1)
		if x.Case == cc.AdditiveExpressionSub {
			factor = -1
		}
		l, r, err := e.both(x, x.AdditiveExpression, x.MultiplicativeExpression)
		return l.plus(r, factor), err
	case *indexSum:
		return e.indexSum(x)
	case *cc.MultiplicativeExpression:
		return e.product(x)
	case *cc.ShiftExpression:
		return e.shift(x)
	case *cc.ConditionalExpression:
		return e.conditional(x)
	case *updateNode:
		return e.updated(x)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			return e.call(x)
		}
		return e.element(x)
	case *cc.AndExpression:
		return e.masked(x)
	case *cc.InclusiveOrExpression, *cc.ExclusiveOrExpression:
		return e.toggled(x)
	case *cc.RelationalExpression, *cc.EqualityExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return e.truth(n)
	}
	return affine{}, e.notAffine(n, "this operator is not affine")
}

func (e *evaluator) whyNotPostfix(n cc.ExpressionNode) string {
	x, ok := n.(*cc.PostfixExpression)
	if !ok {
		return "the value behind a pointer is not affine"
	}
	switch x.Case {
	case cc.PostfixExpressionCall:
		return "the value of a call is not affine"
	case cc.PostfixExpressionIndex:
		return "the value of an array element is not affine"
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return "++ or -- inside an expression"
	}
	return "the value of a struct member is not affine"
}

// both evaluates the operands of a binary operation; those that C converts to
// an unsigned type must not be negative.
func (e *evaluator) both(n, left, right cc.ExpressionNode) (l, r affine, err error) {
	if l, err = e.affine(left); err != nil {
		return l, r, err
	}
	if r, err = e.affine(right); err != nil {
		return l, r, err
	}
	return l, r, e.converted(left, l, right, r)
}

func (e *evaluator) converted(left cc.ExpressionNode, l affine, right cc.ExpressionNode, r affine) error {
	if !isUnsigned(cc.UsualArithmeticConversions(left.Type(), right.Type())) {
		return nil
	}
	if err := e.nonNegative(left, l); err != nil {
		return err
	}
	return e.nonNegative(right, r)
}

// indexSum is the sum of subscripts that are added to a pointer one after the other, so that none
// wraps around.
func (e *evaluator) indexSum(x *indexSum) (affine, error) {
	value := single(constantForm(0))
	for _, term := range x.terms() {
		of, err := e.affine(term.ExpressionNode)
		if err != nil {
			return affine{}, err
		}
		value = value.plus(of, term.factor)
	}
	return value, nil
}

// name is the value of an iterator or a parameter.
func (e *evaluator) name(x *cc.PrimaryExpression) (affine, error) {
	d := variableOf(x)
	if d == nil {
		return affine{}, e.notAffine(x, "this is no integer variable")
	}
	if e.locals != nil {
		return e.local(x, d)
	}
	if b := e.bindingOf(d); b != nil && b.loop >= 0 {
		return single(variableForm(e.loops[b.loop].tuple)), nil
	} else if copied := e.x.resolved(b); copied != nil {
		if copied.index != nil {
			return affine{}, e.notAffine(x, d.Name()+" is an index of rows, and no sum of iterators and parameters")
		}
		return copied.value, nil
	} else if b != nil && b.unknown {
		if !b.tried {
			e.x.giveUp(d)
		}
		return affine{}, e.notAffine(x, d.Name()+" has a value here that is not followed")
	}
	if front := e.x.frontValue(d); front != nil {
		if front.index == nil {
			return front.value, nil
		}
		if !e.inBound {
			return affine{}, e.notAffine(x, d.Name()+" is a product, and no sum of parameters")
		}
		return single(variableForm(e.x.variableParameter(d).name)), nil
	}
	if at := e.x.facts.assigned[d]; at != nil {
		return affine{}, e.notAffine(x, fmt.Sprintf("%s changes inside the region, at line %d, so it is no parameter here",
			d.Name(), e.x.positionOf(at).Line))
	}
	if d.IsVolatile() || d.IsAtomic() {
		return affine{}, e.x.errorAt(x, "volatile", d.Name()+" is volatile or atomic", "copy it to a plain variable in front of the region")
	}
	return single(variableForm(e.x.variableParameter(d).name)), nil
}

// local is the value of a variable in a function that the region calls: one of the function's, or a
// constant of the file.
func (e *evaluator) local(x *cc.PrimaryExpression, d *cc.Declarator) (affine, error) {
	if value, ok := e.locals[localKey(d)]; ok {
		if value.index != nil {
			return affine{}, e.notAffine(x, d.Name()+" is an index of rows, and no sum of iterators and parameters")
		}
		return value.value, nil
	}
	if isFileScope(d) {
		if front := e.x.frontValue(d); front != nil {
			return front.value, nil
		}
	}
	return affine{}, e.notAffine(x, "a variable from outside of the function")
}

func (e *evaluator) unary(x *cc.UnaryExpression) (affine, error) {
	switch x.Case {
	case cc.UnaryExpressionMinus:
		value, err := e.affine(x.CastExpression)
		return value.times(-1), err
	case cc.UnaryExpressionPlus:
		return e.affine(x.CastExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return affine{}, e.notAffine(x, "++ or -- inside an expression")
	case cc.UnaryExpressionNot:
		return e.truth(x)
	case cc.UnaryExpressionCpl:
		value, err := e.affine(x.CastExpression)
		return single(constantForm(-1)).plus(value, -1), err
	case cc.UnaryExpressionDeref:
		return e.element(x)
	}
	return affine{}, e.notAffine(x, "this operator is not affine")
}

// cast accepts casts between integer types that keep the value.
func (e *evaluator) cast(x *cc.CastExpression) (affine, error) {
	value, err := e.affine(x.CastExpression)
	if err != nil {
		return value, err
	}
	least, greatest, narrow := typeRange(x.Type())
	if narrow && (x.Type().Kind() == cc.Bool || !e.holds(and(compare(value, ">=", single(constantForm(least))), compare(value, "<=", single(constantForm(greatest)))))) {
		return value, e.notAffine(x, "a cast to "+typeName(x.Type())+" may change the value")
	}
	return value, nil
}

func (e *evaluator) product(x *cc.MultiplicativeExpression) (affine, error) {
	l, r, err := e.both(x, x.MultiplicativeExpression, x.CastExpression)
	if err != nil {
		return affine{}, err
	}
	right, rightConstant := r.constant()
	if x.Case == cc.MultiplicativeExpressionMul {
		if left, ok := l.constant(); ok {
			return r.times(left), e.scaledWithin(x, r, left)
		}
		if !rightConstant {
			e.noteProduct(x)
			return affine{}, e.x.errorAt(x, "non-affine expression", "the product of two variables is not affine", "one factor must be constant; "+e.insteadOfProduct(l, r))
		}
		return l.times(right), e.scaledWithin(x, l, right)
	}
	if !rightConstant || right <= 0 {
		return e.fewTimes(x, l, r)
	}
	return e.quotient(x, l, right)
}

// insteadOfProduct says what to write instead of a product, by what its factors depend on.
func (e *evaluator) insteadOfProduct(l, r affine) string {
	moves := func(a affine) bool {
		return slices.ContainsFunc(e.loops, func(loop loopLevel) bool { return a.dependsOn(loop.tuple) })
	}
	switch {
	case moves(l) && moves(r):
		return "a packed triangle indexed as A[i * (i + 1) / 2 + j] can be declared as A[n][n] and indexed as A[i][j]"
	case !moves(l) && !moves(r):
		return "a product of sizes can have a name in front of the region, as in int size = m * n"
	default:
		return "an array indexed as A[i * n + j] can be declared as A[m][n] and indexed as A[i][j]"
	}
}

// shift accepts shifts by a constant. To the right is the quotient rounded down, of negative values
// as well: C leaves these to compilers, all of which repeat the sign.
func (e *evaluator) shift(x *cc.ShiftExpression) (affine, error) {
	l, r, err := e.both(x, x.ShiftExpression, x.AdditiveExpression)
	if err != nil {
		return affine{}, err
	}
	by, ok := r.constant()
	if !ok || by < 0 || by > 30 {
		return affine{}, e.x.errorAt(x, "non-affine expression", "a shift by something else than a constant from 0 to 30",
			"give its value a name in front of the region, as in int size = 1 << k, if it is the same in all iterations")
	}
	if x.Case == cc.ShiftExpressionRsh {
		return l.mapValues(func(v linear) linear { return v.floorDiv(1 << by) }), nil
	}
	return l.times(1 << by), e.scaledWithin(x, l, 1<<by)
}

// largeFactor is the smallest factor by which unsigned numbers that count elements could exceed
// their type.
const largeFactor = 1 << 16

// scaledWithin proves that an unsigned value times a large factor does not wrap around at the upper
// end of its type, as those of hash functions do. Where parameters decide that, it is checked when
// the code runs.
func (e *evaluator) scaledWithin(n cc.ExpressionNode, value affine, factor int64) error {
	_, greatest, _ := typeRange(n.Type())
	if !isUnsigned(n.Type()) || greatest == 0 || factor < largeFactor || value.tooLarge() || factor > maxCoefficient {
		return nil
	}
	if e.holdsOrIsAssumed(compare(value, "<=", single(constantForm(greatest/factor)))) {
		return nil
	}
	return e.x.errorAt(n, "unsigned arithmetic", fmt.Sprintf("unsigned arithmetic may wrap around: this product of type %s may exceed the type", typeName(n.Type())),
		"use long, or take what wraps out of bounds and subscripts")
}

// conditional is c ? a : b with an affine condition.
func (e *evaluator) conditional(x *cc.ConditionalExpression) (affine, error) {
	condition, err := e.condition(x.LogicalOrExpression)
	if err != nil {
		return affine{}, err
	}
	chosen := x.ExpressionList
	if chosen == nil {
		chosen = x.LogicalOrExpression
	}
	switch {
	case e.holds(condition):
		return e.affine(chosen)
	case e.holds(condition.negated()):
		return e.affine(x.ConditionalExpression)
	}
	yes, err := e.under(condition).affine(chosen)
	if err != nil {
		return affine{}, err
	}
	no, err := e.under(condition.negated()).affine(x.ConditionalExpression)
	return choose(condition, yes, no), err
}
