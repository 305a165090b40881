package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// call evaluates calls that have an affine value: abs, and functions of the
// file whose body is made of assignments to its own integers, if and return, such as a minimum.
func (e *evaluator) call(x *cc.PostfixExpression) (affine, error) {
	value, err := e.called(x)
	if err == nil && value.index != nil {
		err = e.notAffine(x, "the value of this call is an index of rows, and no sum of iterators and parameters")
	}
	return value.value, err
}

// called is the value of a call.
func (e *evaluator) called(x *cc.PostfixExpression) (integerValue, error) {
	refusal := e.notAffine(x, "the value of this call is not affine")
	d := calledBy(x)
	if d == nil || e.x.isNested(d) {
		return integerValue{}, refusal
	}
	f := e.x.definitions[d.Name()]
	if name := strings.TrimPrefix(d.Name(), "__builtin_"); f == nil && (name == "abs" || name == "labs" || name == "llabs") {
		value, err := e.affine(x.ArgumentExpressionList.AssignmentExpression)
		if err != nil {
			return integerValue{}, err
		}
		return affineInteger(e.chosen(compare(value, ">=", single(constantForm(0))), value, value.times(-1))), nil
	}
	if e.x.isIntegerChoice(d.Name()) {
		value, err := e.integerChoice(x, d.Name(), refusal)
		return affineInteger(value), err
	}
	inner, err := e.inside(f, x, refusal)
	if err != nil {
		return integerValue{}, err
	}
	value, ok := inner.returned(withoutSynthetic(itemsOf(f.CompoundStatement)))
	if !ok || value.tooLarge() {
		return integerValue{}, refusal
	}
	e.x.inlinedFunctions[d.Name()] = true
	return value, nil
}

// inside is the evaluator in a function of the file that is called, with the values of its
// arguments.
func (e *evaluator) inside(f *cc.FunctionDefinition, x *cc.PostfixExpression, refusal error) (*evaluator, error) {
	if f == nil || len(e.inlined) > maxInlined {
		return nil, refusal
	}
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok || !cc.IsIntegerType(t.Result()) || t.Result().Size() < 4 {
		return nil, refusal
	}
	inner := &evaluator{x: e.x, place: e.place, assumed: e.assumed, inlined: append(e.inlined[:len(e.inlined):len(e.inlined)], f), locals: localValues{}, ignoresWrapping: e.ignoresWrapping}
	l := x.ArgumentExpressionList
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		if l == nil || !cc.IsIntegerType(p.Type()) || p.Type().Size() < 4 {
			return nil, refusal
		}
		value, err := e.integer(l.AssignmentExpression)
		if err != nil {
			return nil, err
		}
		if isUnsigned(p.Type()) && (value.index != nil && !e.ignoresWrapping || value.index == nil && e.nonNegative(l.AssignmentExpression, value.value) != nil) {
			return nil, refusal
		}
		inner.locals[p.Name()] = localValue{value, l.AssignmentExpression, e}
		l = l.ArgumentExpressionList
	}
	return inner, nil
}

// localValues are the values of a function's arguments, by their names, and of its other variables,
// by what declares them.
type localValues map[any]localValue

// localValue is one of them. For an argument, node is the expression that is passed, in its caller.
type localValue struct {
	integerValue
	node   cc.ExpressionNode
	caller *evaluator
}

// localKey is what a variable of a function is known by.
func localKey(d *cc.Declarator) any {
	if d.IsParam() {
		return d.Name()
	}
	return d
}

// maxInlined bounds how deep functions may call each other.
const maxInlined = 8

func itemsOf(block *cc.CompoundStatement) (items []*cc.BlockItem) {
	for l := block.BlockItemList; l != nil; l = l.BlockItemList {
		items = append(items, l.BlockItem)
	}
	return items
}

// functionName is the variable that every function has.
const functionName = "__func__"

// withoutSynthetic drops the declaration of __func__ that the C front end adds.
func withoutSynthetic(items []*cc.BlockItem) []*cc.BlockItem {
	return slices.DeleteFunc(items, func(item *cc.BlockItem) bool {
		if item.Case != cc.BlockItemDecl || item.Declaration.InitDeclaratorList == nil {
			return false
		}
		return item.Declaration.InitDeclaratorList.InitDeclarator.Declarator.Name() == functionName
	})
}

// returned is the value that a list of declarations, assignments, if and return gives.
func (e *evaluator) returned(items []*cc.BlockItem) (value integerValue, ok bool) {
	if len(items) == 0 {
		return integerValue{}, false
	}
	if items[0].Case == cc.BlockItemDecl {
		return e.withLocals(items[0].Declaration, items[1:])
	}
	if items[0].Case != cc.BlockItemStmt {
		return integerValue{}, false
	}
	s, rest := items[0].Statement, items[1:]
	switch s.Case {
	case cc.StatementCompound:
		return e.returned(append(itemsOf(s.CompoundStatement), rest...))
	case cc.StatementExpr:
		return e.assigning(s.ExpressionStatement.ExpressionList, rest)
	case cc.StatementJump:
		j := s.JumpStatement
		if j.Case != cc.JumpStatementReturn || j.ExpressionList == nil {
			return integerValue{}, false
		}
		value, err := e.integer(j.ExpressionList)
		return value, err == nil
	case cc.StatementSelection:
		n := s.SelectionStatement
		if n.Case == cc.SelectionStatementSwitch {
			return integerValue{}, false
		}
		condition, err := e.condition(n.ExpressionList)
		if err != nil {
			return integerValue{}, false
		}
		branch := func(s *cc.Statement) []*cc.BlockItem {
			if s == nil {
				return rest
			}
			return append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}, rest...)
		}
		yes, ok := e.under(condition).returned(branch(n.Statement))
		if !ok {
			return integerValue{}, false
		}
		no, ok := e.under(condition.negated()).returned(branch(n.Statement2))
		if !ok {
			return integerValue{}, false
		}
		return e.choice(condition, yes, no), true
	}
	return integerValue{}, false
}

// withLocals is what a list gives behind declarations of integers.
func (e *evaluator) withLocals(n *cc.Declaration, rest []*cc.BlockItem) (value integerValue, ok bool) {
	if n.Case != cc.DeclarationDecl {
		return integerValue{}, false
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d, initial := l.InitDeclarator.Declarator, l.InitDeclarator.Initializer
		if !isSteppable(d) {
			return integerValue{}, false
		}
		if initial == nil {
			continue
		}
		if initial.AssignmentExpression == nil {
			return integerValue{}, false
		}
		if e, ok = e.with(d, initial.AssignmentExpression); !ok {
			return integerValue{}, false
		}
	}
	return e.returned(rest)
}

// assigning is what a list gives behind an expression that sets one of the function's variables.
func (e *evaluator) assigning(n cc.ExpressionNode, rest []*cc.BlockItem) (value integerValue, ok bool) {
	if n == nil {
		return e.returned(rest)
	}
	d, node := assignmentOf(n)
	if d == nil || !isSteppable(d) || isFileScope(d) {
		return integerValue{}, false
	}
	inner, ok := e.with(d, node)
	if !ok {
		return integerValue{}, false
	}
	return inner.returned(rest)
}

// with is the evaluator behind an assignment; ok is false where the value is none that is known, or
// the variable's type may change it.
func (e *evaluator) with(d *cc.Declarator, n cc.ExpressionNode) (*evaluator, bool) {
	value, err := e.integer(n)
	if err != nil || value.index != nil && (isUnsigned(d.Type()) || !keepsIndex(n.Type(), d.Type())) ||
		value.index == nil && !e.keepsAs(value.value, computedType(n), d.Type()) {
		return nil, false
	}
	inner := *e
	inner.locals = maps.Clone(e.locals)
	inner.locals[localKey(d)] = localValue{value, n, e}
	return &inner, true
}

// chosen is condition ? yes : no, with the condition decided where it can be.
func (e *evaluator) chosen(condition formula, yes, no affine) affine {
	switch {
	case e.holds(condition):
		return yes
	case e.holds(condition.negated()):
		return no
	}
	return choose(condition, yes, no)
}

// truth is the value 0 or 1 of a condition.
func (e *evaluator) truth(n cc.ExpressionNode) (affine, error) {
	condition, err := e.condition(n)
	if err != nil {
		return affine{}, err
	}
	return e.chosen(condition, single(constantForm(1)), single(constantForm(0))), nil
}

// masked is x & (2^k - 1), which is x modulo 2^k also for negative numbers in
// two's complement, or x & ~(2^k - 1), which is x without that.
func (e *evaluator) masked(x *cc.AndExpression) (affine, error) {
	for _, sides := range [][2]cc.ExpressionNode{{x.AndExpression, x.EqualityExpression}, {x.EqualityExpression, x.AndExpression}} {
		if step, ok := clearedBelow(sides[1], sides[0].Type()); ok {
			value, err := e.affine(sides[0])
			return value.plus(value.mapValues(func(v linear) linear { return v.modulo(step) }), -1), err
		}
	}
	l, mask, ok, err := e.withConstant(x, x.AndExpression, x.EqualityExpression)
	if err != nil {
		return affine{}, err
	}
	if !ok || mask < 1 || mask&(mask+1) != 0 {
		return affine{}, e.x.errorAt(x, "non-affine expression", "& is not affine, unless it is with 1, 3, 7, 15, … or their complements ~1, ~3, ~7, ~15, …",
			"write n % 8 for n & 7, n / 8 * 8 for n & ~7, or give the value a name in front of the region if it is the same in all iterations")
	}
	return l.mapValues(func(v linear) linear { return v.modulo(mask + 1) }), nil
}

// clearedBelow is 2^k where n is the complement of 2^k - 1, or -2^k, and so has all bits above
// those of a value of the type that it masks.
func clearedBelow(n cc.ExpressionNode, masked cc.Type) (int64, bool) {
	n = unwrap(n)
	step := int64(0)
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionCpl {
		below, constant := constantValue(u.CastExpression)
		if !constant || below > maxCoefficient {
			return 0, false
		}
		step = below + 1
	} else if value, constant := constantValue(n); constant && value >= -maxCoefficient {
		step = -value
	}
	if isUnsigned(n.Type()) && n.Type().Size() < masked.Size() {
		return 0, false
	}
	return step, step > 1 && step&(step-1) == 0
}

// floating evaluates a floating-point expression whose value is an integer, and
// is exact: minima and maxima of integers, and floor and ceil of a quotient.
func (e *evaluator) floating(n cc.ExpressionNode) (affine, error) {
	n = unwrap(n)
	refusal := e.notAffine(n, fmt.Sprintf("an expression of type %s where an integer is needed", typeName(n.Type())))
	if value, ok := n.Value().(cc.Float64Value); ok && value == cc.Float64Value(int64(value)) && !hasEffect(n) {
		return single(constantForm(int64(value))), nil
	}
	if cc.IsIntegerType(n.Type()) {
		value, err := e.affine(n)
		if _, constant := value.constant(); n.Type().Size() > 4 && !constant {
			return affine{}, refusal
		}
		return value, err
	}
	switch x := n.(type) {
	case *cc.CastExpression:
		if x.Type().Size() >= 8 {
			return e.floating(x.CastExpression)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionMinus {
			value, err := e.floating(x.CastExpression)
			return value.times(-1), err
		}
	case *cc.PostfixExpression:
		if d := calledBy(x); d != nil && e.x.definitions[d.Name()] == nil {
			return e.floatingCall(x, strings.TrimPrefix(d.Name(), "__builtin_"), refusal)
		}
	}
	return affine{}, refusal
}

func (e *evaluator) floatingCall(x *cc.PostfixExpression, name string, refusal error) (affine, error) {
	first := x.ArgumentExpressionList
	switch name {
	case "floor", "ceil":
		return e.rounded(first.AssignmentExpression, name == "ceil")
	case "fmin", "fmax":
		l, err := e.floating(first.AssignmentExpression)
		if err != nil {
			return affine{}, err
		}
		r, err := e.floating(first.ArgumentExpressionList.AssignmentExpression)
		if err != nil {
			return affine{}, err
		}
		return choose(compare(l, map[string]string{"fmin": "<", "fmax": ">"}[name], r), l, r), nil
	case "fabs":
		value, err := e.floating(first.AssignmentExpression)
		if err != nil {
			return affine{}, err
		}
		return e.chosen(compare(value, ">=", single(constantForm(0))), value, value.times(-1)), nil
	}
	return affine{}, refusal
}

// rounded is floor(n) or ceil(n). The quotient of two integers below 2^53 is
// rounded so little that it never reaches the next integer.
func (e *evaluator) rounded(n cc.ExpressionNode, up bool) (affine, error) {
	x, ok := unwrap(n).(*cc.MultiplicativeExpression)
	if !ok || x.Case != cc.MultiplicativeExpressionDiv || x.Type().Size() < 8 {
		return e.floating(n)
	}
	value, err := e.floating(x.MultiplicativeExpression)
	if err != nil {
		return affine{}, err
	}
	by, err := e.floating(x.CastExpression)
	if err != nil {
		return affine{}, err
	}
	divisor, ok := by.constant()
	if !ok || divisor <= 0 {
		return affine{}, e.notAffine(n, "the divisor is no positive constant")
	}
	return value.mapValues(func(v linear) linear {
		if up {
			return v.times(-1).floorDiv(divisor).times(-1)
		}
		return v.floorDiv(divisor)
	}), nil
}
