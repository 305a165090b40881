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
	// before are other assignments in front of the loop, and further those behind each iteration.
	before, further []cc.ExpressionNode
	body            *cc.Statement
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
func (x *extractor) iteration(s *cc.IterationStatement, at place) place {
	if s.Case == cc.IterationStatementDo {
		if runsOnce(s) {
			x.opaque(&cc.Statement{Case: cc.StatementIteration, IterationStatement: s}, at)
			return at
		}
		x.refuse(s, "do", "a do loop inside the region: its number of iterations depends on the data", loopAdvice)
		return at
	}
	header, err := x.header(s, at)
	if err == nil {
		err = x.checkIterator(s, header, at)
	}
	if err != nil {
		x.problems.add(err)
		return at
	}
	for _, n := range header.before {
		at = x.inHeader(n, at)
	}
	inner, err := x.enter(s, header, at)
	if err != nil && x.hasDataBounds(header, at) {
		x.opaque(&cc.Statement{Case: cc.StatementIteration, IterationStatement: s}, at)
		return at
	}
	if err != nil {
		x.problems.add(err)
		return at
	}
	*at.next++
	x.noteFinal(header, at)
	steps := x.stepsOf(header, at)
	first := len(x.statements)
	end := x.body(header.body, x.inIteration(steps, at, inner))
	x.endEarly(x.statements[first:], header, inner)
	for _, n := range header.further {
		end = x.inHeader(n, end)
	}
	return x.behind(steps, at)
}

// inHeader extracts an assignment in the header of a loop that is not to its iterator.
func (x *extractor) inHeader(n cc.ExpressionNode, at place) place {
	if after, ok := x.assign(n, at); ok {
		return after
	}
	c := x.newCollector(at)
	c.expression(n)
	if !x.accept(c) {
		return at
	}
	if source, offset, ok := x.statementSource(n); ok {
		x.appendStatement(source+";", offset, x.positionOf(n), at, c)
	}
	return at
}

// hasDataBounds says that the bounds of a loop depend on data that its body
// leaves alone.
func (x *extractor) hasDataBounds(h loopHeader, at place) bool {
	inside := newFacts()
	visit(h.body, inside.look)
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

// header reads the header of a for, or a while whose body ends with a step as that.
func (x *extractor) header(s *cc.IterationStatement, at place) (loopHeader, error) {
	h := loopHeader{body: s.Statement}
	var err error
	switch s.Case {
	case cc.IterationStatementWhile:
		return x.whileHeader(s, at)
	case cc.IterationStatementForDecl:
		h.test, h.further = s.ExpressionList, commaParts(s.ExpressionList2)
		h.iterator, h.start, err = x.declaredIterator(s)
	default:
		h.test, h.further = s.ExpressionList2, commaParts(s.ExpressionList3)
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
	if len(h.further) == 0 && countsDown(h.test, h.iterator) {
		h.advance, h.step, h.shift = h.test, -1, -1
		return h, nil
	}
	if len(h.further) == 0 {
		return h, x.errorAt(s, "for", "a for without a step", loopAdvice)
	}
	h.advance, h.further = stepAmong(h.further, h.iterator)
	h.step, err = x.step(h, at)
	return h, err
}

// stepAmong is the assignment that steps an iterator among those behind each iteration, and the others. Without one it is the first of them.
func stepAmong(list []cc.ExpressionNode, iterator *cc.Declarator) (step cc.ExpressionNode, others []cc.ExpressionNode) {
	k := max(0, slices.IndexFunc(list, func(n cc.ExpressionNode) bool {
		d, _ := assignmentOf(n)
		return d == iterator
	}))
	return list[k], slices.Delete(slices.Clone(list), k, k+1)
}

// whileHeader is that of while (i < n) { …; i++; }, which is a for whose iterator has its value already.
func (x *extractor) whileHeader(s *cc.IterationStatement, at place) (h loopHeader, err error) {
	wrong := x.errorAt(s, "while", "a while loop inside the region: its number of iterations depends on the data", loopAdvice)
	if s.Statement.Case != cc.StatementCompound || hasJump(s.Statement) {
		return h, wrong
	}
	items := itemsOf(s.Statement.CompoundStatement)
	if len(items) == 0 || items[len(items)-1].Case != cc.BlockItemStmt || items[len(items)-1].Statement.Case != cc.StatementExpr {
		return h, wrong
	}
	steps := commaParts(items[len(items)-1].Statement.ExpressionStatement.ExpressionList)
	h = loopHeader{test: s.ExpressionList, body: withoutLast(s.Statement)}
	for _, n := range steps {
		if d, _ := assignmentOf(n); d != nil && at.bindingOf(d) != nil && x.isFollowed(d) && slices.Contains(namedIn(s.ExpressionList), d) {
			h.iterator, h.start = d, targetOf(n)
		}
	}
	if h.iterator == nil {
		return h, wrong
	}
	h.advance, h.further = stepAmong(steps, h.iterator)
	if h.step, err = x.step(h, at); err != nil {
		return h, wrong
	}
	return h, nil
}

// hasJump says that a statement has a jump in it.
func hasJump(s *cc.Statement) (found bool) {
	visit(s, func(n cc.Node) {
		_, is := n.(*cc.JumpStatement)
		found = found || is
	})
	return found
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

// assignedIterator is the iterator of a for that declares none, and what is assigned to others in front of the loop. Without an assignment to it, its first value is the
// one that it has.
func (x *extractor) assignedIterator(s *cc.IterationStatement, h loopHeader) (d *cc.Declarator, start cc.ExpressionNode, others []cc.ExpressionNode, err error) {
	for _, n := range h.further {
		if set, _ := assignmentOf(n); set != nil && h.test != nil && slices.Contains(namedIn(h.test), set) {
			d, start = set, targetOf(n)
			break
		}
	}
	for _, n := range commaParts(s.ExpressionList) {
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
	return d, start, others, nil
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

// constantAt is the value of an expression that has the same one in all iterations and for all parameters.
func (x *extractor) constantAt(at place, n cc.ExpressionNode) (int64, bool) {
	if value, ok := constantValue(n); ok || !cc.IsIntegerType(n.Type()) || hasEffect(n) {
		return value, ok
	}
	value, err := x.evaluatorAt(at).affine(n)
	constant, ok := value.constant()
	return constant, ok && err == nil
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
	return x.checkIteratorUnchanged(h, d)
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
func (x *extractor) checkIteratorUnchanged(h loopHeader, iterator *cc.Declarator) error {
	inside := newFacts()
	visit(h.body, inside.look)
	for _, n := range h.further {
		visit(n, inside.look)
	}
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
	inner.exits = &loopExits{base: len(inner.conditions), start: start}
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
		if name == d.Name() && !x.facts.local[d] && x.isFollowed(d) {
			// Its value from in front of the region is a parameter of that name.
			return true
		}
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
