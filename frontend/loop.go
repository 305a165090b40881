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
	// shift is added to the start: -1 where the test counts down before the
	// body runs, as in for (i = n; i-- > 0;).
	shift int64
}

const loopAdvice = "write it as for (i = lower; i < upper; i++), with <, <=, > or >= and a constant step"

// runsOnce says that a loop is do … while (0), with which macros of several
// statements are written.
func runsOnce(s *cc.IterationStatement) bool {
	if s.Case != cc.IterationStatementDo {
		return false
	}
	value, ok := constantValue(s.ExpressionList)
	return ok && value == 0
}

// iteration enters a loop.
func (x *extractor) iteration(s *cc.IterationStatement, at place) {
	whole := &cc.Statement{Case: cc.StatementIteration, IterationStatement: s}
	switch {
	case runsOnce(s):
		x.opaque(whole, at)
		return
	case s.Case == cc.IterationStatementWhile:
		x.asOne(whole, at, x.errorAt(s, "while", "a while loop inside the region: its number of iterations depends on the data", loopAdvice))
		return
	case s.Case == cc.IterationStatementDo:
		x.asOne(whole, at, x.errorAt(s, "do", "a do loop inside the region: its number of iterations depends on the data", loopAdvice))
		return
	}
	if jump := jumpIn(s.Statement); jump != nil && x.coarse[x.bounds.number] {
		x.asOne(whole, at, x.jumpError(jump))
		return
	}
	header, err := x.header(s)
	if err == nil {
		err = x.checkIterator(s, header, at)
	}
	if err != nil {
		x.asOneOr(whole, at, err)
		return
	}
	inner, err := x.enter(s, header, at)
	isScalar := x.reading.scalars[header.iterator]
	switch {
	case isScalar || err != nil && x.hasDataBounds(header, s.Statement, at):
		x.opaque(whole, at)
	case err != nil:
		x.asOneOr(whole, at, err)
	default:
		x.entered[header.iterator] = true
		*at.next++
		x.noteFinal(header, at)
		x.body(s.Statement, inner)
	}
}

// hasDataBounds says that the bounds of a loop depend on data that its body
// leaves alone.
func (x *extractor) hasDataBounds(h loopHeader, body *cc.Statement, at place) bool {
	inside := newFacts()
	visit(body, inside.look)
	stable := true
	for _, bound := range []cc.ExpressionNode{h.start, h.test} {
		visit(bound, func(n cc.Node) {
			if p, ok := n.(*cc.PrimaryExpression); ok {
				d := variableOf(p)
				stable = stable && (d == nil || inside.assigned[d] == nil)
			}
		})
	}
	c := x.newCollector(at)
	return stable && (c.dependsOnData(h.start) || c.dependsOnData(h.test))
}

func (x *extractor) header(s *cc.IterationStatement) (loopHeader, error) {
	var h loopHeader
	var err error
	if s.Case == cc.IterationStatementForDecl {
		h.iterator, h.start, err = x.declaredIterator(s)
		h.test, h.advance = s.ExpressionList, s.ExpressionList2
	} else {
		h.iterator, h.start, err = x.assignedIterator(s)
		h.test, h.advance = s.ExpressionList2, s.ExpressionList3
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
	if h.advance == nil && countsDown(h.test, h.iterator) {
		h.advance, h.step, h.shift = h.test, -1, -1
		return h, nil
	}
	if h.advance == nil {
		return h, x.errorAt(s, "for", "a for without a step", loopAdvice)
	}
	h.step, err = x.step(h)
	return h, err
}

// countsDown says that the test of a for is i-- > 0 or the like.
func countsDown(test cc.ExpressionNode, iterator *cc.Declarator) bool {
	left, _, _, ok := comparisonOf(unwrap(test))
	if !ok {
		left = test
	}
	p, ok := unwrap(left).(*cc.PostfixExpression)
	return ok && p.Case == cc.PostfixExpressionDec && variableOf(p.PostfixExpression) == iterator
}

func (x *extractor) declaredIterator(s *cc.IterationStatement) (*cc.Declarator, cc.ExpressionNode, error) {
	l := s.Declaration.InitDeclaratorList
	if l == nil || l.InitDeclaratorList != nil {
		return nil, nil, x.errorAt(s, "for", "a for that declares not exactly one variable", loopAdvice)
	}
	d := l.InitDeclarator
	if d.Initializer == nil || d.Initializer.AssignmentExpression == nil {
		return nil, nil, x.errorAt(s, "for", "the iterator "+d.Declarator.Name()+" has no start value", loopAdvice)
	}
	return d.Declarator, d.Initializer.AssignmentExpression, nil
}

func (x *extractor) assignedIterator(s *cc.IterationStatement) (*cc.Declarator, cc.ExpressionNode, error) {
	if s.ExpressionList == nil {
		return nil, nil, x.errorAt(s, "for", "a for that does not set its iterator", loopAdvice)
	}
	a, ok := unwrap(s.ExpressionList).(*cc.AssignmentExpression)
	if !ok || a.Case != cc.AssignmentExpressionAssign || variableOf(a.UnaryExpression) == nil {
		return nil, nil, x.errorAt(s.ExpressionList, "for", "the first part of the for does not set one variable", loopAdvice)
	}
	return variableOf(a.UnaryExpression), a.AssignmentExpression, nil
}

// step is the constant that the third part of a for adds to the iterator.
func (x *extractor) step(h loopHeader) (int64, error) {
	wrong := x.errorAt(h.advance, "for", "the last part of the for does not add a constant to "+h.iterator.Name(), loopAdvice)
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
		step, ok = assignedStep(n, h.iterator)
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
func assignedStep(a *cc.AssignmentExpression, iterator *cc.Declarator) (int64, bool) {
	if variableOf(a.UnaryExpression) != iterator {
		return 0, false
	}
	switch a.Case {
	case cc.AssignmentExpressionAdd:
		return constantValue(a.AssignmentExpression)
	case cc.AssignmentExpressionSub:
		value, ok := constantValue(a.AssignmentExpression)
		return -value, ok
	case cc.AssignmentExpressionAssign:
		sum, ok := unwrap(a.AssignmentExpression).(*cc.AdditiveExpression)
		if !ok {
			return 0, false
		}
		left, right := sum.AdditiveExpression, sum.MultiplicativeExpression
		if sum.Case == cc.AdditiveExpressionSub {
			value, ok := constantValue(right)
			return -value, ok && variableOf(left) == iterator
		}
		if variableOf(right) == iterator {
			left, right = right, left
		}
		value, ok := constantValue(right)
		return value, ok && variableOf(left) == iterator
	}
	return 0, false
}

// checkIterator refuses iterators whose values C does not guarantee to be
// those of the model.
func (x *extractor) checkIterator(s *cc.IterationStatement, h loopHeader, at place) error {
	d := h.iterator
	for _, l := range at.loops {
		if l.declarator == d {
			return x.errorAt(s, "iterator", fmt.Sprintf("the loop sets %s, which is the iterator of a loop around it", d.Name()),
				"give each loop of a nest its own iterator")
		}
	}
	return x.checkIteratorUnchanged(s.Statement, d)
}

// checkIteratorType refuses iterators that are no plain integers.
func (x *extractor) checkIteratorType(s *cc.IterationStatement, d *cc.Declarator) error {
	t := d.Type()
	switch {
	case cc.IsFloatingPointType(t):
		return x.errorAt(s, "iterator", fmt.Sprintf("the iterator %s has type %s, and iterators have to be integers", d.Name(), typeName(t)),
			fmt.Sprintf("count with an int, and compute %s from that in the loop", d.Name()))
	case !cc.IsIntegerType(t) || t.Kind() == cc.Bool:
		return x.errorAt(s, "iterator", fmt.Sprintf("the iterator %s has type %s", d.Name(), typeName(t)), "use an int")
	case d.IsVolatile() || d.IsAtomic():
		return x.errorAt(s, "iterator", "the iterator "+d.Name()+" is volatile or atomic", "use a plain int")
	}
	return nil
}

// checkIteratorUnchanged refuses a body that writes its own iterator.
func (x *extractor) checkIteratorUnchanged(body *cc.Statement, iterator *cc.Declarator) error {
	inside := newFacts()
	visit(body, inside.look)
	if at := inside.assigned[iterator]; at != nil {
		return x.errorAt(at, "iterator", fmt.Sprintf("the iterator %s is changed inside its loop", iterator.Name()),
			"only the for itself may change its iterator; use another variable")
	}
	return nil
}

// enter is the place inside the loop.
func (x *extractor) enter(s *cc.IterationStatement, h loopHeader, at place) (place, error) {
	level := loopLevel{declarator: h.iterator, name: h.iterator.Name(), descending: h.step < 0, typ: h.iterator.Type()}
	level.tuple = x.tupleName(h.iterator, at)
	start, err := x.evaluatorAt(at).affine(h.start)
	if err != nil {
		return place{}, err
	}
	next := 0
	inner := place{
		loops:      append(slices.Clone(at.loops), level),
		conditions: slices.Clone(at.conditions),
		position:   append(slices.Clone(at.position), *at.next),
		next:       &next,
		blockEnd:   at.blockEnd,
		known:      at.known,
	}
	inner.bindings = at.bind(binding{declarator: h.iterator, loop: len(at.loops)}).bindings
	if isUnsigned(h.iterator.Type()) {
		if err := x.evaluatorAt(at).nonNegative(h.start, start); err != nil {
			return place{}, err
		}
	}
	narrowStart := start
	start = start.plus(single(constantForm(h.shift)), 1)
	variable := single(variableForm(level.tuple))
	first := compare(start, "<=", variable)
	if level.descending {
		first = compare(start, ">=", variable)
	}
	going, err := x.goesOn(h, level, start, inner, first)
	if err != nil {
		return place{}, err
	}
	inner.conditions = append(inner.conditions, asChain(first, going, level.tuple)...)
	if stride := max(h.step, -h.step); stride != 1 {
		inner.conditions = append(inner.conditions, strideCondition(variable, start, stride))
	}
	if err := x.checkNarrow(h, level, at, inner, narrowStart); err != nil {
		return place{}, err
	}
	return inner, x.checkLastStep(h, level, inner)
}

// checkNarrow proves that an iterator of a type narrower than int holds all
// values that it is given, the one that ends the loop included.
func (x *extractor) checkNarrow(h loopHeader, level loopLevel, at, inner place, start affine) error {
	least, greatest, narrow := typeRange(level.typ)
	if !narrow {
		return nil
	}
	fits := func(value affine) formula {
		return and(compare(value, ">=", single(constantForm(least))), compare(value, "<=", single(constantForm(greatest))))
	}
	next := single(variableForm(level.tuple).plus(constantForm(h.step), 1))
	if x.evaluatorAt(at).holds(fits(start)) && x.evaluatorAt(inner).holds(fits(next)) {
		return nil
	}
	return x.errorAt(h.advance, "iterator", fmt.Sprintf("the iterator %s may leave the range of its narrow type %s before the loop ends", level.name, typeName(level.typ)),
		"use an int")
}

// strideCondition says that the iterator lies a multiple of the stride away
// from its start.
func strideCondition(variable, start affine, stride int64) formula {
	distance := variable.plus(start, -1)
	remainder := distance.mapValues(func(v linear) linear { return v.modulo(stride) })
	return compare(remainder, "=", single(constantForm(0)))
}

// asChain writes the start and one bound of a loop as one chain, such as
// 0 <= i < n, where they have the form for it.
func asChain(first, going formula, name string) []formula {
	start, simple := first.(comparison)
	parts, several := going.(conjunction)
	if !several {
		parts = conjunction{going}
	}
	variable := variableForm(name).String()
	if !simple || start.right.String() != variable {
		return append([]formula{first}, parts...)
	}
	for i, p := range parts {
		end, ok := p.(comparison)
		if !ok || end.left.String() != variable {
			continue
		}
		if both, ok := chainOf(start, end, name); ok {
			return append(append([]formula{both}, parts[:i]...), parts[i+1:]...)
		}
	}
	return append([]formula{first}, parts...)
}

// chainOf joins start <= i with i < end, or start >= i with i > end.
func chainOf(start, end comparison, name string) (chain, bool) {
	switch {
	case start.op == "<=" && end.op[0] == '<':
		return chain{start.left, "<=", name, end.op, end.right}, true
	case start.op == ">=" && end.op[0] == '>':
		return chain{end.right, swapped(end.op), name, "<=", start.left}, true
	}
	return chain{}, false
}

// checkLastStep proves that an unsigned iterator that counts down does not
// step below zero.
func (x *extractor) checkLastStep(h loopHeader, level loopLevel, inner place) error {
	if !isUnsigned(h.iterator.Type()) || h.step > 0 || h.shift != 0 {
		return nil
	}
	e := x.evaluatorAt(inner)
	if e.holds(comparison{variableForm(level.tuple), ">=", constantForm(-h.step)}) {
		return nil
	}
	return x.errorAt(h.advance, "unsigned iterator", fmt.Sprintf("the unsigned iterator %s may wrap around when it counts down past 0", level.name),
		"use a signed type such as int or long for "+level.name)
}

// tupleName is the iterator's name in isl's text: its own unless that is
// taken by another variable or means something to isl.
func (x *extractor) tupleName(d *cc.Declarator, at place) string {
	name := x.internalName(d.Name(), func(name string) bool {
		for _, l := range at.loops {
			if l.tuple == name {
				return true
			}
		}
		for other := range x.facts.named[name] {
			if other != d && !x.facts.isIterator(other) {
				return true
			}
		}
		return x.isGeneratedParameter(name) || name != d.Name() && len(x.facts.named[name]) > 0
	})
	x.tuples[name] = true
	return name
}
