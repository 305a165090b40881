package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// What a loop does to the variables that are followed: one to which each iteration adds the same
// counts the iterations, so that its value in each of them and behind the loop is known; the value
// of every other one that the loop sets is unknown at the beginning of an iteration, and behind the
// loop.

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

// stepsOf looks at a loop from the place in front of it.
func (x *extractor) stepsOf(h loopHeader, at place) loopSteps {
	steps := loopSteps{header: h, gains: map[*cc.Declarator]gain{}}
	inside := h.inIterations()
	for _, d := range x.followed() {
		if d != h.iterator && inside.assigned[d] != nil && at.bindingOf(d) != nil {
			steps.changed = append(steps.changed, d)
		}
	}
	if x.isFollowed(h.iterator) || len(steps.changed) > 0 {
		steps.first, steps.known = x.firstOf(h, at)
		value, err := x.evaluatorAt(at).integer(h.start)
		steps.start, steps.known = value, steps.known && err == nil && value.index == nil && (h.shift == 0 || !isUnsigned(h.iterator.Type()))
		steps.start.value = value.value.plus(single(constantForm(h.shift)), 1)
	}
	for _, d := range steps.changed {
		if g, ok := x.gainOf(d, h, at); ok && steps.known {
			steps.gains[d] = g
		}
	}
	return steps
}

// endOfLoop is the value that a loop leaves in its iterator when it has begun with a value; ok is
// false where that is not known.
func (x *extractor) endOfLoop(h loopHeader, start affine, first phrase, at place) (end affine, text phrase, ok bool) {
	end, text, ok = x.endWithoutBreak(h, start, first, at)
	if !ok || !mayBreak(h.body) {
		return end, text, ok
	}
	return x.endOfBroken(h, start, first, end, text, at)
}

// endWithoutBreak is endOfLoop for a loop that only its own condition ends.
func (x *extractor) endWithoutBreak(h loopHeader, start affine, first phrase, at place) (end affine, text phrase, ok bool) {
	left, op, right, ok := comparedBy(h)
	if !ok || x.namesChanged(left, h) || right != nil && (x.namesChanged(right, h) || slices.Contains(namedIn(right), h.iterator)) {
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
		limitText = limitText.inParentheses().join(plain(byOne(sign)))
	default:
		return end, text, false
	}
	if h.late {
		limit = limit.plus(single(constantForm(h.step)), 1)
		limitText = limitText.inParentheses().join(plain(byOne(h.step)))
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

// namesChanged says that an expression names a variable that a loop sets in its body or at the ends
// of its iterations.
func (x *extractor) namesChanged(n cc.ExpressionNode, h loopHeader) bool {
	inside := h.inIterations()
	return slices.ContainsFunc(namedIn(n), func(d *cc.Declarator) bool { return inside.assigned[d] != nil })
}

// comparedBy is the comparison that a loop goes on with, its iterator on the left; no right side
// stands for 0.
func comparedBy(h loopHeader) (left cc.ExpressionNode, op string, right cc.ExpressionNode, ok bool) {
	if variableOf(unwrap(h.test)) == h.iterator {
		return h.test, "!=", nil, true
	}
	if step := stepIn(h.test); h.shift != 0 && step == unwrap(h.test) {
		return targetOf(step), "!=", nil, true
	}
	left, op, right, ok = comparisonOf(unwrap(h.test))
	if h.shift != 0 {
		return targetOf(stepIn(h.test)), op, right, ok
	}
	if ok && !slices.Contains(namedIn(left), h.iterator) {
		left, op, right = right, swapped(op), left
	}
	return left, op, right, ok
}

// limitOf is what a loop compares its iterator with: for i + 3 < n it is n - 3.
func (x *extractor) limitOf(h loopHeader, left, right cc.ExpressionNode, at place) (limit affine, text phrase, ok bool) {
	if !isShifted(left, h.iterator) {
		return limit, text, false
	}
	zero := &affineCopy{integerValue: affineInteger(single(constantForm(0))), phrase: plain("0")}
	without := at.bind(binding{declarator: h.iterator, loop: -1, copy: zero})
	rest, err := x.evaluatorAt(without).ofBound().affine(left)
	if err != nil {
		return limit, text, false
	}
	limit, text, ok = single(constantForm(0)), plain("0"), true
	if right != nil {
		if limit, err = x.evaluatorAt(at).ofBound().affine(right); err != nil {
			return limit, text, false
		}
		text, ok = x.phraseOf(right, at)
	}
	text = h.withRoom(text)
	restText, isText := x.phraseOf(left, without)
	if variableOf(unwrap(left)) != h.iterator {
		text = text.inParentheses().join(plain(" - "), h.withRoom(restText).inParentheses())
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
		iterator = steps.header.withRoom(iterator)
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
		before := x.resolvedIf(counts && known && steps.header.isCounted(d), at.bindingOf(d))
		if before == nil {
			after = after.unknownIn([]*cc.Declarator{d})
			continue
		}
		after = x.afterIterations(d, *before, g, steps, affineInteger(end.plus(steps.start.value, -1)), text, after)
	}
	if d := steps.header.iterator; x.isFollowed(d) && at.bindingOf(d) != nil {
		if !known || len(text.source) > maxPhrase {
			return after.bind(binding{declarator: d, loop: -1, unknown: true, left: true})
		}
		x.copies[d] = true
		c := &affineCopy{integerValue: affineInteger(end), phrase: text, cast: "(" + typeName(d.Type()) + ") "}
		return after.bind(binding{declarator: d, loop: -1, copy: c, left: true})
	}
	return after
}

// isCounted says that a variable changes as often as the iterator of a loop steps: not where the loop
// may end in the middle of an iteration that sets it.
func (h loopHeader) isCounted(d *cc.Declarator) bool {
	return !assignsIn(h.body, d) || !mayBreak(h.body)
}

func (x *extractor) resolvedIf(is bool, b *binding) *affineCopy {
	if !is {
		return nil
	}
	return x.resolved(b)
}

// afterIterations gives a variable its value after the iterations by which the iterator has moved a
// distance, up to a value with that text.
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
	times = asType(d.Type(), times)
	amount := times
	if g.phrase.source != "1" {
		amount = g.phrase.inParentheses().join(plain(" * "), times)
	}
	text := amount
	if before.source != "0" {
		text = before.whole().join(plain(" + "), amount)
	}
	if value.tooLarge() || len(text.source) > maxPhrase || value.index == nil && !x.evaluatorAt(at).keepsAs(value.value, d.Type(), d.Type()) || value.index != nil && isUnsigned(d.Type()) {
		return at.unknownIn([]*cc.Declarator{d})
	}
	x.copies[d] = true
	return at.bind(binding{declarator: d, loop: -1, copy: &affineCopy{integerValue: value, factors: append(slices.Clone(before.factors), g.factors...), phrase: text, cast: "(" + typeName(d.Type()) + ") "}})
}

// asType converts a number of iterations to the type of the variable that counts them, so that what
// it is multiplied by has room.
func asType(t cc.Type, text phrase) phrase {
	if typeName(t) == "int" {
		return text
	}
	return plain("(("+typeName(t)+") ").join(text.inParentheses(), plain(")"))
}
