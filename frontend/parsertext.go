package frontend

import (
	"bytes"
	"slices"
	"strings"
)

// What the parser does not know of C, and means nothing to it or the same as something else, it is
// given in the form that it knows, of the same length, so that all places stay: digit separators of
// C23 (1'000), attributes in brackets, constants of types that have others of the same values.

// parserText is a text as the parser gets it, but for types that others carry.
func (t *text) parserText() []byte {
	plain := withoutLineDirectives(t)
	lexemes := t.everyLexeme()
	blankEnd := 0
	for k, l := range lexemes {
		end := 0
		switch {
		case l.start < blankEnd || plain[l.start] == ' ': // something blank already
		case l.kind == number:
			overwrite(plain[l.start:l.end], plainNumber(t.of(l)))
		case t.opensAttributes(lexemes[k:]):
			end = t.attributesEnd(lexemes[k:])
		case l.kind == identifier && slices.Contains(staticAsserts, t.of(l)) && !t.definedAfter(t.of(l), 0):
			end = t.shortAssertEnd(lexemes[k:])
		}
		if end > 0 {
			blank(plain[l.start:end])
			blankEnd = end
		}
	}
	return plain
}

// everyLexeme are the lexemes of a text with those in its directives in their places.
func (t *text) everyLexeme() (all []lexeme) {
	for _, l := range t.lexemes {
		if l.kind != directive {
			all = append(all, l)
			continue
		}
		start := l.start + 1
		for _, inside := range scan(t.source[start:l.end]) {
			all = append(all, lexeme{inside.kind, start + inside.start, start + inside.end})
		}
	}
	return all
}

// overwrite puts a shorter text in the place of another one, with blanks behind it.
func overwrite(place []byte, by string) {
	copy(place, by+strings.Repeat(" ", max(0, len(place)-len(by))))
}

// sameConstants are the suffixes of constants that have the values of those with other ones.
var sameConstants = []struct{ suffix, same string }{{"f32x", ""}, {"f64x", "l"}, {"f32", "f"}, {"f64", ""}}

// plainNumber is a number without what the parser does not know of it.
func plainNumber(number string) string {
	number = strings.ReplaceAll(number, "'", "")
	lower := strings.ToLower(number)
	for _, s := range sameConstants {
		if strings.HasSuffix(lower, s.suffix) && !strings.HasPrefix(lower, "0x") {
			return number[:len(number)-len(s.suffix)] + s.same
		}
	}
	return number
}

// staticAsserts are the words of C for what has to hold when a file is compiled.
var staticAsserts = []string{"static_assert", "_Static_assert"}

// shortAssertEnd is the end of such a declaration with a condition and without a message; 0 for
// others.
func (t *text) shortAssertEnd(lexemes []lexeme) int {
	depth := 0
	for k, l := range lexemes {
		word := t.of(l)
		depth += depthOf(word, "(", ")")
		switch {
		case depth == 1 && word == "," || k > 0 && depth == 0 && word != ")" && word != ";":
			return 0
		case depth == 0 && word == ";":
			return l.end
		}
	}
	return 0
}

// opensAttributes says that lexemes begin with two brackets, as nothing but attributes does.
func (t *text) opensAttributes(lexemes []lexeme) bool {
	return len(lexemes) > 4 && t.of(lexemes[0]) == "[" && t.of(lexemes[1]) == "["
}

// attributesEnd is the end of attributes that say nothing of types and memory; 0 for others.
func (t *text) attributesEnd(lexemes []lexeme) int {
	depth := 0
	for k, l := range lexemes {
		word := t.of(l)
		depth += depthOf(word, "[", "]") + depthOf(word, "(", ")")
		isName := depth == 2 && l.kind == identifier && t.of(lexemes[k-1]) != ")"
		isPrefix := isName && k+1 < len(lexemes) && t.of(lexemes[k+1]) == ":"
		switch {
		case depth == 0:
			return l.end
		case isName && !isPrefix && !slices.Contains(idleAttributes, strings.Trim(word, "_")):
			return 0
		}
	}
	return 0
}

// idleAttributes are those that change no type, no value and no place in memory.
var idleAttributes = strings.Fields("deprecated fallthrough maybe_unused nodiscard noreturn Noreturn reproducible unsequenced " +
	"unused used pure const malloc hot cold noinline always_inline flatten nonnull returns_nonnull warn_unused_result nothrow leaf artificial " +
	"alloc_size alloc_align assume_aligned format likely unlikely target optimize no_sanitize visibility access")

// numberSuffixes are the letters that numbers of a text end with, in lower case.
func (t *text) numberSuffixes() map[string]bool {
	found := map[string]bool{}
	for _, l := range t.everyLexeme() {
		if l.kind == number {
			found[numberSuffix(t.of(l))] = true
		}
	}
	return found
}

// numberSuffix are the letters that a decimal number ends with, and digits behind these, in lower
// case.
func numberSuffix(number string) string {
	number = strings.ToLower(number)
	if strings.HasPrefix(number, "0x") || strings.HasPrefix(number, "0b") {
		return ""
	}
	for k := range number {
		isExponent := number[k] == 'e' && k+1 < len(number) && (isDigit(number[k+1]) || number[k+1] == '-' || number[k+1] == '+')
		if isNameStart(number[k]) && !isExponent {
			return number[k:]
		}
	}
	return ""
}

// constants changes those of carried types in a text for the parser into ones of the carriers.
func (c carriage) constants(plain []byte) {
	t := newText("", bytes.Clone(plain))
	for _, l := range t.everyLexeme() {
		if l.kind == number {
			overwrite(plain[l.start:l.end], c.constant(t.of(l)))
		}
	}
}

// constant is a constant of a carried type as one of its carrier; others are as they are.
func (c carriage) constant(number string) string {
	for k, by := range c.by {
		suffix := carriedTypes[k].suffix
		if suffix != "" && by.suffix != "" && numberSuffix(number) == suffix {
			return number[:len(number)-len(suffix)] + by.suffix
		}
	}
	return number
}

// written is a word of the parser's as the user's text has it.
func (c carriage) written(word string) string {
	if !isDigit((word + "x")[0]) && !strings.HasPrefix(word, ".") {
		for k, by := range c.by {
			if word == by.word {
				return carriedTypes[k].words[0]
			}
		}
		return word
	}
	for k, by := range c.by {
		if by.suffix != "" && numberSuffix(word) == by.suffix {
			return word[:len(word)-len(by.suffix)] + carriedTypes[k].suffix
		}
	}
	return word
}
