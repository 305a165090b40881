package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// What a loop does to the variables that are followed: one to which each iteration adds the same counts the iterations, so that its value in each of them and
// behind the loop is known; the value of every other one that the loop sets is unknown at the beginning of an iteration, and behind the loop.

// loopSteps says how a loop steps, as far as its variables are followed.
type loopSteps struct {
	header loopHeader
	// changed are the variables that the loop sets and that are followed, but for the iterator.
	changed []*cc.Declarator
	// gains are what each iteration adds to some of them.
	gains map[*cc.Declarator]gain
	// start is the iterator's first value.
	start integerValue
	first phrase
	known bool
}

// gain is what an iteration adds to a variable.
type gain struct {
	integerValue
	phrase
	// factors are those in it that may be lengths of rows.
	factors rowLengths
}

// stepsOf looks at a loop from the place in front of it.
func (x *extractor) stepsOf(h loopHeader, at place) loopSteps {
	steps := loopSteps{header: h, gains: map[*cc.Declarator]gain{}}
	inside := newFacts()
	visit(h.body, inside.look)
	for _, n := range h.further {
		visit(n, inside.look)
	}
	for _, d := range x.followed() {
		if d != h.iterator && inside.assigned[d] != nil && at.bindingOf(d) != nil {
			steps.changed = append(steps.changed, d)
		}
	}
	if x.isFollowed(h.iterator) || len(steps.changed) > 0 {
		steps.first, steps.known = x.phraseOf(h.start, at)
		value, err := x.evaluatorAt(at).integer(h.start)
		steps.start, steps.known = value, steps.known && err == nil && value.index == nil && h.shift == 0
	}
	for _, d := range steps.changed {
		if g, ok := x.gainOf(d, h, at); ok && steps.known {
			steps.gains[d] = g
		}
	}
	return steps
}

// gainOf is what an iteration of a loop adds to a variable; ok is false where that is not the same in each.
func (x *extractor) gainOf(d *cc.Declarator, h loopHeader, at place) (g gain, ok bool) {
	inside := newFacts()
	visit(h.body, inside.look)
	for _, n := range h.further {
		visit(n, inside.look)
	}
	steady := place{loops: at.loops, conditions: at.conditions, bindings: at.unknownIn(x.setAmong(inside)).bindings}
	total := nothing()
	g, ok = x.gainIn(h.body, d, steady)
	if !ok || hasJump(h.body) {
		return g, false
	}
	total = x.addGain(total, g)
	for _, n := range h.further {
		if g, ok = x.gainBy(n, d, steady); !ok {
			return g, false
		}
		total = x.addGain(total, g)
	}
	return total, true
}

// setAmong are the followed variables that a loop sets.
func (x *extractor) setAmong(inside *facts) (list []*cc.Declarator) {
	for _, d := range x.followed() {
		if inside.assigned[d] != nil {
			list = append(list, d)
		}
	}
	return list
}

func (g gain) isZero() bool {
	value, ok := g.value.constant()
	return g.index == nil && ok && value == 0
}

// addGain is the sum of two gains.
func (x *extractor) addGain(a, b gain) gain {
	switch {
	case a.isZero():
		return b
	case b.isZero():
		return a
	}
	return x.gainFrom(x.sumOf(a.integerValue, b.integerValue, 1), a.phrase.join(plain(" + "), b.phrase), append(slices.Clone(a.factors), b.factors...))
}

// gainFrom is a gain; one that is constant is written as such.
func (x *extractor) gainFrom(value integerValue, text phrase, factors rowLengths) gain {
	if constant, ok := value.value.constant(); ok && value.index == nil {
		text = plain(fmt.Sprint(constant))
	}
	return gain{value, text, factors}
}

// nothing is what an iteration adds that adds nothing.
func nothing() gain { return gain{affineInteger(single(constantForm(0))), plain("0"), nil} }

// gainIn is what a statement adds to a variable whenever it runs.
func (x *extractor) gainIn(s *cc.Statement, d *cc.Declarator, at place) (total gain, ok bool) {
	total = nothing()
	inside := newFacts()
	visit(s, inside.look)
	if inside.assigned[d] == nil {
		return total, true
	}
	switch s.Case {
	case cc.StatementExpr:
		for _, n := range commaParts(s.ExpressionStatement.ExpressionList) {
			g, ok := x.gainBy(n, d, at)
			if !ok {
				return g, false
			}
			total = x.addGain(total, g)
		}
		return total, true
	case cc.StatementCompound:
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			if l.BlockItem.Case != cc.BlockItemStmt {
				continue
			}
			g, ok := x.gainIn(l.BlockItem.Statement, d, at)
			if !ok {
				return g, false
			}
			total = x.addGain(total, g)
		}
		return total, !isDeclaredIn(s.CompoundStatement, d)
	case cc.StatementIteration:
		return x.gainOfLoop(s.IterationStatement, d, at)
	}
	return total, false
}

// isDeclaredIn says that a block declares a variable itself.
func isDeclaredIn(block *cc.CompoundStatement, d *cc.Declarator) (found bool) {
	visit(block, func(n cc.Node) {
		i, ok := n.(*cc.InitDeclarator)
		found = found || ok && i.Declarator == d
	})
	return found
}

// gainOfLoop is what a loop adds that has as many iterations each time.
func (x *extractor) gainOfLoop(s *cc.IterationStatement, d *cc.Declarator, at place) (total gain, ok bool) {
	h, err := x.header(s, at)
	if err != nil || h.iterator == d || h.shift != 0 || len(h.before)+len(h.declared) > 0 {
		return total, false
	}
	e := x.evaluatorAt(at)
	start, err := e.affine(h.start)
	if err != nil {
		return total, false
	}
	first, ok := x.phraseOf(h.start, at)
	if !ok {
		return total, false
	}
	end, text, ok := x.endOfLoop(h, start, first, at)
	if !ok {
		return total, false
	}
	g, ok := x.gainOf(d, h, at)
	if !ok {
		return total, false
	}
	count := affineInteger(end.plus(start, -1).mapValues(func(l linear) linear { return quotientBy(l, h.step) }))
	value := x.productOf(g.integerValue, count)
	times := text.inParentheses()
	if first.source != "0" {
		times = times.join(plain(" - "), first.inParentheses()).inParentheses()
	}
	if h.step != 1 {
		times = times.join(plain(fmt.Sprintf(" / %d", h.step))).inParentheses()
	}
	factors := g.factors
	for _, bound := range []cc.ExpressionNode{h.start, h.test} {
		factors = append(factors, x.evaluatorAt(at).comparedLengths(bound)...)
	}
	return x.gainFrom(value, g.phrase.inParentheses().join(plain(" * "), times), factors), !value.tooLarge()
}

// quotientBy is a multiple of a step divided by it.
func quotientBy(l linear, step int64) linear {
	if step < 0 {
		return l.times(-1).floorDiv(-step)
	}
	return l.floorDiv(step)
}

// gainBy is what an expression adds to a variable.
func (x *extractor) gainBy(n cc.ExpressionNode, d *cc.Declarator, at place) (g gain, ok bool) {
	g = nothing()
	set, value := assignmentOf(n)
	if set != d {
		return x.embeddedGain(n, d, at)
	}
	u, ok := value.(*updateNode)
	if !ok || u.operator == "*" || u.Second != nil && hasAssignment(u.Second) {
		return g, false
	}
	amount, text := affineInteger(single(constantForm(1))), plain("1")
	if u.Second != nil {
		value, err := x.evaluatorAt(at).integer(u.Second)
		if err != nil {
			return g, false
		}
		if text, ok = x.phraseOf(u.Second, at); !ok {
			return g, false
		}
		amount = value
	}
	if u.operator == "-" {
		amount, text = x.productOf(amount, affineInteger(single(constantForm(-1)))), plain("-").join(text.inParentheses())
	}
	var factors rowLengths
	if u.Second != nil {
		e := x.evaluatorAt(at)
		factors = append(e.factorsOf(u.Second), e.comparedLengths(u.Second)...)
	}
	return x.gainFrom(amount, text, factors), !amount.tooLarge()
}

// embeddedGain is what a ++ or -- inside an expression adds.
func (x *extractor) embeddedGain(n cc.ExpressionNode, d *cc.Declarator, at place) (g gain, ok bool) {
	inside := newFacts()
	visit(n, inside.look)
	if inside.assigned[d] == nil {
		return nothing(), true
	}
	for _, e := range x.embeddedIn(n, at) {
		if set, _ := assignmentOf(e); set == d {
			return x.gainBy(e, d, at)
		}
	}
	return nothing(), false
}

// endOfLoop is the value that a loop leaves in its iterator when it has begun with a value; ok is false where that is not known.
func (x *extractor) endOfLoop(h loopHeader, start affine, first phrase, at place) (end affine, text phrase, ok bool) {
	left, op, right, ok := comparedBy(h)
	if !ok || h.shift != 0 || hasBreak(h.body) || x.namesChanged(left, h) || right != nil && (x.namesChanged(right, h) || slices.Contains(namedIn(right), h.iterator)) {
		return end, text, false
	}
	e := x.evaluatorAt(at)
	limit, limitText, ok := x.limitOf(h, left, right, at)
	if !ok {
		return end, text, false
	}
	sign, ascending := map[bool]int64{true: 1, false: -1}[h.step > 0], h.step > 0
	switch {
	case op == "<" && ascending, op == ">" && !ascending, op == "!=" && h.step == sign:
	case op == "<=" && ascending, op == ">=" && !ascending:
		limit = limit.plus(single(constantForm(sign)), 1)
		limitText = limitText.inParentheses().join(plain(map[bool]string{true: " + 1", false: " - 1"}[ascending]))
	default:
		return end, text, false
	}
	comparison := map[bool]string{true: "<", false: ">"}[ascending]
	end, text = limit, limitText
	if stride := h.step * sign; stride != 1 {
		distance := limit.plus(start, -1).times(sign).plus(single(constantForm(stride-1)), 1)
		end = start.plus(distance.mapValues(func(l linear) linear { return l.floorDiv(stride) }).times(h.step), 1)
		a, b := limitText.inParentheses(), first.inParentheses()
		if !ascending {
			a, b = b, a
		}
		text = first.inParentheses().join(plain(map[bool]string{true: " + (", false: " - ("}[ascending]), a, plain(" - "), b, plain(fmt.Sprintf(" + %d) / %d * %d", stride-1, stride, stride)))
	}
	if len(start.pieces)*len(limit.pieces) > maxPieces || end.tooLarge() {
		return end, text, false
	}
	if e.holds(compare(start, comparison+"=", limit)) {
		return end, text, true
	}
	text = first.inParentheses().join(plain(" "+comparison+" "), limitText.inParentheses(), plain(" ? "), text.inParentheses(), plain(" : "), first.inParentheses())
	end = e.chosen(compare(start, comparison, limit), end, start)
	return end, text, !end.tooLarge()
}

// namesChanged says that an expression names a variable that a loop sets in its body or at the ends of its iterations.
func (x *extractor) namesChanged(n cc.ExpressionNode, h loopHeader) bool {
	inside := newFacts()
	visit(h.body, inside.look)
	for _, n := range h.further {
		visit(n, inside.look)
	}
	return slices.ContainsFunc(namedIn(n), func(d *cc.Declarator) bool { return inside.assigned[d] != nil })
}

// comparedBy is the comparison that a loop goes on with, its iterator on the left; no right side stands for 0.
func comparedBy(h loopHeader) (left cc.ExpressionNode, op string, right cc.ExpressionNode, ok bool) {
	if variableOf(unwrap(h.test)) == h.iterator {
		return h.test, "!=", nil, true
	}
	left, op, right, ok = comparisonOf(unwrap(h.test))
	if ok && !slices.Contains(namedIn(left), h.iterator) {
		left, op, right = right, swapped(op), left
	}
	return left, op, right, ok
}

// limitOf is what a loop compares its iterator with: for i + 3 < n it is n - 3.
func (x *extractor) limitOf(h loopHeader, left, right cc.ExpressionNode, at place) (limit affine, text phrase, ok bool) {
	zero := &affineCopy{integerValue: affineInteger(single(constantForm(0))), phrase: plain("0")}
	without := at.bind(binding{declarator: h.iterator, loop: -1, copy: zero})
	rest, err := x.evaluatorAt(without).affine(left)
	if err != nil {
		return limit, text, false
	}
	one := &affineCopy{integerValue: affineInteger(single(constantForm(1))), phrase: plain("1")}
	more, err := x.evaluatorAt(at.bind(binding{declarator: h.iterator, loop: -1, copy: one})).affine(left)
	if factor, isConstant := more.plus(rest, -1).constant(); err != nil || !isConstant || factor != 1 {
		return limit, text, false
	}
	limit, text, ok = single(constantForm(0)), plain("0"), true
	if right != nil {
		if limit, err = x.evaluatorAt(at).affine(right); err != nil {
			return limit, text, false
		}
		text, ok = x.phraseOf(right, at)
	}
	restText, isText := x.phraseOf(left, without)
	if variableOf(unwrap(left)) != h.iterator {
		text = text.inParentheses().join(plain(" - "), restText.inParentheses())
	}
	return limit.plus(rest, -1), text, ok && isText
}

// inIteration is the place at the beginning of an iteration, from the place in front of the loop.
func (x *extractor) inIteration(steps loopSteps, at, inner place) place {
	for _, d := range steps.changed {
		g, counts := steps.gains[d]
		before := x.resolvedIf(counts, at.bindingOf(d))
		if before == nil {
			inner = inner.unknownIn([]*cc.Declarator{d})
			continue
		}
		level := inner.loops[len(inner.loops)-1]
		distance := affineInteger(single(variableForm(level.tuple)).plus(steps.start.value, -1))
		iterator := plain(level.name)
		iterator.uses = append(iterator.uses, useOf(len(inner.loops)-1))
		inner = x.afterIterations(d, *before, g, steps, distance, iterator, inner)
	}
	return inner
}

// behind is the place behind a loop.
func (x *extractor) behind(steps loopSteps, at place) place {
	end, text, known := affine{}, phrase{}, false
	if steps.known {
		end, text, known = x.endOfLoop(steps.header, steps.start.value, steps.first, at)
	}
	after := at
	for _, d := range steps.changed {
		g, counts := steps.gains[d]
		before := x.resolvedIf(counts && known, at.bindingOf(d))
		if before == nil {
			after = after.unknownIn([]*cc.Declarator{d})
			continue
		}
		after = x.afterIterations(d, *before, g, steps, affineInteger(end.plus(steps.start.value, -1)), text, after)
	}
	if d := steps.header.iterator; x.isFollowed(d) && at.bindingOf(d) != nil {
		if !known || len(text.source) > maxPhrase {
			return after.unknownIn([]*cc.Declarator{d})
		}
		x.copies[d] = true
		c := &affineCopy{integerValue: affineInteger(end), phrase: text, cast: "(" + typeName(d.Type()) + ") "}
		return after.bind(binding{declarator: d, loop: -1, copy: c})
	}
	return after
}

func (x *extractor) resolvedIf(is bool, b *binding) *affineCopy {
	if !is {
		return nil
	}
	return x.resolved(b)
}

// afterIterations gives a variable its value after the iterations by which the iterator has moved a distance, up to a value with that text.
func (x *extractor) afterIterations(d *cc.Declarator, before affineCopy, g gain, steps loopSteps, distance integerValue, moved phrase, at place) place {
	step := steps.header.step
	count := affineInteger(distance.value.mapValues(func(l linear) linear { return quotientBy(l, step) }))
	value := x.sumOf(before.integerValue, x.productOf(g.integerValue, count), 1)
	times := moved.inParentheses()
	if steps.first.source != "0" {
		times = times.join(plain(" - "), steps.first.inParentheses()).inParentheses()
	}
	if step != 1 {
		times = times.join(plain(fmt.Sprintf(" / %d", step)))
		times = plain("(").join(times, plain(")"))
	}
	amount := times
	if g.phrase.source != "1" {
		amount = g.phrase.inParentheses().join(plain(" * "), times)
	}
	text := amount
	if before.source != "0" {
		text = before.whole().join(plain(" + "), amount)
	}
	if value.tooLarge() || len(text.source) > maxPhrase || isUnsigned(d.Type()) && (value.index != nil || !x.evaluatorAt(at).holds(compare(value.value, ">=", single(constantForm(0))))) {
		return at.unknownIn([]*cc.Declarator{d})
	}
	x.copies[d] = true
	return at.bind(binding{declarator: d, loop: -1, copy: &affineCopy{integerValue: value, factors: append(slices.Clone(before.factors), g.factors...), phrase: text, cast: "(" + typeName(d.Type()) + ") "}})
}
