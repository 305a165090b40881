package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A loop leaves a value in its iterator, which transformed loops do not. Where
// the value is read after the region and can be written down in one line, the
// generated code ends with an assignment of it.

// noteFinal notes the value that a loop leaves in its iterator; "" stands for
// one that is not simple. A later loop with the same iterator, or an assignment to it, decides.
func (x *extractor) noteFinal(h loopHeader, at place) {
	x.finals[h.iterator] = ""
	if len(at.loops) > 0 || len(at.conditions) > 0 || h.shift != 0 || h.step != 1 && h.step != -1 ||
		h.needsRoom() && isSteppable(h.iterator) {
		return
	}
	left, op, right, ok := comparisonOf(unwrap(h.test))
	if !ok {
		return
	}
	if variableOf(right) == h.iterator {
		left, op, right = right, swapped(op), left
	}
	start, startOk := x.plainText(h.start, at)
	end, endOk := x.plainText(right, at)
	if variableOf(left) != h.iterator || slices.Contains(namedIn(right), h.iterator) || mayBreak(h.body) || !startOk || !endOk || !x.isWrittenOut(left) {
		return
	}
	if inside := h.inIterations(); slices.ContainsFunc(namedIn(right), func(d *cc.Declarator) bool { return inside.assigned[d] != nil }) {
		return
	}
	operator, beyond := strings.TrimSuffix(op, "="), ""
	if strings.HasSuffix(op, "=") {
		beyond = map[int64]string{1: " + 1", -1: " - 1"}[h.step]
	}
	if operator == "!" {
		operator, beyond = map[int64]string{1: "<", -1: ">"}[h.step], ""
	}
	if operator != map[int64]string{1: "<", -1: ">"}[h.step] {
		return
	}
	start, end = h.withRoom(plain(start)).source, h.withRoom(plain(end)).source
	x.finals[h.iterator] = fmt.Sprintf("%s = %s %s %s ? %s%s : %s;", h.iterator.Name(), start, op, end, end, beyond, start)
}

// isWrittenOut says that the iterator stands in the text of its comparison, so
// that no macro has written more of the loop than a bound.
func (x *extractor) isWrittenOut(iterator cc.ExpressionNode) bool {
	p, ok := unwrap(iterator).(*cc.PrimaryExpression)
	if !ok {
		return false
	}
	i := x.lexemeAt(p.Token.Position().Offset)
	return i >= 0 && x.of(x.lexemes[i]) == p.Token.SrcStr()
}

// plainText is the text of an expression that has the same value behind the
// region, in parentheses unless it is one word.
func (x *extractor) plainText(n cc.ExpressionNode, at place) (string, bool) {
	extent, ok := spanOf(n)
	if !ok {
		return "", false
	}
	source, offset, err := x.sourceOf(extent)
	if err != nil || !isOneLine(source) {
		return "", false
	}
	text, uses, err := x.instanceText(source, offset, at, nil)
	if err != nil || len(uses) > 0 {
		return "", false
	}
	if len(scan([]byte(text))) > 1 {
		text = "(" + text + ")"
	}
	return text, true
}

// isOneLine says that a text can be put into the middle of a line.
func isOneLine(source string) bool {
	return !strings.ContainsAny(source, "\n\\\"#") && !strings.Contains(source, "//")
}

// finalAssignments are the assignments for the iterators that are read after the region; iterators
// whose value is not simple are refused. No assignment reads what one before it has set.
func (x *extractor) finalAssignments(at place) []string {
	var list []string
	for _, d := range x.outerIterators() {
		p := x.readLater(d)
		_, isSet := x.finals[d]
		if p == nil || !isSet {
			continue
		}
		text := x.finals[d]
		if b := at.bindingOf(d); x.isFollowed(d) && (text == "" || b != nil && !b.left) {
			text = x.leftIn(d, at)
		}
		if longer, ok := withAssignment(list, text); ok && !x.isScalar(d) {
			list, x.ended[d] = longer, true
			continue
		}
		if !x.reading.left[d] && !x.isScalar(d) && isSteppable(d) {
			x.reading.left[d], x.again = true, true
		}
		x.refuse(p, "iterator", fmt.Sprintf("the value that the loops leave in %s is used after the region", d.Name()),
			"compute the value without the iterator; transformed loops do not leave it behind")
	}
	return x.finalValues(at, list)
}

// finalValues adds to assignments those of the values that variables which are followed have behind
// the region, where something reads them.
func (x *extractor) finalValues(at place, list []string) []string {
	for _, d := range x.followed() {
		_, isSet := x.finals[d]
		if isSet && x.facts.isIterator(d) || x.facts.local[d] || x.readLater(d) == nil {
			continue
		}
		b := at.bindingOf(d)
		if b == nil || b.incoming {
			continue
		}
		longer, ok := withAssignment(list, x.leftIn(d, at))
		if !ok {
			x.giveUp(d)
			continue
		}
		list, x.ended[d] = longer, true
	}
	return list
}

// withAssignment is a list of assignments with another one among them, where none reads what one
// before it sets; ok is false where that cannot be, and where the text is "".
func withAssignment(list []string, text string) (longer []string, ok bool) {
	for at := len(list); at >= 0 && text != ""; at-- {
		if !slices.ContainsFunc(list[:at], func(other string) bool { return setsWhatIsRead(other, text) }) &&
			!slices.ContainsFunc(list[at:], func(other string) bool { return setsWhatIsRead(text, other) }) {
			return slices.Insert(slices.Clone(list), at, text), true
		}
	}
	return list, false
}

// setsWhatIsRead says that an assignment sets a variable which another one names.
func setsWhatIsRead(assignment, other string) bool {
	name, _, _ := strings.Cut(assignment, " ")
	return slices.Contains(lexemeTexts(other), name)
}

// leftIn is the assignment of the value that a variable which is followed has at the end of the
// region, "" where that cannot be written.
func (x *extractor) leftIn(d *cc.Declarator, at place) string {
	b := at.bindingOf(d)
	if b == nil || b.copy == nil || len(b.copy.uses) > 0 {
		return ""
	}
	return d.Name() + " = " + b.copy.source + ";"
}

// isScalar says that a statement sets the iterator itself: one that is kept
// whole with the loop in it.
func (x *extractor) isScalar(d *cc.Declarator) bool {
	return slices.ContainsFunc(x.arrays, func(a *arrayInfo) bool { return a.declarator == d })
}
