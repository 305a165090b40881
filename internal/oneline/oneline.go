// Package oneline shortens messages to a line.
package oneline

import "strings"

// First is the first line of a text, without blanks around the text.
func First(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
