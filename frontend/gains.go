package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// What an iteration of a loop, or a statement in it, adds to a variable that is followed.

// gain is what an iteration adds to a variable.
type gain struct {
	integerValue
	phrase
	// factors are those in it that may be lengths of rows.
	factors rowLengths
}

// gainOf is what an iteration of a loop adds to a variable; ok is false where that is not the same
// in each.
func (x *extractor) gainOf(d *cc.Declarator, h loopHeader, at place) (g gain, ok bool) {
	inside := h.inIterations()
	moving := at
	for _, d := range x.setAmong(inside) {
		moving = moving.bind(binding{declarator: d, loop: -1, unknown: true, tried: true})
	}
	moving = moving.bind(binding{declarator: h.iterator, loop: -1})
	steady := place{loops: at.loops, conditions: at.conditions, bindings: moving.bindings}
	total := nothing()
	g, ok = x.gainIn(h.body, d, steady)
	if !ok || assignsIn(h.body, d) && mayPassEnd(h.body) {
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
	if !assignsIn(s, d) {
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

// assignsIn says that a statement sets a variable.
func assignsIn(s *cc.Statement, d *cc.Declarator) bool {
	inside := newFacts()
	visit(s, inside.look)
	return inside.assigned[d] != nil
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
	first, ok := x.firstOf(h, at)
	if !ok {
		return total, false
	}
	end, text, ok := x.endOfLoop(h, start, first, at)
	if !ok {
		return total, false
	}
	g, ok := x.gainOf(d, h, at)
	if !ok || !h.isCounted(d) {
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
	times = asType(d.Type(), times)
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
		if isUnsigned(u.Second.Type()) {
			text = asType(d.Type(), text)
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
