package frontend

import (
	"fmt"
	"strings"
)

// keepDirectives looks at the preprocessor's directives inside the region. A
// macro that is defined there, and mentioned nowhere before, may as well be
// defined in front of it, and one that is undefined behind it. Other directives
// are refused where the replacement of the region's text would lose them.
func (x *extractor) keepDirectives() {
	defined := map[string]bool{}
	depth := 0
	for _, l := range x.between(x.bounds.start, x.bounds.end) {
		if l.kind != directive {
			continue
		}
		words := x.directiveWords(l)
		if len(words) == 0 {
			continue
		}
		switch word := words[0]; word {
		case "if", "ifdef", "ifndef":
			x.warnConditional(l, word, depth)
			depth++
		case "endif", "else", "elif", "elifdef", "elifndef":
			if depth == 0 {
				x.refuseDirective(l, word, "belongs to an #if in front of the region", "put the whole of #if to #endif inside the region or outside of it")
				return
			}
			if word == "endif" {
				depth--
			}
		case "include", "include_next", "embed":
			x.refuseDirective(l, word, "inside the region", "move it in front of #pragma scop")
		case "define":
			defined[macroName(words)] = true
			if depth > 0 || !x.isFirstMention(l, macroName(words)) {
				x.refuseDirective(l, word, fmt.Sprintf("of %s inside the region, where it is also mentioned before or only defined under a condition", macroName(words)), "move it in front of #pragma scop")
			}
			x.beginnings = append(x.beginnings, x.lines(l)...)
		case "undef":
			if name := macroName(words); depth > 0 || !defined[name] || x.isMentioned(name, l.end, x.bounds.end) {
				x.refuseDirective(l, word, fmt.Sprintf("of %s inside the region", name), "move it behind #pragma endscop")
			}
			x.endings = append(x.endings, x.lines(l)...)
		}
	}
	if depth > 0 {
		x.problems = append(x.problems, &Error{x.bounds.pragma, "#if", "an #if inside the region ends behind it", "put the whole of #if to #endif inside the region or outside of it"})
	}
}

func macroName(words []string) string {
	if len(words) < 2 {
		return ""
	}
	return words[1]
}

func (x *extractor) refuseDirective(l lexeme, word, message, advice string) {
	x.refusesDirective = true
	x.problems = append(x.problems, &Error{x.position(l.start), "#" + word, "#" + word + " " + message, advice})
}

// warnConditional says that the generated code has only one branch of an #if.
func (x *extractor) warnConditional(l lexeme, word string, depth int) {
	if depth > 0 {
		return
	}
	x.warnings = append(x.warnings, &Error{x.position(l.start), "#" + word, "the generated code has only that branch of the #" + word + " that is chosen now",
		"compile it with the same macros, or tune once for each choice"})
}

// lines are the lines of a directive.
func (x *extractor) lines(l lexeme) []string {
	return strings.Split(strings.ReplaceAll(x.of(l), "\r", ""), "\n")
}

// isFirstMention says that no text in front of a directive mentions the macro
// that it defines.
func (x *extractor) isFirstMention(l lexeme, macro string) bool {
	return macro != "" && !x.isMentioned(macro, 0, l.start) && !x.definedAfter(macro, x.bounds.end)
}

// isMentioned says that a name stands in a part of the text, directives
// included.
func (x *extractor) isMentioned(name string, start, end int) bool {
	for _, l := range x.between(start, end) {
		switch l.kind {
		case identifier:
			if x.of(l) == name {
				return true
			}
		case directive:
			body := x.source[l.start+1 : l.end]
			for _, w := range scan(body) {
				if w.kind == identifier && string(body[w.start:w.end]) == name {
					return true
				}
			}
		}
	}
	return false
}
