package frontend

import (
	"bytes"
	"sort"
	"strings"
)

// lexemeKind is the kind of a token of the unpreprocessed text.
type lexemeKind int

const (
	identifier lexemeKind = iota
	number
	quoted
	punctuation
	directive
)

// lexeme is a token of the text as the user wrote it. A directive is one
// lexeme that covers its whole logical line.
type lexeme struct {
	kind       lexemeKind
	start, end int
}

// text is the source of a file with its tokens before preprocessing. It is
// the authority on what the user wrote where.
type text struct {
	name    string
	source  []byte
	lexemes []lexeme
	lines   []int
	// before is the text in which macros have been written out at the edits, in order; nil where
	// this is the user's.
	before *text
	edits  []edit
}

func newText(name string, source []byte) *text {
	t := &text{name: name, source: source, lexemes: scan(source), lines: []int{0}}
	for i, c := range source {
		if c == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// position is the line and column of a byte offset in the user's text.
func (t *text) position(offset int) Position {
	t, offset = t.original(offset)
	line := sort.SearchInts(t.lines, offset+1)
	return Position{File: t.name, Line: line, Column: offset - t.lines[line-1] + 1}
}

func (t *text) of(l lexeme) string { return string(t.source[l.start:l.end]) }

// at is the index of the first lexeme that starts at offset or later.
func (t *text) at(offset int) int {
	return sort.Search(len(t.lexemes), func(i int) bool { return t.lexemes[i].start >= offset })
}

// between are the lexemes that start in the half-open range of offsets.
func (t *text) between(start, end int) []lexeme { return t.lexemes[t.at(start):t.at(end)] }

// lineStart is the offset of the first byte of the line around offset.
func (t *text) lineStart(offset int) int { return bytes.LastIndexByte(t.source[:offset], '\n') + 1 }

// lineEnd is the offset behind the newline of the line around offset.
func (t *text) lineEnd(offset int) int {
	if n := bytes.IndexByte(t.source[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(t.source)
}

// directiveWords are the first words of a directive, without the '#'.
func (t *text) directiveWords(l lexeme) []string {
	body := strings.TrimPrefix(t.of(l), "#")
	var words []string
	for _, w := range scan([]byte(body)) {
		words = append(words, body[w.start:w.end])
		if len(words) == 8 {
			break
		}
	}
	return words
}

// mentionsPragma says whether the text has that pragma, active or not.
func (t *text) mentionsPragma(name string) bool {
	for _, l := range t.lexemes {
		if l.kind == directive && t.isPragma(l, name) {
			return true
		}
	}
	return false
}

func (t *text) isPragma(l lexeme, name string) bool {
	words := t.directiveWords(l)
	return len(words) >= 2 && words[0] == "pragma" && words[1] == name
}

// withoutComments is a part of the text in which comments and continued lines
// are blank.
func (t *text) withoutComments(start, end int) []byte {
	plain := bytes.Repeat([]byte{' '}, end-start)
	for _, l := range scan(t.source[start:end]) {
		copy(plain[l.start:l.end], t.source[start+l.start:start+l.end])
	}
	return plain
}

// identifiers are all names in the text, those in directives included.
func (t *text) identifiers() map[string]bool {
	names := map[string]bool{}
	for _, l := range t.lexemes {
		switch l.kind {
		case identifier:
			names[t.of(l)] = true
		case directive:
			body := t.source[l.start+1 : l.end]
			for _, w := range scan(body) {
				if w.kind == identifier {
					names[string(body[w.start:w.end])] = true
				}
			}
		}
	}
	return names
}

// definedAfter says whether a directive behind offset defines or undefines
// the macro.
func (t *text) definedAfter(macro string, offset int) bool {
	for _, l := range t.lexemes[t.at(offset):] {
		if l.kind != directive {
			continue
		}
		words := t.directiveWords(l)
		if len(words) >= 2 && (words[0] == "define" || words[0] == "undef") && words[1] == macro {
			return true
		}
	}
	return false
}

// trimmedEnd is the end of the last lexeme that starts before limit,
// directives aside.
func (t *text) trimmedEnd(start, limit int) int {
	end := start
	for _, l := range t.between(start, limit) {
		if l.kind != directive {
			end = l.end
		}
	}
	return end
}
