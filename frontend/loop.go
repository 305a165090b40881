package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

const whileByData = "a while loop inside the region: its number of iterations depends on the data"

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
	whole := &cc.Statement{Case: cc.StatementIteration, IterationStatement: s}
	switch {
	case runsOnce(s):
		x.opaque(whole, at)
		return at
	case s.Case == cc.IterationStatementDo:
		x.asOne(whole, at, x.errorAt(s, "do", "a do loop inside the region: its number of iterations depends on the data", loopAdvice))
		return at
	case x.reading.jumps[s] != nil:
		x.asOne(whole, at, x.jumpError(x.reading.jumps[s]))
		return at
	}
	header, err := x.header(s, at)
	if err == nil {
		err = x.checkIterator(s, header, at)
	}
	if err != nil && x.endsByData(s) {
		err = x.errorAt(s, "for", "data decide where this loop ends", "find out in front of the region how often it runs, as in int n = strlen(s), and write for (i = 0; i < n; i++)")
	}
	if err != nil {
		if s.Case == cc.IterationStatementWhile || stepsOtherwise(s) {
			x.asOne(whole, at, err)
		} else {
			x.asOneOr(whole, at, err)
		}
		return at
	}
	return x.loop(whole, header, at)
}

// endsByData says that data decide where a for ends, as for (; s[k]; k++) does.
func (x *extractor) endsByData(s *cc.IterationStatement) (is bool) {
	test := s.ExpressionList2
	if s.Case == cc.IterationStatementForDecl {
		test = s.ExpressionList
	}
	visit(test, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.UnaryExpression:
			is = is || n.Case == cc.UnaryExpressionDeref
		case *cc.PostfixExpression:
			is = is || n.Case == cc.PostfixExpressionIndex
		}
	})
	return is && s.Case != cc.IterationStatementWhile
}

// loop extracts a loop with a header.
func (x *extractor) loop(whole *cc.Statement, header loopHeader, outer place) place {
	at, before := outer, x.mark(outer)
	for _, d := range header.declared {
		at = x.initDeclarator(d, at)
	}
	for _, n := range header.before {
		at = x.inHeader(n, at)
	}
	steps := x.stepsOf(header, at)
	inner, err := x.enter(whole.IterationStatement, steps, at)
	switch isScalar := x.reading.scalars[header.iterator]; {
	case isScalar || err != nil && x.hasDataBounds(header, at):
		before()
		x.opaque(whole, outer)
		if isScalar {
			x.warnAboutLeft(whole, header.iterator)
		}
		return outer
	case err != nil:
		before()
		x.unbounded[whole.IterationStatement] = true
		if whole.IterationStatement.Case == cc.IterationStatementWhile {
			x.asOne(whole, outer, x.errorAt(whole, "while", whileByData, loopAdvice))
		} else {
			x.asOneOr(whole, outer, err)
		}
		return outer
	}
	x.entered[header.iterator] = true
	*at.next++
	x.noteFinal(header, at)
	first := len(x.statements)
	end := x.body(header.body, inner)
	end = end.pastBreaks()
	for _, n := range header.further {
		end = x.inHeader(n, end)
	}
	x.endEarly(x.statements[first:], header, inner)
	return x.carried(outer, x.behind(steps, at))
}

// mark gives a function that drops the statements and variables which have been made since.
func (x *extractor) mark(at place) (drop func()) {
	statements, extents, locals, next := len(x.statements), len(x.extents), len(x.locals), *at.next
	return func() {
		x.statements, x.extents, x.locals, *at.next = x.statements[:statements], x.extents[:extents], x.locals[:locals], next
	}
}

// inHeader extracts an expression in the header of a loop that is no assignment to its iterator.
func (x *extractor) inHeader(n cc.ExpressionNode, at place) place {
	if after, ok := x.assign(n, at); ok {
		return after
	}
	c := x.newCollector(at)
	c.expression(n)
	if !x.accept(c) {
		return at
	}
	if !writesAnything(c.references) {
		x.leaveOut(n, c)
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
	inside := h.inIterations()
	if at := inside.assigned[iterator]; at != nil {
		return x.errorAt(at, "iterator", fmt.Sprintf("the iterator %s is changed inside its loop", iterator.Name()),
			"only the for itself may change its iterator; use another variable")
	}
	return nil
}

// enter is the place inside the loop.
func (x *extractor) enter(s *cc.IterationStatement, steps loopSteps, at place) (place, error) {
	h := steps.header
	level := loopLevel{declarator: h.iterator, name: h.iterator.Name(), descending: h.step < 0, typ: h.iterator.Type()}
	level.tuple = x.tupleName(h.iterator, at)
	start, err := x.evaluatorAt(at).ofBound().affine(h.start)
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
	begun := inner
	begun.conditions = append(slices.Clone(inner.conditions), first)
	inner.bindings = x.inIteration(steps, at, begun).bindings
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
	inner.exits = &loopExits{loop: s, base: len(inner.conditions), start: start}
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
			if other != d && (!x.facts.isIterator(other) || !x.facts.local[other] && x.isFollowed(other)) {
				return true
			}
		}
		return x.isParameterName(name) || name != d.Name() && len(x.facts.named[name]) > 0
	})
	x.tuples[name] = true
	return name
}
