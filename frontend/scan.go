package frontend

import "bytes"

// scan splits C text into lexemes. White space, comments and line
// continuations are skipped; unterminated comments and strings end with the
// text and the line.
func scan(source []byte) []lexeme {
	s := scanner{source: source, lineStart: true}
	for s.offset < len(source) {
		s.next()
	}
	return s.lexemes
}

type scanner struct {
	source    []byte
	offset    int
	lineStart bool
	lexemes   []lexeme
}

func (s *scanner) next() {
	c := s.source[s.offset]
	switch {
	case c == '\n':
		s.lineStart = true
		s.offset++
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		s.offset++
	case c == '\\' && s.continuation(s.offset) > 0:
		s.offset += s.continuation(s.offset)
	case s.has("//"), s.has("/*"):
		s.offset = s.commentEnd(s.offset)
	case c == '#' && s.lineStart:
		s.emit(directive, s.directiveEnd())
		s.lineStart = true
	default:
		s.token(c)
		s.lineStart = false
	}
}

func (s *scanner) token(c byte) {
	switch {
	case isNameStart(c):
		s.emit(identifier, s.while(s.offset, isNamePart))
	case isDigit(c) || c == '.' && s.offset+1 < len(s.source) && isDigit(s.source[s.offset+1]):
		s.emit(number, s.numberEnd())
	case c == '"' || c == '\'':
		s.emit(quoted, s.quoteEnd(s.offset))
	case s.has("->"):
		s.emit(punctuation, s.offset+2)
	default:
		s.emit(punctuation, s.offset+1)
	}
}

func (s *scanner) emit(kind lexemeKind, end int) {
	s.lexemes = append(s.lexemes, lexeme{kind, s.offset, end})
	s.offset = end
}

func (s *scanner) has(prefix string) bool {
	return bytes.HasPrefix(s.source[s.offset:], []byte(prefix))
}

// continuation is the length of a backslash-newline at offset, or 0.
func (s *scanner) continuation(offset int) int {
	rest := s.source[offset:]
	switch {
	case bytes.HasPrefix(rest, []byte("\\\n")):
		return 2
	case bytes.HasPrefix(rest, []byte("\\\r\n")):
		return 3
	}
	return 0
}

func (s *scanner) while(offset int, accept func(byte) bool) int {
	for offset < len(s.source) && accept(s.source[offset]) {
		offset++
	}
	return offset
}

// numberEnd follows the grammar of preprocessing numbers, with the separators of digits of C23.
func (s *scanner) numberEnd() int {
	offset := s.offset
	for offset < len(s.source) {
		c := s.source[offset]
		sign := (c == '+' || c == '-') && bytes.IndexByte([]byte("eEpP"), s.source[max(offset-1, 0)]) >= 0
		separator := c == '\'' && offset+1 < len(s.source) && isNamePart(s.source[offset+1]) && isNamePart(s.source[offset-1])
		if !isNamePart(c) && c != '.' && !sign && !separator {
			break
		}
		offset++
	}
	return offset
}

func (s *scanner) quoteEnd(offset int) int {
	quote := s.source[offset]
	for offset++; offset < len(s.source); offset++ {
		switch s.source[offset] {
		case '\\':
			offset++
		case '\n':
			return offset
		case quote:
			return offset + 1
		}
	}
	return len(s.source)
}

func (s *scanner) commentEnd(offset int) int {
	if s.source[offset+1] == '*' {
		if n := bytes.Index(s.source[offset+2:], []byte("*/")); n >= 0 {
			return offset + n + 4
		}
		return len(s.source)
	}
	return s.logicalLineEnd(offset)
}

// logicalLineEnd is the offset of the newline that ends the line, where
// continued lines count as one.
func (s *scanner) logicalLineEnd(offset int) int {
	for offset < len(s.source) && s.source[offset] != '\n' {
		offset += max(s.continuation(offset), 1)
	}
	return min(offset, len(s.source))
}

func (s *scanner) directiveEnd() int {
	offset := s.offset
	for offset < len(s.source) && s.source[offset] != '\n' {
		rest := s.source[offset:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")), bytes.HasPrefix(rest, []byte("//")):
			offset = s.commentEnd(offset)
		case rest[0] == '"':
			offset = s.quoteEnd(offset)
		default:
			offset += max(s.continuation(offset), 1)
		}
	}
	return min(offset, len(s.source))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }
