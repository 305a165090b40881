package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Many programs name elements by macros with the subscripts as arguments:
//
//	#define U(i, j) u[i][j]
//	#define NEIGHBOURS(i, j) (U((i) - 1, j) + U((i) + 1, j))
//
// Where a macro puts an argument into brackets alone, a value of any wider type than the iterator's gives the same element. Compilers that see
// the value converted to the iterator's type cannot tell that elements lie behind each other: a checkerboard of 1024 x 1024 spins in
// bytes takes 30 ms without conversions on an AMD EPYC with AVX-512, and 104 with them.

// isSubscriptArgument says whether a lexeme stands in an argument that is made of iterators and whole numbers which are added, subtracted or
// multiplied, and that a macro puts into subscripts alone.
func (x *extractor) isSubscriptArgument(lexemes []lexeme, i int, at place) bool {
	first, last := x.argumentAround(lexemes, i)
	if first < 2 || last == len(lexemes) {
		return false
	}
	for _, l := range lexemes[first:last] {
		text := x.of(l)
		bound := at.bindingOfName(text)
		isIterator := bound != nil && bound.loop >= 0 && !x.isMacro(text)
		if !isIterator && strings.Trim(text, "0123456789") != "" && !slices.Contains([]string{"+", "-", "*", "(", ")"}, text) {
			return false
		}
	}
	number, open := 0, first-1
	for depth := 0; open >= 0 && (depth > 0 || x.of(lexemes[open]) != "("); open-- {
		switch x.of(lexemes[open]) {
		case ",":
			if depth == 0 {
				number++
			}
		case ")", "]":
			depth++
		case "(", "[":
			depth--
		}
	}
	return open > 0 && x.onlyInSubscripts(x.of(lexemes[open-1]), number, map[string]bool{})
}

// argumentAround is the first lexeme of the argument around a lexeme, and the one behind its last. first is 0 where there is none.
func (x *extractor) argumentAround(lexemes []lexeme, i int) (first, last int) {
	ends := func(text string, depth int) bool { return depth == 0 && slices.Contains([]string{",", "(", ")"}, text) }
	depth := 0
	for first = i; first > 0 && !ends(x.of(lexemes[first-1]), depth); first-- {
		depth += depthOf(x.of(lexemes[first-1]), ")", "(")
	}
	depth = 0
	for last = i + 1; last < len(lexemes) && !ends(x.of(lexemes[last]), depth); last++ {
		depth += depthOf(x.of(lexemes[last]), "(", ")")
	}
	return first, last
}

func depthOf(text, deeper, higher string) int {
	switch text {
	case deeper:
		return 1
	case higher:
		return -1
	}
	return 0
}

// looksAtTypes are words behind which the type of an expression matters.
var looksAtTypes = []string{"sizeof", "_Alignof", "_Generic", "typeof", "__typeof__", "__typeof", "#", "##"}

// onlyInSubscripts says whether a macro uses an argument in brackets alone, by itself or through other macros, and looks at no types.
func (x *extractor) onlyInSubscripts(macro string, argument int, seen map[string]bool) bool {
	m := x.ast.Macros[macro]
	if m == nil || !m.IsFnLike || argument >= len(m.Params) || seen[macro] {
		return false
	}
	seen[macro] = true
	defer delete(seen, macro)
	parameter := m.Params[argument].SrcStr()
	var around []enclosing
	list := m.ReplacementList()
	for k, t := range list {
		switch word := t.SrcStr(); {
		case slices.Contains(looksAtTypes, word):
			return false
		case word == "[" || word == "(":
			around = append(around, enclosing{bracket: word == "[", macro: calledBy(list[:k], word)})
		case (word == "]" || word == ")") && len(around) > 0:
			around = around[:len(around)-1]
		case word == "," && len(around) > 0:
			around[len(around)-1].argument++
		case word == parameter && !slices.ContainsFunc(around, func(e enclosing) bool {
			return e.bracket || e.macro != "" && x.onlyInSubscripts(e.macro, e.argument, seen)
		}):
			return false
		}
	}
	return true
}

// enclosing is a pair of brackets, or of parentheses, perhaps those of a macro's arguments, around a place in a macro's text.
type enclosing struct {
	bracket  bool
	macro    string
	argument int
}

// calledBy is the word in front of a parenthesis, "" for none.
func calledBy(before []cc.Token, opening string) string {
	if opening != "(" || len(before) == 0 {
		return ""
	}
	return before[len(before)-1].SrcStr()
}
