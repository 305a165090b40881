// Package ctext tells words from other text in C: what code that looks at
// statements' texts without parsing them has in common.
package ctext

import "strings"

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

// Words are the identifiers and numbers of a text.
func Words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && !IsWordByte(byte(r)) })
}
