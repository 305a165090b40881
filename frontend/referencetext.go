package frontend

import (
	"bytes"
	"strings"

	"polytune/internal/ctext"
)

// ReferenceAt is the text of the file, as the user wrote it, that refers to an element from the
// name at a place on, with line and column from 1: the name, its subscripts and members, as in
// p->row[i][j].x, or a macro with its arguments. It is "" where no name begins there.
func (f *File) ReferenceAt(line, column int) string {
	lines := bytes.SplitAfter(f.Original, []byte("\n"))
	if line < 1 || line > len(lines) || column < 1 || column > len(lines[line-1]) {
		return ""
	}
	rest := string(bytes.Join(lines[line-1:], nil)[column-1:])
	if !ctext.IsWordByte(rest[0]) || ctext.IsDigit(rest[0]) {
		return ""
	}
	end := len(ctext.WordAt(rest, 0))
	for {
		next := partEnd(rest, end)
		if next == end {
			return strings.Join(strings.Fields(rest[:end]), " ")
		}
		end = next
	}
}

// partEnd is the end of the subscript, the member or the arguments that come at a place of a text,
// or the place where none do.
func partEnd(text string, at int) int {
	from := at
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	rest := text[from:]
	member := max(len(rest)-len(strings.TrimPrefix(rest, "->")), len(rest)-len(strings.TrimPrefix(rest, ".")))
	switch {
	case rest == "":
		return at
	case rest[0] == '[' || rest[0] == '(' && from == at:
		if size := bracketed(rest); size > 0 {
			return from + size
		}
	case member > 0 && member < len(rest) && ctext.IsWordByte(rest[member]) && !ctext.IsDigit(rest[member]):
		return from + member + len(ctext.WordAt(rest, member))
	}
	return at
}

// bracketed is the length of a text that begins with a bracket up to the one that closes it; 0
// where none does.
func bracketed(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ';', '{':
			return 0
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 0
}
