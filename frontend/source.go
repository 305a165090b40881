package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// sourceOf is the text of a statement as the user wrote it, and its offset.
func (x *extractor) sourceOf(s span) (string, int, error) {
	end := x.endOf(s)
	first := x.lexemeAt(s.start)
	if first < 0 || s.start < x.bounds.start || end > x.bounds.end {
		return "", 0, &Error{x.position(s.start), "macro", "the text of this statement does not stand in the region",
			"write the statement out instead of in a macro or a header"}
	}
	return x.withoutPragmas(s.start, end), s.start, nil
}

// endOf is the offset behind the text of the span's last token. When that
// comes out of a macro, the text ends with the invocation, which is behind the
// last lexeme in front of the token that follows.
func (x *extractor) endOf(s span) int {
	last := s.tokens[len(s.tokens)-1]
	if x.spelledHere(last) && !x.isMacro(last.SrcStr()) {
		return s.last + len(last.Src())
	}
	return x.trimmedEnd(s.last, x.offsetAfter(s.lastSequence, s.last))
}

// offsetAfter is the offset of the first token of the function that comes
// after the numbered one and stands elsewhere.
func (x *extractor) offsetAfter(sequence, offset int) int {
	for _, t := range x.whole(x.function).tokens() {
		if t.Seq() > sequence && t.Position().Offset > offset {
			return t.Position().Offset
		}
	}
	return x.bounds.end
}

func (x *extractor) lexemeAt(offset int) int {
	i := x.at(offset)
	if i < len(x.lexemes) && x.lexemes[i].start == offset {
		return i
	}
	return -1
}

func (x *extractor) isMacro(name string) bool { return x.ast.Macros[name] != nil }

// checkOverlaps refuses statements that share a macro invocation with their
// surroundings: their texts would overlap, or hold more than the statement.
func (x *extractor) checkOverlaps() {
	count := map[int]int{}
	for _, t := range x.whole(x.function).tokens() {
		count[t.Position().Offset]++
	}
	for _, e := range x.extents {
		inside := map[int]int{}
		for _, t := range e.tokens {
			inside[t.Position().Offset]++
		}
		if inside[e.start] != count[e.start] || inside[e.last] != count[e.last] {
			for _, offset := range []int{e.start, e.last} {
				if inside[offset] != count[offset] {
					x.writeOut(offset)
				}
			}
			x.problems = append(x.problems, &Error{x.position(e.start), "macro",
				"a macro expands to more than this one statement", "write the loop or the statements out instead of in a macro"})
		}
	}
}

func (x *extractor) isMemberOperator(l lexeme) bool {
	text := x.of(l)
	return text == "." || text == "->"
}

// checkMacro refuses a macro in a statement when a text with other iterators
// could not be put through it.
func (x *extractor) checkMacro(l lexeme, name string, at place) error {
	if !x.isMacro(name) {
		return nil
	}
	if x.definedAfter(name, x.bounds.end) {
		return &Error{x.position(l.start), "macro", fmt.Sprintf("the macro %s is defined again or undefined behind the region", name),
			"give it one definition in front of the region"}
	}
	if x.writesMacros && !x.wroteMacros[x.bounds.number] {
		x.writeOutAll()
		return &Error{x.position(l.start), "macro", fmt.Sprintf("the macro %s is not written out", name), "write out what it stands for"}
	}
	for _, b := range at.bindings {
		if b.loop < 0 && b.copy == nil && b.renamed == "" || !at.bindingOf(b.declarator).isSame(b) {
			continue
		}
		replaced, what := b.declarator.Name(), "the iterator"
		if b.loop < 0 {
			what = "the variable"
		}
		problem := x.hides(name, replaced)
		if problem == isUnseen && b.loop >= 0 && at.unseen != nil {
			at.unseen.add(b.loop, l.start)
			continue
		}
		if problem != "" {
			x.writeOut(l.start)
			return &Error{x.position(l.start), "macro", fmt.Sprintf("the macro %s %s, here %s %s", name, problem, what, replaced),
				"pass " + what + " to the macro as an argument and use it there by itself"}
		}
	}
	return nil
}

// writeOutAll notes that all macros of the region are to be written out, but for those that choose
// by the types of their arguments.
func (x *extractor) writeOutAll() {
	x.wroteMacros[x.bounds.number] = true
	lexemes := x.between(x.bounds.start, x.bounds.end)
	for i, l := range lexemes {
		if l.kind != identifier || i > 0 && x.isMemberOperator(lexemes[i-1]) {
			continue
		}
		if m := x.ast.Macros[x.of(l)]; m != nil && !isTypeGeneric(m) {
			x.writeOut(l.start)
		}
	}
}

// isTaken is what hides says of a macro with # or ##.
const isTaken = "uses # or ##, which may take the name of a variable apart"

// isUnseen is what hides says of a macro that names the iterator itself.
const isUnseen = "uses a variable that is not among its arguments"

// hides says what is wrong with a macro's definition for an iterator of that
// name, or "".
func (x *extractor) hides(macro, iterator string) string {
	m := x.ast.Macros[macro]
	if m == nil || isTypeGeneric(m) {
		return ""
	}
	seen := map[string]bool{}
	if problem := x.hidesIn(macro, iterator, m.IsFnLike, seen); problem != "" {
		return problem
	}
	if !x.pastes(seen) {
		return ""
	}
	for name := range seen {
		if slices.ContainsFunc(x.ast.Macros[name].ReplacementList(), func(t cc.Token) bool { return x.isPart(t, name, iterator) }) {
			return "may put the name of a variable together"
		}
	}
	return ""
}

// isTypeGeneric says whether a macro is one of <tgmath.h>: these put together names of functions
// only, and have their arguments in them as they are.
func isTypeGeneric(m *cc.Macro) bool {
	return strings.HasSuffix(m.Name.Position().Filename, "/tgmath.h")
}

// pastesOthers says that a macro with # or ## is given nothing here of which it could make a
// variable's name, and has nothing of that itself: SV(0.5), with x##f, is a number.
func (x *extractor) pastesOthers(l lexeme, name string) bool {
	seen := map[string]bool{}
	if x.hides(x.of(l), name) != isTaken || x.hidesIn(x.of(l), name, false, seen) != "" {
		return false
	}
	given := x.between(l.start, x.bounds.end)
	if len(given) < 2 || x.of(given[1]) != "(" {
		return false
	}
	depth := 0
	for _, part := range given[1:] {
		text := x.of(part)
		depth += depthOf(text, "(", ")")
		if part.kind == identifier && (strings.HasPrefix(name, text) || strings.HasSuffix(name, text) || x.isMacro(text)) {
			return false
		}
		if depth == 0 {
			break
		}
	}
	for macro := range seen {
		if slices.ContainsFunc(x.ast.Macros[macro].ReplacementList(), func(t cc.Token) bool { return x.isPart(t, macro, name) }) {
			return false
		}
	}
	return true
}

// isPart says whether a token of a macro's definition may be a part of a name.
func (x *extractor) isPart(t cc.Token, macro, name string) bool {
	word := t.SrcStr()
	isParameter := slices.ContainsFunc(x.ast.Macros[macro].Params, func(p cc.Token) bool { return p.SrcStr() == word })
	return word != "" && !isParameter && (strings.HasPrefix(name, word) || strings.HasSuffix(name, word))
}

// pastes says whether one of the macros uses # or ##.
func (x *extractor) pastes(macros map[string]bool) bool {
	for name := range macros {
		if slices.ContainsFunc(x.ast.Macros[name].ReplacementList(), func(t cc.Token) bool { return strings.HasPrefix(t.SrcStr(), "#") }) {
			return true
		}
	}
	return false
}

// hidesIn is hides for a macro and those in its definition. What is given nothing of the text, as
// INT64_MAX, may paste what it has.
func (x *extractor) hidesIn(macro, iterator string, isGiven bool, seen map[string]bool) string {
	m := x.ast.Macros[macro]
	if m == nil || seen[macro] {
		return ""
	}
	seen[macro] = true
	parameters := map[string]bool{}
	for _, p := range m.Params {
		parameters[p.SrcStr()] = true
	}
	for _, t := range m.ReplacementList() {
		word := t.SrcStr()
		switch {
		case strings.HasPrefix(word, "#") && isGiven:
			return isTaken
		case parameters[word] || strings.HasPrefix(word, "#"):
		case word == iterator:
			return isUnseen
		default:
			if problem := x.hidesIn(word, iterator, isGiven, seen); problem != "" {
				return problem
			}
		}
	}
	return ""
}
