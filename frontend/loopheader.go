package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// loopHeader is what stands in the parentheses of a for.
type loopHeader struct {
	iterator *cc.Declarator
	start    cc.ExpressionNode
	test     cc.ExpressionNode
	advance  cc.ExpressionNode
	step     int64
	// shift is added to the start: the step where the test does it before the body runs, as in
	// for (i = n; i-- > 0;). Late says that it compares the value from before the step.
	shift int64
	late  bool
	// declared and before are other declarations and assignments in front of the loop, and further
	// the assignments behind each iteration.
	declared        []*cc.InitDeclarator
	before, further []cc.ExpressionNode
	body            *cc.Statement
}

// header reads the header of a for, or a while whose body ends with a step as that.
func (x *extractor) header(s *cc.IterationStatement, at place) (loopHeader, error) {
	h := loopHeader{body: s.Statement}
	var err error
	switch s.Case {
	case cc.IterationStatementWhile:
		return x.whileHeader(s, at)
	case cc.IterationStatementForDecl:
		h.test, h.further = s.ExpressionList, commaParts(s.ExpressionList2)
		h.stepAtEnd()
		h.iterator, h.start, h.declared, err = x.declaredIterator(s, h.further)
	default:
		h.test, h.further = s.ExpressionList2, commaParts(s.ExpressionList3)
		h.stepAtEnd()
		h.iterator, h.start, h.before, err = x.assignedIterator(s, h)
	}
	if err != nil {
		return h, err
	}
	if err := x.checkIteratorType(s, h.iterator); err != nil {
		return h, err
	}
	if h.test == nil {
		return h, x.errorAt(s, "for", "a for without a condition", loopAdvice)
	}
	if len(h.further) == 0 {
		if h.stepInTest(h.iterator) {
			return h, nil
		}
		return h, x.errorAt(s, "for", "a for without a step", loopAdvice)
	}
	if h.advance, h.further, err = x.stepAmong(h.further, h.iterator); err != nil {
		return h, err
	}
	h.step, err = x.step(h, at)
	return h, err
}

// stepAmong is the assignment that steps an iterator among those behind each iteration, and the
// others. Without one it is the first of them. What stands behind the step must not name the
// iterator, which has its next value there.
func (x *extractor) stepAmong(list []cc.ExpressionNode, iterator *cc.Declarator) (step cc.ExpressionNode, others []cc.ExpressionNode, err error) {
	k := max(0, slices.IndexFunc(list, func(n cc.ExpressionNode) bool {
		d, _ := assignmentOf(n)
		return d == iterator
	}))
	for _, n := range list[k+1:] {
		if slices.Contains(namedIn(n), iterator) {
			return nil, nil, x.errorAt(n, "for", fmt.Sprintf("what stands behind the step of %s uses its next value", iterator.Name()), "put it in front of the step, or at the end of the body")
		}
	}
	return list[k], slices.Delete(slices.Clone(list), k, k+1), nil
}

// whileHeader is that of while (i < n) { …; i++; }, which is a for whose iterator has its value
// already.
func (x *extractor) whileHeader(s *cc.IterationStatement, at place) (h loopHeader, err error) {
	wrong := x.errorAt(s, "while", whileByData, loopAdvice)
	h = loopHeader{test: s.ExpressionList, body: s.Statement}
	h.stepAtEnd()
	for _, n := range h.further {
		if d, _ := assignmentOf(n); x.hasValue(d, at) && slices.Contains(namedIn(h.test), d) {
			h.iterator, h.start = d, targetOf(n)
		}
	}
	if step := stepIn(h.test); len(h.further) == 0 && step != nil {
		if d, _ := assignmentOf(step); x.hasValue(d, at) && h.stepInTest(d) {
			h.iterator, h.start = d, targetOf(step)
			return h, nil
		}
	}
	if h.iterator == nil {
		return h, wrong
	}
	if h.advance, h.further, err = x.stepAmong(h.further, h.iterator); err != nil {
		return h, err
	}
	if h.step, err = x.step(h, at); err != nil {
		return h, wrong
	}
	return h, nil
}

// hasValue says that a variable is one that is followed, with the value of a place.
func (x *extractor) hasValue(d *cc.Declarator, at place) bool {
	return d != nil && at.bindingOf(d) != nil && x.isFollowed(d)
}

// stepAtEnd takes the step of a loop that has none in its header from the end of its body, where
// the last statement of that is one of a variable that the condition names.
func (h *loopHeader) stepAtEnd() {
	if len(h.further) > 0 || h.test == nil || h.body.Case != cc.StatementCompound || mayPassEnd(h.body) {
		return
	}
	items := itemsOf(h.body.CompoundStatement)
	if len(items) == 0 || items[len(items)-1].Case != cc.BlockItemStmt || items[len(items)-1].Statement.Case != cc.StatementExpr {
		return
	}
	steps := commaParts(items[len(items)-1].Statement.ExpressionStatement.ExpressionList)
	for _, d := range setBy(steps) {
		if slices.Contains(namedIn(h.test), d) && stepIn(h.test) == nil {
			h.further, h.body = steps, withoutLast(h.body)
			return
		}
	}
}

// withoutLast is a block without its last statement.
func withoutLast(s *cc.Statement) *cc.Statement {
	block := *s.CompoundStatement
	next := &block.BlockItemList
	for l := *next; l.BlockItemList != nil; l = l.BlockItemList {
		kept := *l
		*next, next = &kept, &kept.BlockItemList
	}
	*next = nil
	shorter := *s
	shorter.CompoundStatement = &block
	return &shorter
}

// stepIn is the step that a condition begins with, as i-- > 0, --i >= 0 and i-- do, or nil.
func stepIn(test cc.ExpressionNode) cc.ExpressionNode {
	left, _, _, ok := comparisonOf(unwrap(test))
	if !ok {
		left = test
	}
	left = unwrap(left)
	if _, isAssignment := left.(*cc.AssignmentExpression); left == nil || isAssignment || !assigns(left) {
		return nil
	}
	return left
}

// stepInTest takes the step of a loop from its condition, where that begins with one of the
// iterator.
func (h *loopHeader) stepInTest(iterator *cc.Declarator) bool {
	step := stepIn(h.test)
	if step == nil || variableOf(targetOf(step)) != iterator {
		return false
	}
	h.advance, h.step = h.test, 1
	switch n := step.(type) {
	case *cc.PostfixExpression:
		h.late = true
		if n.Case == cc.PostfixExpressionDec {
			h.step = -1
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDec {
			h.step = -1
		}
	}
	h.shift = h.step
	return true
}

// declaredIterator is the iterator of a for that declares it, and what it declares besides. Where
// all of several variables step, one has to take the places of the others first.
func (x *extractor) declaredIterator(s *cc.IterationStatement, further []cc.ExpressionNode) (iterator *cc.Declarator, start cc.ExpressionNode, others []*cc.InitDeclarator, err error) {
	var chosen []*cc.InitDeclarator
	stepping := setBy(further)
	for l := s.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		isOnly := l == s.Declaration.InitDeclaratorList && l.InitDeclaratorList == nil
		if isOnly || slices.Contains(stepping, l.InitDeclarator.Declarator) {
			chosen = append(chosen, l.InitDeclarator)
		} else {
			others = append(others, l.InitDeclarator)
		}
	}
	if len(chosen) != 1 {
		return nil, nil, nil, x.errorAt(s, "for", "a for that declares not exactly one variable", loopAdvice)
	}
	d := chosen[0]
	for _, other := range others {
		if other.Initializer != nil && slices.Contains(namedIn(other.Initializer), d.Declarator) {
			return nil, nil, nil, x.errorAt(other, "for", fmt.Sprintf("the first value of %s uses the iterator %s", other.Declarator.Name(), d.Declarator.Name()), "declare it in front of the loop, or in its body")
		}
	}
	if d.Initializer == nil || d.Initializer.AssignmentExpression == nil {
		return nil, nil, nil, x.errorAt(s, "for", "the iterator "+d.Declarator.Name()+" has no start value", loopAdvice)
	}
	return d.Declarator, d.Initializer.AssignmentExpression, others, nil
}

// assignedIterator is the iterator of a for that declares none, and what is assigned to others in
// front of the loop. Without an assignment to it, its first value is the one that it has.
func (x *extractor) assignedIterator(s *cc.IterationStatement, h loopHeader) (d *cc.Declarator, start cc.ExpressionNode, others []cc.ExpressionNode, err error) {
	for _, n := range h.further {
		if set, _ := assignmentOf(n); set != nil && h.test != nil && slices.Contains(namedIn(h.test), set) {
			d, start = set, targetOf(n)
			break
		}
	}
	if step := stepIn(h.test); len(h.further) == 0 && step != nil && s.ExpressionList == nil {
		d, _ = assignmentOf(step)
		start = targetOf(step)
	}
	for _, n := range commaParts(s.ExpressionList) {
		if x.stepsInFront(n) {
			others = append(others, n)
			continue
		}
		a, ok := unwrap(n).(*cc.AssignmentExpression)
		if !ok || a.Case != cc.AssignmentExpressionAssign || variableOf(a.UnaryExpression) == nil {
			return nil, nil, nil, x.errorAt(s.ExpressionList, "for", "the first part of the for does not set one variable", loopAdvice)
		}
		if set := variableOf(a.UnaryExpression); d == nil || d == set || !slices.Contains(setBy(commaParts(s.ExpressionList)), d) && !x.isFollowed(d) {
			d, start = set, a.AssignmentExpression
		} else {
			others = append(others, n)
		}
	}
	if d == nil || start == nil || s.ExpressionList == nil && !x.isFollowed(d) {
		return nil, nil, nil, x.errorAt(s, "for", "a for that does not set its iterator", loopAdvice)
	}
	return d, start, others, x.checkFirstValues(commaParts(s.ExpressionList), d, start)
}

// stepsInFront says that a part of the first in a for changes a variable that has a value, as i++ in
// for (i++; i < n; i++) does: it stands in front of the loop.
func (x *extractor) stepsInFront(n cc.ExpressionNode) bool {
	d, value := assignmentOf(n)
	_, isUpdate := value.(*updateNode)
	return d != nil && isUpdate && x.isFollowed(d)
}

// checkFirstValues refuses first values that are read or changed by what stands behind them in the
// header: what is assigned there comes in front of the iterator.
func (x *extractor) checkFirstValues(list []cc.ExpressionNode, iterator *cc.Declarator, start cc.ExpressionNode) error {
	isBehind := false
	for _, n := range list {
		d, _ := assignmentOf(n)
		if isBehind && (slices.Contains(namedIn(n), iterator) || slices.Contains(namedIn(start), d)) {
			return x.errorAt(n, "for", fmt.Sprintf("what stands behind the first value of %s uses it, or sets what it is made of", iterator.Name()), "put it in front of the loop")
		}
		isBehind = isBehind || d == iterator
	}
	return nil
}

// setBy are the variables that some assignments set.
func setBy(list []cc.ExpressionNode) (variables []*cc.Declarator) {
	for _, n := range list {
		if d, _ := assignmentOf(n); d != nil {
			variables = append(variables, d)
		}
	}
	return variables
}

// step is the constant that the third part of a for adds to the iterator.
func (x *extractor) step(h loopHeader, at place) (int64, error) {
	wrong := x.errorAt(h.advance, "for", "the last part of the for does not add a constant to "+h.iterator.Name(), stepAdvice)
	var step int64
	ok := false
	switch n := unwrap(h.advance).(type) {
	case *cc.PostfixExpression:
		step, ok = map[cc.PostfixExpressionCase]int64{cc.PostfixExpressionInc: 1, cc.PostfixExpressionDec: -1}[n.Case]
		ok = ok && variableOf(n.PostfixExpression) == h.iterator
	case *cc.UnaryExpression:
		step, ok = map[cc.UnaryExpressionCase]int64{cc.UnaryExpressionInc: 1, cc.UnaryExpressionDec: -1}[n.Case]
		ok = ok && variableOf(n.UnaryExpression) == h.iterator
	case *cc.AssignmentExpression:
		step, ok = x.assignedStep(n, h.iterator, at)
	}
	if !ok || step > maxCoefficient || step < -maxCoefficient {
		return 0, wrong
	}
	if step == 0 {
		return 0, x.errorAt(h.advance, "for", "the step of the loop is 0, so it never ends", loopAdvice)
	}
	return step, nil
}

// assignedStep is c for i += c, i -= -c, i = i + c, i = c + i and i = i - -c.
func (x *extractor) assignedStep(a *cc.AssignmentExpression, iterator *cc.Declarator, at place) (int64, bool) {
	if variableOf(a.UnaryExpression) != iterator {
		return 0, false
	}
	switch a.Case {
	case cc.AssignmentExpressionAdd:
		return x.constantAt(at, a.AssignmentExpression)
	case cc.AssignmentExpressionSub:
		value, ok := x.constantAt(at, a.AssignmentExpression)
		return -value, ok
	case cc.AssignmentExpressionAssign:
		sum, ok := unwrap(a.AssignmentExpression).(*cc.AdditiveExpression)
		if !ok {
			return 0, false
		}
		left, right := sum.AdditiveExpression, sum.MultiplicativeExpression
		if sum.Case == cc.AdditiveExpressionSub {
			value, ok := x.constantAt(at, right)
			return -value, ok && variableOf(left) == iterator
		}
		if variableOf(right) == iterator {
			left, right = right, left
		}
		value, ok := x.constantAt(at, right)
		return value, ok && variableOf(left) == iterator
	}
	return 0, false
}

// constantAt is the value of an expression that has the same one in all iterations and for all
// parameters.
func (x *extractor) constantAt(at place, n cc.ExpressionNode) (int64, bool) {
	if value, ok := constantValue(n); ok || !cc.IsIntegerType(n.Type()) || hasEffect(n) {
		return value, ok
	}
	value, err := x.evaluatorAt(at).affine(n)
	constant, ok := value.constant()
	return constant, ok && err == nil
}

// inIterations are the facts about what iterations do: the body, and what stands behind it in the
// header besides the step.
func (h loopHeader) inIterations() *facts {
	inside := newFacts()
	visit(h.body, inside.look)
	for _, n := range h.further {
		visit(n, inside.look)
	}
	return inside
}

// stepsOtherwise says that no step of a for adds a constant, as in i >>= 1 and i = next[i], or that it
// has none, so that data, or the value, decide how often it runs, as for a while.
func stepsOtherwise(s *cc.IterationStatement) bool {
	steps := s.ExpressionList3
	if s.Case == cc.IterationStatementForDecl {
		steps = s.ExpressionList2
	}
	list := commaParts(steps)
	return !slices.ContainsFunc(list, func(n cc.ExpressionNode) bool {
		a, ok := unwrap(n).(*cc.AssignmentExpression)
		if !ok || a.Case == cc.AssignmentExpressionAdd || a.Case == cc.AssignmentExpressionSub {
			return true
		}
		_, isSum := unwrap(a.AssignmentExpression).(*cc.AdditiveExpression)
		return a.Case == cc.AssignmentExpressionAssign && isSum
	})
}
