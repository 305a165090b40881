package editor

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// lineAt is where a line of a text begins and ends, without what ends it. Lines end as the protocol
// says: with \n, \r\n or \r. Behind the last one are none.
func lineAt(text []byte, number int) (start, end int) {
	for ; ; number-- {
		length := bytes.IndexAny(text[start:], "\r\n")
		if length < 0 {
			return start, len(text)
		}
		end = start + length
		if number <= 0 {
			return start, end
		}
		start = end + 1
		if text[end] == '\r' && start < len(text) && text[start] == '\n' {
			start++
		}
	}
}

// units is how many units of UTF-16 a character takes.
func units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// offsetOf is the place in a text of a position; those behind a line's end mean the end.
func offsetOf(text []byte, p position) int {
	at, end := lineAt(text, p.Line)
	for left := p.Character; left > 0 && at < end; {
		r, size := utf8.DecodeRune(text[at:end])
		at, left = at+size, left-units(r)
	}
	return at
}

// positionOf is the position of a place in a text.
func positionOf(text []byte, offset int) (p position) {
	offset = max(0, min(offset, len(text)))
	start := 0
	for {
		length := bytes.IndexAny(text[start:offset], "\r\n")
		if length < 0 {
			break
		}
		next := start + length + 1
		if text[next-1] == '\r' && next < len(text) && text[next] == '\n' {
			if next >= offset {
				break
			}
			next++
		}
		start, p.Line = next, p.Line+1
	}
	for rest := text[start:offset]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest, p.Character = rest[size:], p.Character+units(r)
	}
	return p
}

// spanOf is what stands between two places of a text.
func spanOf(text []byte, start, end int) span {
	return span{positionOf(text, start), positionOf(text, max(start, end))}
}

// wordEnd is the end of the word that begins at a place, or of the character there.
func wordEnd(text []byte, at int) int {
	end := at
	for end < len(text) {
		r, size := utf8.DecodeRune(text[end:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end += size
	}
	if end == at && at < len(text) && text[at] != '\n' && text[at] != '\r' {
		_, size := utf8.DecodeRune(text[at:])
		end += size
	}
	return end
}
