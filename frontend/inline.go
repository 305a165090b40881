package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// call evaluates calls that have an affine value: abs, and functions of the
// file whose body is made of if and return, such as a minimum.
func (e *evaluator) call(x *cc.PostfixExpression) (affine, error) {
	refusal := e.notAffine(x, "the value of this call is not affine")
	d := variableOf(x.PostfixExpression)
	if d == nil {
		return affine{}, refusal
	}
	f := e.definitions[d.Name()]
	switch name := strings.TrimPrefix(d.Name(), "__builtin_"); {
	case f == nil && (name == "abs" || name == "labs" || name == "llabs"):
		value, err := e.affine(x.ArgumentExpressionList.AssignmentExpression)
		if err != nil {
			return affine{}, err
		}
		return e.chosen(compare(value, ">=", single(constantForm(0))), value, value.times(-1)), nil
	}
	if e.isIntegerChoice(d.Name()) {
		return e.integerChoice(x, d.Name(), refusal)
	}
	t, ok := d.Type().(*cc.FunctionType)
	if f == nil || !ok || len(e.inlined) > maxInlined {
		return affine{}, refusal
	}
	inner := &evaluator{extractor: e.extractor, place: e.place, assumed: e.assumed, arguments: map[string]affine{}, inlined: append(e.inlined[:len(e.inlined):len(e.inlined)], f)}
	l := x.ArgumentExpressionList
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		if l == nil || !cc.IsIntegerType(p.Type()) || p.Type().Size() < 4 {
			return affine{}, refusal
		}
		value, err := e.affine(l.AssignmentExpression)
		if err != nil {
			return affine{}, err
		}
		if isUnsigned(p.Type()) {
			if err := e.nonNegative(l.AssignmentExpression, value); err != nil {
				return affine{}, err
			}
		}
		inner.arguments[p.Name()] = value
		l = l.ArgumentExpressionList
	}
	body := newFacts()
	visit(f.CompoundStatement, body.look)
	for d := range body.assigned {
		if d.Name() != functionName {
			return affine{}, refusal
		}
	}
	value, ok := inner.returned(withoutSynthetic(itemsOf(f.CompoundStatement)))
	if !ok {
		return affine{}, refusal
	}
	e.inlinedFunctions[d.Name()] = true
	return value, nil
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

// returned is the value that a list of if and return gives.
func (e *evaluator) returned(items []*cc.BlockItem) (value affine, ok bool) {
	if len(items) == 0 || items[0].Case != cc.BlockItemStmt {
		return affine{}, false
	}
	s, rest := items[0].Statement, items[1:]
	switch s.Case {
	case cc.StatementCompound:
		return e.returned(append(itemsOf(s.CompoundStatement), rest...))
	case cc.StatementJump:
		j := s.JumpStatement
		if j.Case != cc.JumpStatementReturn || j.ExpressionList == nil {
			return affine{}, false
		}
		value, err := e.affine(j.ExpressionList)
		return value, err == nil
	case cc.StatementSelection:
		n := s.SelectionStatement
		if n.Case == cc.SelectionStatementSwitch {
			return affine{}, false
		}
		condition, err := e.condition(n.ExpressionList)
		if err != nil {
			return affine{}, false
		}
		branch := func(s *cc.Statement) []*cc.BlockItem {
			if s == nil {
				return rest
			}
			return append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}, rest...)
		}
		yes, ok := e.under(condition).returned(branch(n.Statement))
		if !ok {
			return affine{}, false
		}
		no, ok := e.under(condition.negated()).returned(branch(n.Statement2))
		return e.chosen(condition, yes, no), ok
	}
	return affine{}, false
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
	l, r, err := e.both(x, x.AndExpression, x.EqualityExpression)
	if err != nil {
		return affine{}, err
	}
	mask, ok := r.constant()
	if !ok {
		mask, ok = l.constant()
		l = r
	}
	if !ok || mask < 1 || mask&(mask+1) != 0 {
		return affine{}, e.errorAt(x, "non-affine expression", "& is not affine, unless it is with 1, 3, 7, 15, … or their complements ~1, ~3, ~7, ~15, …",
			"write n % 8 for n & 7, n / 8 * 8 for n & ~7, or give the value a name in front of the region if it is the same in all iterations")
	}
	return l.mapValues(func(v linear) linear { return v.modulo(mask + 1) }), nil
}

// clearedBelow is 2^k where n is the complement of 2^k - 1, or -2^k, and so has all bits above those of a value of the type that it masks.
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
		if d := variableOf(x.PostfixExpression); x.Case == cc.PostfixExpressionCall && d != nil && e.definitions[d.Name()] == nil {
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
