package codegen

import (
	"polytune/internal/ctext"
	"strings"
)

// comment is the header as the lines of a comment of C.
func comment(header string) []string {
	header = strings.TrimSpace(strings.ReplaceAll(header, "\r", ""))
	if header == "" {
		return nil
	}
	for strings.Contains(header, "*/") || strings.Contains(header, "/*") {
		header = strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(header)
	}
	lines := []string{"/*"}
	for _, l := range strings.Split(header, "\n") {
		lines = append(lines, strings.TrimRight(" * "+l, ctext.Blank))
	}
	return append(lines, " */")
}

// Comment is a text as a comment of C, whole lines; "" for none.
func Comment(text string, indent string) string {
	var b strings.Builder
	for _, l := range comment(text) {
		b.WriteString(indent + l + "\n")
	}
	return b.String()
}
