package device

import (
	"fmt"
	"strings"
)

// lines are lines of C, each as far to the right as it is deep.
type lines struct {
	written strings.Builder
	// indent stands in front of all lines.
	indent string
	depth  int
}

func (l *lines) line(format string, args ...any) {
	l.written.WriteString(l.indent + strings.Repeat("  ", l.depth) + fmt.Sprintf(format, args...) + "\n")
}

// inBraces writes code behind what stands in front of its braces.
func (l *lines) inBraces(header string, inside func() error) error {
	l.line("%s", strings.TrimSpace(header+" {"))
	l.depth++
	err := inside()
	l.depth--
	l.line("}")
	return err
}
