package frontend

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Position is a place in a source file. Lines and columns count from 1;
// columns count bytes. A zero Line means the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String is file:line:col, as compilers write it.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// OffsetIn is the position's place in its file's text, in bytes; the end for one behind it.
func (p Position) OffsetIn(text []byte) int {
	offset := 0
	for range p.Line - 1 {
		length := bytes.IndexByte(text[offset:], '\n')
		if length < 0 {
			break
		}
		offset += length + 1
	}
	return min(offset+max(p.Column-1, 0), len(text))
}

// Error is one thing that keeps a file from being modelled.
type Error struct {
	Position
	// Construct names the C construct, such as "goto" or "subscript".
	Construct string
	// Message says what is wrong.
	Message string
	// Advice says what would be accepted.
	Advice string
}

// Error is "file:line:col: what; what would be accepted".
func (e *Error) Error() string {
	text := e.Position.String() + ": " + e.Message
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// ErrorList is several errors of one file, sorted by position.
type ErrorList []*Error

// Error is one line per error.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As and errors.Is access to each error.
func (l ErrorList) Unwrap() []error {
	all := make([]error, len(l))
	for i, e := range l {
		all[i] = e
	}
	return all
}

// NoRegionError says that a file has nothing to tune.
type NoRegionError struct {
	File string
	// Inactive says that the file does have a #pragma scop, but the
	// preprocessor skips it.
	Inactive bool
}

// Error says what to add to the file.
func (e *NoRegionError) Error() string {
	if e.Inactive {
		return e.File + ": every #pragma scop is switched off by the preprocessor; define the macros that its #if asks for"
	}
	return fmt.Sprintf("%[1]s: no #pragma scop; tune scan %[1]s lists its loop nests and, with --write, marks those that can be tuned", e.File)
}

// sorted is the list in the order of positions, with one error a place.
func (l ErrorList) sorted() ErrorList {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i].Position, l[j].Position
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	var kept ErrorList
	for _, e := range l {
		if len(kept) == 0 || kept[len(kept)-1].Position != e.Position {
			kept = append(kept, e)
		}
	}
	return kept
}

// asError is nil for an empty list, so that a nil error stays nil.
func (l ErrorList) asError() error {
	if len(l) == 0 {
		return nil
	}
	return l.sorted()
}

func (l *ErrorList) add(err error) {
	var one *Error
	var many ErrorList
	switch {
	case errors.As(err, &many):
		*l = append(*l, many...)
	case errors.As(err, &one):
		*l = append(*l, one)
	}
}
