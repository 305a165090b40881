package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// Variables that get several values are followed from one assignment to the next, as far as each
// value is known:
//
//	int w = y; w += 1;                      w is y + 1
//	if (y == 0) w = 0; else w = y - 1;      w is y == 0 ? 0 : y - 1
//	for (…; …; x++, at++)                   at counts iterations
//	for (j = 0; j < n - 3; j += 4) …        j is what the loop leaves, where for (; j < n; j++) begins
//
// The value takes the variable's place everywhere, and the assignments disappear. A variable with a
// use at which its value is not known is not followed at all: the region is read again without.

// isFollowed says that the values of a variable of the region are followed.
func (x *extractor) isFollowed(d *cc.Declarator) bool {
	if d == nil || x.facts.assigned[d] == nil || x.reading.unsteady[d] || x.reading.keepsCopies || !isSteppable(d) || isFileScope(d) {
		return false
	}
	if x.facts.isIterator(d) {
		return x.reading.left[d] || x.readOutsideLoops()[d]
	}
	return x.facts.assignments[d] > 1 || !x.facts.local[d] && x.facts.assignments[d] == 1 && x.facts.updated[d]
}

// giveUp notes that a variable cannot be followed.
func (x *extractor) giveUp(d *cc.Declarator) {
	x.reading.unsteady[d], x.again = true, true
}

// followed are the variables that are followed, in the order of their first assignments.
func (x *extractor) followed() (list []*cc.Declarator) {
	for d := range x.facts.assigned {
		if x.isFollowed(d) {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *cc.Declarator) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// incoming gives the variables of the function that are followed the values that they have in front
// of the region.
func (x *extractor) incoming(at place) place {
	for _, d := range x.followed() {
		if !x.facts.local[d] {
			at = at.bind(binding{declarator: d, loop: -1, incoming: true})
		}
	}
	return at
}

// unknownIn gives variables values that nobody knows.
func (p place) unknownIn(list []*cc.Declarator) place {
	for _, d := range list {
		p = p.bind(binding{declarator: d, loop: -1, unknown: true})
	}
	return p
}

// assign follows an assignment; ok is false where it is to no variable that is followed.
func (x *extractor) assign(n cc.ExpressionNode, at place) (after place, ok bool) {
	d, value := assignmentOf(n)
	if d == nil || !x.isFollowed(d) || at.bindingOf(d) == nil {
		return at, false
	}
	return x.setTo(d, value, at), true
}

// assignEach follows assignments that commas separate, all or none of them.
func (x *extractor) assignEach(s *cc.Statement, at place) (after place, ok bool) {
	if s.Case != cc.StatementExpr || s.ExpressionStatement.ExpressionList == nil {
		return at, false
	}
	list := commaParts(s.ExpressionStatement.ExpressionList)
	for _, n := range list {
		if d, _ := assignmentOf(n); d == nil || !x.isFollowed(d) || at.bindingOf(d) == nil {
			return at, false
		}
	}
	for _, n := range list {
		at, _ = x.assign(n, at)
	}
	return at, true
}

// commaParts are the expressions that commas separate.
func commaParts(n cc.ExpressionNode) (parts []cc.ExpressionNode) {
	for l, ok := n.(*cc.ExpressionList); ok && l != nil; l = l.ExpressionList {
		parts = append(parts, l.AssignmentExpression)
	}
	if parts == nil && n != nil {
		parts = append(parts, n)
	}
	return parts
}

// setTo is the place behind an assignment of a value to a variable that is followed.
func (x *extractor) setTo(d *cc.Declarator, value cc.ExpressionNode, at place) place {
	c := x.valueAt(d, value, at)
	if c == nil && hasFurtherEffect(value) {
		x.giveUp(d)
	}
	if c == nil {
		return at.unknownIn([]*cc.Declarator{d})
	}
	x.copies[d] = true
	return at.bind(binding{declarator: d, loop: -1, copy: c})
}

// valueAt is the value that a variable gets, or nil.
func (x *extractor) valueAt(d *cc.Declarator, n cc.ExpressionNode, at place) *affineCopy {
	if hasAssignment(n) {
		return nil
	}
	value, err := x.evaluatorAt(at).integer(n)
	if err != nil || value.tooLarge() || !x.keepsValue(value, n, d.Type(), at) {
		return nil
	}
	text, ok := x.phraseOf(n, at)
	if !ok || len(text.source) > maxPhrase {
		return nil
	}
	c := &affineCopy{integerValue: value, factors: x.evaluatorAt(at).factorsOf(n), phrase: text}
	if typeName(computedType(n)) != typeName(d.Type()) {
		c.cast = "(" + typeName(d.Type()) + ") "
	}
	return c
}

// hasAssignment says that an expression changes something; an update is not one for itself.
func hasAssignment(n cc.ExpressionNode) bool {
	if u, ok := n.(*updateNode); ok {
		return u.Second != nil && hasAssignment(u.Second)
	}
	found := false
	visit(n, func(n cc.Node) { found = found || assigns(n) })
	return found
}

// hasFurtherEffect says that an expression whose value nobody knows may do something besides having
// it, so that it cannot disappear.
func hasFurtherEffect(n cc.ExpressionNode) bool {
	if u, ok := n.(*updateNode); ok {
		return u.Second != nil && hasFurtherEffect(u.Second)
	}
	isVolatile := false
	for _, d := range namedIn(n) {
		isVolatile = isVolatile || d.IsVolatile() || d.IsAtomic() || elementOf(d.Type()).Attributes().IsVolatile()
	}
	return isVolatile || hasEffect(n)
}

// keepsValue says that a variable of a type holds a value that it gets.
func (x *extractor) keepsValue(value integerValue, n cc.ExpressionNode, t cc.Type, at place) bool {
	if value.index != nil {
		return keepsIndex(computedType(n), t)
	}
	return x.evaluatorAt(at).keepsAs(value.value, computedType(n), t)
}

// computedType is the type of the value that is assigned.
func computedType(n cc.ExpressionNode) cc.Type {
	u, ok := n.(*updateNode)
	if !ok || u.Second == nil {
		return n.Type()
	}
	return cc.UsualArithmeticConversions(u.Variable.Type(), u.Second.Type())
}

// maxPhrase bounds the text of a value: one of another one twice, many times over, doubles each
// time.
const maxPhrase = 1000

// phrase is a text with the places in it that name iterators.
type phrase struct {
	source string
	uses   []scop.Use
}

// join is one phrase behind another.
func (p phrase) join(others ...phrase) phrase {
	for _, o := range others {
		for _, u := range o.uses {
			u.Offset += len(p.source)
			p.uses = append(p.uses[:len(p.uses):len(p.uses)], u)
		}
		p.source += o.source
	}
	return p
}

// useOf is the use of a loop's iterator at the beginning of a text.
func useOf(loop int) scop.Use { return scop.Use{Loop: loop} }

func plain(text string) phrase { return phrase{source: text} }

// inParentheses is a phrase that any operator may stand beside.
func (p phrase) inParentheses() phrase {
	if len(scan([]byte(p.source))) == 1 {
		return p
	}
	return plain("(").join(p, plain(")"))
}

// phraseOf is the text of an expression in which values take the places of variables.
func (x *extractor) phraseOf(n cc.ExpressionNode, at place) (phrase, bool) {
	if u, ok := n.(*updateNode); ok {
		first, ok := x.phraseOf(u.Variable, at)
		second := plain("1")
		if ok && u.Second != nil {
			second, ok = x.phraseOf(u.Second, at)
		}
		return first.inParentheses().join(plain(" "+u.operator+" "), second.inParentheses()), ok
	}
	extent, ok := spanOf(n)
	if !ok {
		return phrase{}, false
	}
	source, offset, err := x.sourceOf(extent)
	if err != nil || !isOneLine(source) {
		return phrase{}, false
	}
	text, uses, err := x.instanceText(source, offset, at, nil)
	return phrase{text, uses}, err == nil
}

// carried is the place behind a block or branch: what is followed has the values that it has at its
// end.
func (x *extractor) carried(outer, inner place) place {
	for _, d := range x.followed() {
		before, after := outer.bindingOf(d), inner.bindingOf(d)
		if before != nil && after != nil && !before.isSame(*after) {
			outer = outer.bind(*after)
		}
	}
	return outer
}

func (b binding) isSame(o binding) bool {
	return b.copy == o.copy && b.unknown == o.unknown && b.incoming == o.incoming && b.loop == o.loop && b.left == o.left
}

// merged is the place behind an if whose branches end at two places.
func (x *extractor) merged(at, yes, no place, condition formula, test cc.ExpressionNode) place {
	for _, d := range x.followed() {
		before, a, b := at.bindingOf(d), yes.bindingOf(d), no.bindingOf(d)
		if before == nil || a == nil || b == nil || before.isSame(*a) && before.isSame(*b) {
			continue
		}
		c := x.mergedValue(at, x.resolved(a), x.resolved(b), condition, test)
		switch {
		case a.isSame(*b):
			at = at.bind(*a)
		case c == nil:
			at = at.unknownIn([]*cc.Declarator{d})
		default:
			at = at.bind(binding{declarator: d, loop: -1, copy: c})
		}
	}
	return at
}

// mergedValue is one of two values, nil where it is not known.
func (x *extractor) mergedValue(at place, yes, no *affineCopy, condition formula, test cc.ExpressionNode) *affineCopy {
	if yes == nil || no == nil {
		return nil
	}
	value := x.evaluatorAt(at).choice(condition, yes.integerValue, no.integerValue)
	text, ok := x.phraseOf(test, at)
	if !ok || value.tooLarge() {
		return nil
	}
	c := &affineCopy{integerValue: value, factors: append(slices.Clone(yes.factors), no.factors...)}
	c.phrase = text.inParentheses().join(plain(" ? "), yes.whole(), plain(" : "), no.whole())
	if len(c.source) > maxPhrase {
		return nil
	}
	return c
}

// whole is the text of a value with the conversion to the variable's type.
func (c *affineCopy) whole() phrase {
	if c.cast == "" {
		return c.phrase.inParentheses()
	}
	return plain("("+c.cast).join(c.phrase.inParentheses(), plain(")"))
}

// resolved is the value of a binding, nil for one that is not known. A value from in front of the
// region becomes a parameter.
func (x *extractor) resolved(b *binding) *affineCopy {
	switch {
	case b == nil || b.unknown:
		return nil
	case b.incoming:
		if front := x.valueInFront(b.declarator); front != nil {
			return front
		}
		p := x.variableParameter(b.declarator)
		return &affineCopy{integerValue: affineInteger(single(variableForm(p.name))), phrase: plain(b.declarator.Name())}
	}
	return b.copy
}

// valueInFront is the constant that a variable has in front of the region, nil where nothing says
// so: it is the first value of one that the region alone changes, and that comes to the region
// once.
func (x *extractor) valueInFront(d *cc.Declarator) *affineCopy {
	initial := x.initialOf(d)
	if initial == nil || d.IsParam() || len(x.around()) > 0 || x.jumps() || x.changesInFront(d) {
		return nil
	}
	value, ok := constantValue(initial)
	if !ok || !holdsConstant(d.Type(), value) {
		return nil
	}
	return &affineCopy{integerValue: affineInteger(single(constantForm(value))), phrase: plain(fmt.Sprint(value)), cast: "(" + typeName(d.Type()) + ") "}
}

// changesInFront says that the function changes a variable in front of the region,
// but for the one assignment that gives it its first value.
func (x *extractor) changesInFront(d *cc.Declarator) (found bool) {
	x.visitFunction(func(n cc.Node) {
		isBehind := x.inFile(n) && n.Position().Offset >= x.bounds.start
		found = found || !isBehind && isChange(n, d) && !x.isFirstSetting(n, d)
	})
	return found
}

// readOutsideLoops are the iterators that the region names outside of the loops over them, or sets
// there.
func (x *extractor) readOutsideLoops() map[*cc.Declarator]bool {
	if x.outside == nil {
		x.outside = map[*cc.Declarator]bool{}
		for _, item := range x.items {
			x.noteOutside(item, map[*cc.Declarator]bool{})
		}
	}
	return x.outside
}

// noteOutside looks for iterators below a node in loops over some.
func (x *extractor) noteOutside(n cc.Node, inside map[*cc.Declarator]bool) {
	walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.PrimaryExpression:
			if d := variableOf(n); d != nil && x.facts.isIterator(d) && !inside[d] {
				x.outside[d] = true
			}
		case *cc.IterationStatement:
			loop := newFacts()
			loop.lookAtLoop(n)
			around := inside
			if len(loop.iterators) > 0 {
				around = map[*cc.Declarator]bool{}
				for d := range inside {
					around[d] = true
				}
				for d := range loop.iterators {
					around[d] = true
				}
			}
			for _, part := range []cc.Node{n.Declaration, n.ExpressionList, n.ExpressionList2, n.ExpressionList3, n.Statement} {
				x.noteOutside(part, around)
			}
			return false
		}
		return true
	})
}
