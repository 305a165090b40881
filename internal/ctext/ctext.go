// Package ctext tells words from other text in C: what code that looks at
// statements' texts without parsing them has in common.
package ctext

import (
	"slices"
	"strings"
)

// Blank are the characters that separate tokens.
const Blank = " \t\r\n\v\f"

// IsDigit says whether a byte is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWordByte says whether a byte may be part of an identifier or a number
// without a point. Bytes of letters beyond ASCII are.
func IsWordByte(c byte) bool {
	return IsDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}

// WordAt is the word that begins at a place, "" when none does.
func WordAt(s string, i int) string {
	end := i
	for end < len(s) && IsWordByte(s[end]) {
		end++
	}
	return s[i:end]
}

// WithoutMacros is a text for a file's end with lines behind its first comment that take macros of the
// file away: those that are words of the template which the text is made of, and mean others there, and
// those that the text does not have, but headers may.
func WithoutMacros(macros []string, template, text string) string {
	comment, rest, _ := strings.Cut(text, "*/\n")
	own, all := Words(template), Words(text)
	for _, macro := range slices.Backward(macros) {
		if slices.Contains(own, macro) || !slices.Contains(all, macro) {
			rest = "#undef " + macro + "\n" + rest
		}
	}
	return comment + "*/\n" + rest
}

// Words are the identifiers and numbers of a text.
func Words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && !IsWordByte(byte(r)) })
}
