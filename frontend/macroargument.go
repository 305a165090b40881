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
// Where a macro puts an argument into brackets alone, in sums and products of arguments and whole
// numbers, a value of any wider type than the iterator's gives the same element, if that has a
// sign. Compilers that see the value converted to the iterator's type cannot tell that elements lie
// behind each other: a checkerboard of 1024 x 1024 spins in bytes takes 30 ms without conversions
// on an AMD EPYC with AVX-512, and 104 with them.

// isSubscriptArgument says whether a lexeme stands in an argument that is made of iterators and
// whole numbers which are added, subtracted or multiplied, and that a macro puts into subscripts
// alone.
func (x *extractor) isSubscriptArgument(lexemes []lexeme, i int, at place) bool {
	first, last := x.argumentAround(lexemes, i)
	if first < 2 || last == len(lexemes) {
		return false
	}
	var words []string
	for _, l := range lexemes[first:last] {
		words = append(words, x.of(l))
	}
	isIterator := func(word string) bool {
		bound := at.bindingOfName(word)
		return bound != nil && bound.loop >= 0 && !x.isMacro(word) && !isUnsigned(bound.declarator.Type())
	}
	if !isSum(words, isIterator) {
		return false
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

// argumentAround is the first lexeme of the argument around a lexeme, and the one behind its last.
// first is 0 where there is none.
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

// isSum says whether words are names of a kind and whole numbers without suffixes that are added,
// subtracted and multiplied, and nothing else.
func isSum(words []string, isName func(word string) bool) bool {
	isOperand := func(word string) bool { return isName(word) || isPlainNumber(word) }
	for k, word := range words {
		switch {
		case word == "(" && k > 0 && (isOperand(words[k-1]) || words[k-1] == ")"):
			return false
		case !isOperand(word) && !slices.Contains([]string{"+", "-", "*", "(", ")"}, word):
			return false
		}
	}
	return true
}

// isPlainNumber says whether a word is a decimal number of type int.
func isPlainNumber(word string) bool {
	return word != "" && len(word) < len("2147483647") && strings.Trim(word, "0123456789") == "" && (word == "0" || word[0] != '0')
}

// onlyInSubscripts says whether a macro uses an argument in brackets alone, by itself or through
// other macros, each time in a sum.
func (x *extractor) onlyInSubscripts(macro string, argument int, seen map[string]bool) bool {
	m := x.ast.Macros[macro]
	if m == nil || !m.IsFnLike || argument >= len(m.Params) || seen[macro] || !x.isTransparent(macro, map[string]bool{}) {
		return false
	}
	seen[macro] = true
	defer delete(seen, macro)
	u := &argumentUses{x: x, macro: m, words: wordsOf(m), parameter: m.Params[argument].SrcStr(), seen: seen, around: []*enclosing{{}}}
	for k, word := range u.words {
		if !u.take(k, word) {
			return false
		}
	}
	return !u.around[0].uses
}

// argumentUses are the places at which a macro's text uses a parameter.
type argumentUses struct {
	x         *extractor
	macro     *cc.Macro
	words     []string
	parameter string
	seen      map[string]bool
	// around are the brackets and parentheses around the present place, behind the text as a whole.
	around []*enclosing
}

// enclosing is a pair of brackets, or the parentheses of another macro's arguments, or others,
// which are part of what they stand in.
type enclosing struct {
	bracket, part bool
	call          string
	// start is the first word of the present argument, and number that argument's; uses says that
	// it uses the parameter.
	start, number int
	uses          bool
}

// take goes on by a word; ok is false where that ends an argument that uses the parameter in
// another way.
func (u *argumentUses) take(k int, word string) (ok bool) {
	top := u.around[len(u.around)-1]
	switch word {
	case "[":
		u.around = append(u.around, &enclosing{bracket: true, start: k + 1})
	case "(":
		inner := &enclosing{part: true}
		if k > 0 && u.isCalled(u.words[k-1]) {
			inner = &enclosing{call: u.words[k-1], start: k + 1}
		}
		u.around = append(u.around, inner)
	case "]", ")":
		u.around = u.around[:len(u.around)-1]
		return top.part || u.ends(top, k)
	case ",":
		ok = top.part || len(u.around) == 1 || u.ends(top, k)
		top.number, top.start = top.number+1, k+1
		return ok
	case u.parameter:
		for _, e := range slices.Backward(u.around) {
			if !e.part {
				e.uses = true
				break
			}
		}
	}
	return true
}

// ends says whether an argument, or a subscript, that ends at a word uses the parameter in a sum in
// a subscript, if at all.
func (u *argumentUses) ends(e *enclosing, k int) bool {
	if !e.uses {
		return true
	}
	e.uses = false
	isName := func(word string) bool { return u.isParameter(word) || u.x.isNumber(word) }
	return isSum(u.words[e.start:k], isName) && (e.bracket || u.x.onlyInSubscripts(e.call, e.number, u.seen))
}

// isCalled says whether a word is a macro with arguments, and no parameter.
func (u *argumentUses) isCalled(word string) bool {
	m := u.x.ast.Macros[word]
	return m != nil && m.IsFnLike && !u.isParameter(word)
}

func (u *argumentUses) isParameter(word string) bool {
	return slices.ContainsFunc(u.macro.Params, func(p cc.Token) bool { return p.SrcStr() == word })
}

// isNumber says whether a word is a macro that stands for a number of type int.
func (x *extractor) isNumber(word string) bool {
	m := x.ast.Macros[word]
	return m != nil && !m.IsFnLike && len(wordsOf(m)) == 1 && isPlainNumber(wordsOf(m)[0])
}

// wordsOf is a macro's text.
func wordsOf(m *cc.Macro) (words []string) {
	for _, t := range m.ReplacementList() {
		words = append(words, t.SrcStr())
	}
	return words
}

// isTransparent says whether the text of a macro, and of those in it, is what it looks like:
// brackets and parentheses have their other halves, nothing is pasted, and nothing looks at types.
func (x *extractor) isTransparent(macro string, seen map[string]bool) bool {
	m := x.ast.Macros[macro]
	if m == nil || seen[macro] {
		return true
	}
	seen[macro] = true
	var open []string
	for _, word := range wordsOf(m) {
		switch {
		case looksAtTypes(word):
			return false
		case word == "(" || word == "[" || word == "{":
			open = append(open, word)
		case word == ")" || word == "]" || word == "}":
			if len(open) == 0 || open[len(open)-1]+word != map[string]string{")": "()", "]": "[]", "}": "{}"}[word] {
				return false
			}
			open = open[:len(open)-1]
		case !x.isTransparent(word, seen):
			return false
		}
	}
	return len(open) == 0
}

// looksAtTypes says whether the type of an expression matters to a word, or whether it makes other
// words.
func looksAtTypes(word string) bool {
	return strings.HasPrefix(word, "#") || strings.HasPrefix(word, "__") || strings.Contains(word, "sizeof") || strings.Contains(word, "ypeof") ||
		strings.Contains(word, "lignof") || word == "_Generic"
}
