package scop

import (
	"strings"
	"unicode"
)

// Reference is how a reference of a statement is called where several to one array are told apart:
// the array's name and the subscripts, sums of multiples of the statement's iterators and the
// parameters, without blanks, as A[i-1][k]; "" where the subscripts are none.
func (p *Program) Reference(s *StatementModel, access int) string {
	rows, err := Subscripts(s.Accesses[access])
	if rows == nil || err != nil {
		return ""
	}
	text, iterators := s.Statement.Accesses[access].Array, p.IteratorNames(s.Index)
	for _, row := range rows {
		text += "[" + strings.ReplaceAll(row.Text(iterators, p.Parameters), " ", "") + "]"
	}
	return text
}

// Written is a reference of a statement as the source has it, A[i - 1][k]; as Reference calls it, or
// the array's name, where the text stands for something else, such as a macro.
func (p *Program) Written(s *StatementModel, access int) string {
	a := s.Statement.Accesses[access]
	array := p.Array(a.Array)
	text := s.Statement.behind(a.Line, a.Column)
	if array != nil && text != "" {
		if name := wordAt(text); name != "" && (name == array.InTexts() || name == array.Name) {
			return strings.Join(strings.Fields(text[:referenceEnd(text)]), " ")
		}
	}
	if text := p.Reference(s, access); text != "" {
		return text
	}
	return a.Array
}

// behind is the statement's text from a place in the file on; "" where the place is not in it.
func (s *Statement) behind(line, column int) string {
	text := s.Source
	for range line - s.Line {
		_, rest, more := strings.Cut(text, "\n")
		if !more {
			return ""
		}
		text = rest
	}
	offset := column - 1
	if line == s.Line {
		offset = column - s.Column
	}
	if line < s.Line || offset < 0 || offset >= len(text) {
		return ""
	}
	return text[offset:]
}

// wordAt is the name that a text begins with.
func wordAt(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// referenceEnd is where the reference ends that a text begins with: a name, subscripts, and members.
func referenceEnd(text string) int {
	end := len(wordAt(text))
	for {
		rest := text[end:]
		next := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
		switch rest = rest[next:]; {
		case strings.HasPrefix(rest, "["):
			closed := closing(rest)
			if closed < 0 {
				return end
			}
			end += next + closed + 1
		case strings.HasPrefix(rest, "."):
			end += next + 1 + len(wordAt(rest[1:]))
		case strings.HasPrefix(rest, "->"):
			end += next + 2 + len(wordAt(rest[2:]))
		default:
			return end
		}
	}
}

// closing is the place of the bracket that closes the one a text begins with, -1 where none does.
func closing(text string) int {
	open := 0
	for k, r := range text {
		switch r {
		case '[':
			open++
		case ']':
			if open--; open == 0 {
				return k
			}
		}
	}
	return -1
}
