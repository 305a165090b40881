// Package shellwords writes words as a POSIX shell reads them, and reads them as it does.
package shellwords

import (
	"errors"
	"fmt"
	"strings"

	"polytune/internal/pattern"
)

// Line is a command as one types it in a shell.
func Line(args []string) string {
	words := make([]string, len(args))
	for i, word := range args {
		words[i] = Quoted(word)
	}
	return strings.Join(words, " ")
}

// Quoted is a word as a shell takes it.
func Quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plainWord is a word that a shell leaves as it is.
var plainWord = pattern.New(`^[\w@%+=:,./-]+$`)

// Split splits text into words as a POSIX shell does: blanks separate
// them, except in quotes and behind a backslash. Nothing is expanded.
func Split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inside, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'' || quote == '"' && !(c == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0):
			word.WriteByte(c)
		case c == '\\':
			if i++; i == len(text) {
				return nil, errors.New("a backslash ends the text, and there is nothing for it to quote")
			}
			word.WriteByte(text[i])
			inside = true
		case c == '\'' || c == '"':
			quote, inside = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inside {
				words = append(words, word.String())
				word.Reset()
			}
			inside = false
		default:
			word.WriteByte(c)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
