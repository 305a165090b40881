package frontend

import (
	"slices"
	"strconv"
	"strings"
)

// pragma is a #pragma of the text, a _Pragma(…), or a macro that stands for one.
type pragma struct {
	// start and end bound it in the text.
	start, end int
	// body is what stands behind the word pragma, without comments and on one line.
	body string
	// next is the index of the first lexeme behind it that is neither a directive nor a pragma.
	next int
	// inactive says that the preprocessor left it out.
	inactive bool
}

// words are those of the body, punctuation included.
func (p pragma) words() []string { return lexemeTexts(p.body) }

// allPragmas are the pragmas of the text in their order.
func (u *unit) allPragmas() []pragma {
	if u.listed != nil {
		return *u.listed
	}
	var list []pragma
	waiting := 0
	for i := 0; i < len(u.lexemes); {
		p, count := u.pragmaAt(i)
		if count > 0 && p.body != "" {
			list = append(list, p)
		}
		if count == 0 && u.lexemes[i].kind != directive {
			for ; waiting < len(list); waiting++ {
				list[waiting].next = i
			}
		}
		i += max(count, 1)
	}
	for ; waiting < len(list); waiting++ {
		list[waiting].next = len(u.lexemes)
	}
	u.listed = &list
	return list
}

// pragmaAt is the pragma that begins with a lexeme, and the number of its lexemes: 0 where
// there is none.
func (u *unit) pragmaAt(i int) (p pragma, count int) {
	l := u.lexemes[i]
	switch word := u.of(l); {
	case l.kind == directive:
		plain := string(u.withoutComments(l.start+1, l.end))
		body, isPragma := strings.CutPrefix(strings.TrimLeft(plain, " "), "pragma ")
		if !isPragma {
			return p, 0
		}
		body = strings.TrimLeft(body, " ")
		first := l.end - len(body)
		return pragma{start: l.start, end: l.end, body: oneLine(body), inactive: !u.passed[first]}, 1
	case l.kind == identifier && word == "_Pragma":
		end, ok := u.argumentsEnd(i + 1)
		if !ok || end != i+4 || u.lexemes[i+2].kind != quoted {
			return p, 0
		}
		return pragma{start: l.start, end: u.lexemes[end-1].end, body: unquoted(u.of(u.lexemes[i+2]))}, end - i
	case l.kind == identifier && u.ast.Macros[word] != nil:
		m := u.ast.Macros[word]
		if !m.IsFnLike {
			if body, ok := u.standsForPragma(word, "", 0); ok {
				return pragma{start: l.start, end: l.end, body: body}, 1
			}
			return p, 0
		}
		end, ok := u.argumentsEnd(i + 1)
		if !ok {
			return p, 0
		}
		argument := oneLine(string(u.withoutComments(u.lexemes[i+1].end, u.lexemes[end-1].start)))
		if body, ok := u.standsForPragma(word, argument, 0); ok {
			return pragma{start: l.start, end: u.lexemes[end-1].end, body: body}, end - i
		}
	}
	return p, 0
}

// argumentsEnd is the index behind the parenthesis that closes the one at index i.
func (u *unit) argumentsEnd(i int) (end int, ok bool) {
	depth := 0
	for ; i < len(u.lexemes); i++ {
		switch u.of(u.lexemes[i]) {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			return i + 1, u.of(u.lexemes[i]) == ")"
		}
	}
	return i, false
}

// mostMacroDepth bounds macros that stand for macros.
const mostMacroDepth = 8

// standsForPragma is the pragma that a macro with an argument becomes: ok is false for a
// macro that is made of something else as well.
//
//	#define SIMD _Pragma("omp simd")    #define OMP(x) _Pragma(#x)    #define FOR OMP(omp for)
func (u *unit) standsForPragma(macro, argument string, depth int) (body string, ok bool) {
	m := u.ast.Macros[macro]
	if m == nil || depth > mostMacroDepth {
		return "", false
	}
	var words []string
	for _, t := range m.ReplacementList() {
		if word := strings.TrimSpace(t.SrcStr()); word != "" {
			words = append(words, word)
		}
	}
	if len(words) < 4 || words[1] != "(" || words[len(words)-1] != ")" {
		if len(words) == 1 {
			return u.standsForPragma(words[0], argument, depth+1)
		}
		return "", false
	}
	inside := words[2 : len(words)-1]
	switch {
	case words[0] == "_Pragma" && len(inside) == 1 && strings.HasPrefix(inside[0], `"`):
		return unquoted(inside[0]), true
	case words[0] == "_Pragma" && len(m.Params) == 1 && strings.Join(inside, "") == "#"+m.Params[0].SrcStr():
		return argument, true
	case words[0] == "_Pragma" || slices.Contains(words[1:], "_Pragma"):
		return "", false
	}
	passed := strings.Join(inside, " ")
	if len(m.Params) == 1 && passed == m.Params[0].SrcStr() {
		passed = argument
	}
	return u.standsForPragma(words[0], passed, depth+1)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unquoted is the text of a string literal.
func unquoted(literal string) string {
	if text, err := strconv.Unquote(literal); err == nil {
		return oneLine(text)
	}
	return oneLine(strings.Trim(literal, `"`))
}

// frontOf is where the pragmas of a loop begin that stand in front of the #pragma scop around an
// offset, whose line begins at line: line itself where there are none. An #ifdef that has
// nothing but such pragmas in it belongs to them.
func (u *unit) frontOf(offset, line int) int {
	first := u.at(offset) - 1
	start := line
	for {
		previous := u.frontBefore(first)
		if previous == first {
			break
		}
		first = previous
		start = u.lexemes[first].start
	}
	if begin := u.lineStart(start); strings.TrimSpace(string(u.source[begin:start])) == "" {
		return begin
	}
	return start
}

// frontBefore is the index of the first lexeme of the pragma of a loop that ends in front of the
// lexeme with an index, or of a conditional with such pragmas: that index where there is none.
func (u *unit) frontBefore(index int) int {
	if index <= 0 {
		return index
	}
	last := u.lexemes[index-1]
	for _, p := range u.allPragmas() {
		if p.end == last.end && p.isOfLoops() && p.hasStatement() {
			return u.at(p.start)
		}
	}
	isEnd := last.kind == directive && slices.Equal(u.directiveWords(last), []string{"endif"})
	if !isEnd || u.frontBefore(index-1) == index-1 {
		return index
	}
	return u.conditionalBefore(index)
}

// conditionalBefore is the index of the #if whose #endif stands in front of the lexeme with an
// index, where nothing but pragmas of loops and conditionals is between: that index otherwise.
func (u *unit) conditionalBefore(index int) int {
	depth := 0
	for i := index - 1; i >= 0; i-- {
		words := append(u.directiveWords(u.lexemes[i]), "")
		switch isDirective := u.lexemes[i].kind == directive; {
		case isDirective && words[0] == "endif":
			depth++
		case isDirective && strings.HasPrefix(words[0], "if"):
			depth--
		case isDirective && strings.HasPrefix(words[0], "el"):
		default:
			first := u.frontBefore(i + 1)
			if first > i {
				return index
			}
			i = first
		}
		if depth <= 0 {
			if depth == 0 {
				return i
			}
			break
		}
	}
	return index
}

// pragmasOfLoops are the places of those in front of a region and in it.
func (u *unit) pragmasOfLoops(b bounds) (places [][2]int) {
	for _, p := range u.allPragmas() {
		if p.start >= b.pragmaStart && p.start < b.end && p.isOfLoops() {
			places = append(places, [2]int{p.start, p.end})
		}
	}
	return places
}

// withoutPragmas is a part of the source in which the loops' pragmas are blank. Line ends stay.
func (u *unit) withoutPragmas(start, end int) string {
	text := []byte(string(u.source[start:end]))
	for _, p := range u.allPragmas() {
		if p.start >= start && p.end <= end && p.isOfLoops() {
			blank(text[p.start-start : p.end-start])
		}
	}
	return string(text)
}

// blank overwrites a text, but for its line ends.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
