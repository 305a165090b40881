package openscop

import (
	"fmt"
	"strconv"
	"strings"
)

// Error is why a file is no OpenScop file, and where.
type Error struct {
	// Line is from 1.
	Line   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// line is one with something in it that is no comment.
type line struct {
	number int
	text   string
}

// lines reads the lines of a file.
type lines struct {
	rest []line
	// last is the number of the line that was read last.
	last int
	// count is the number of all lines.
	count int
}

func newLines(text string) *lines {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	l := &lines{count: len(all)}
	for k, raw := range all {
		before, _, _ := strings.Cut(raw, "#")
		if before = strings.TrimSpace(before); before != "" {
			l.rest = append(l.rest, line{k + 1, before})
		}
	}
	return l
}

// failed is an error at the line that was read last.
func (l *lines) failed(format string, args ...any) error {
	return &Error{l.last, fmt.Sprintf(format, args...)}
}

// peek is the next line, "" at the end.
func (l *lines) peek() string {
	if len(l.rest) == 0 {
		return ""
	}
	return l.rest[0].text
}

// next reads a line; what says what is expected there.
func (l *lines) next(what string) (string, error) {
	if len(l.rest) == 0 {
		l.last = l.count
		return "", l.failed("the file ends where %s is expected", what)
	}
	read := l.rest[0]
	l.rest, l.last = l.rest[1:], read.number
	return read.text, nil
}

// number reads a line with one number from 0 to most.
func (l *lines) number(what string, most int) (int, error) {
	text, err := l.next(what)
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 0 || number > most {
		return 0, l.failed("%q is not %s, a number from 0 to %d", shortened(text), what, most)
	}
	return number, nil
}

// numbers reads a line with so many numbers.
func (l *lines) numbers(what string, count int) ([]int64, error) {
	text, err := l.next(what)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(text)
	if len(words) != count {
		return nil, l.failed("%s has %d numbers here, not %d", what, len(words), count)
	}
	values := make([]int64, count)
	for k, word := range words {
		if values[k], err = strconv.ParseInt(word, 10, 64); err != nil || values[k] > mostFactor || values[k] < -mostFactor {
			return nil, l.failed("%q is not a number from %d to %d", shortened(word), -mostFactor, mostFactor)
		}
	}
	return values, nil
}

// mostFactor bounds numbers, so that sums of products stay small.
const mostFactor = 1 << 40

// names reads names between <strings> and </strings>.
func (l *lines) names(what string) (names []string, err error) {
	text, err := l.next(what)
	if err == nil && text != "<strings>" {
		err = l.failed("%q is not <strings>, between which and </strings> %s stand", shortened(text), what)
	}
	for err == nil {
		if text, err = l.next("</strings>"); text == "</strings>" {
			return names, nil
		}
		names = append(names, strings.Fields(text)...)
	}
	return nil, err
}

// shortened is text that is no longer than people read.
func shortened(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
