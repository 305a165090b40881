package main

import (
	"strings"
	"testing"
)

// shownLines are the lines of the screen, without blanks at their ends.
func shownLines(s *screen) []string {
	var lines []string
	for _, line := range s.lines[s.top:] {
		var b strings.Builder
		for _, c := range line {
			b.WriteString(c.text)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// TestScreen writes to a terminal of ten columns and four rows, at once and byte by byte.
func TestScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, written, want string }{
		{"nothing", "", ""},
		{"lines", "a\r\nb\r\n", "a|b"},
		{"a newline keeps the column", "ab\nc", "ab|  c"},
		{"a live line", "\rlong line\x1b[K\rshort\x1b[K", "short"},
		{"a live line that goes", "\rworking\x1b[K\r\x1b[Kdone\r\n", "done"},
		{"a return without erasing", "abcdef\rxy", "xycdef"},
		{"erase to the cursor", "abcdef\x1b[3D\x1b[1K", "    ef"},
		{"erase the line", "abcdef\x1b[2Kg", "      g"},
		{"erase at the last column", "0123456789\x1b[K", "012345678"},
		{"ten letters fill a line", "0123456789\r\nx", "0123456789|x"},
		{"the eleventh begins another", "0123456789a", "0123456789|a"},
		{"a long line", strings.Repeat("0123456789", 6) + "end", "0123456789|0123456789|0123456789|end"},
		{"scrolling", "1\r\n2\r\n3\r\n4\r\n5\r\n6", "3|4|5|6"},
		{"up, over lines above", "one\r\ntwo\r\n\x1b[2AONE\x1b[1B\rTWO", "ONE|TWO"},
		{"up no further than the screen", "1\r\n2\r\n3\r\n4\r\n5\x1b[99A\rX", "X|3|4|5"},
		{"down no further", "a\x1b[99B\rb", "a|||b"},
		{"columns", "\x1b[5Gx\x1b[99Gy\x1b[3D<\x1b[1C>", "    x < >y"},
		{"to a place", "\x1b[3;4Hx\x1b[Hy", "y||   x"},
		{"erase the screen, home", "a\r\nb\r\nc\x1b[H\x1b[Jd", "d"},
		{"erase behind", "a\r\nb\r\nc\x1b[2;1H\x1b[J", "a"},
		{"erase in front", "a\r\nb\r\nc\x1b[2;1H\x1b[1J", "||c"},
		{"erase all", "a\r\nb\x1b[2J", ""},
		{"back", "abc\b\bx", "axc"},
		{"back at the first column", "\b\bx", "x"},
		{"tabs", "a\tb\tc", "a       bc"},
		{"colours take no columns", "\x1b[1;31mred\x1b[0m \x1b[38;5;208mx\x1b[48;2;1;2;3my\x1b[m", "red xy"},
		{"titles and links are not shown", "\x1b]0;title\aa\x1b]8;;http://x\x1b\\b", "ab"},
		{"private modes, character sets, keys", "\x1b[?25l\x1b(B\x1b=a\x1b[?1049h", "a"},
		{"a sequence that breaks off", "\x1b[12\r\na", "|a"},
		{"other control characters", "a\x00\x07\x7f\u0085b", "ab"},
		{"letters of several bytes", "ä·…x", "ä·…x"},
		{"wide letters", "日本x", "日本x"},
		{"a wide letter does not fit", "012345678日", "012345678|日"},
		{"half of a wide letter", "日本\r\x1b[Cx", " x本"},
		{"over a wide letter", "日本\rx", "x 本"},
		{"erase half of a wide letter", "ab日c\x1b[2D\x1b[K", "ab"},
		{"erase up to half of one", "ab日c\x1b[3D\x1b[1K", "    c"},
		{"accents", "a\u0301b日\u0301", "a\u0301b日\u0301"},
		{"an accent in front of all", "\u0301a", "a"},
		{"no UTF-8", "a\xff\xfe\xc3(b", "a\ufffd\ufffd\ufffd(b"},
	} {
		whole, bytewise := newScreen(10, 4), newScreen(10, 4)
		whole.write([]byte(c.written))
		for i := range len(c.written) {
			bytewise.write([]byte{c.written[i]})
		}
		for _, s := range []*screen{whole, bytewise} {
			if got := strings.Join(shownLines(s), "|"); got != c.want {
				t.Errorf("%s: %q shows %q, not %q", c.name, c.written, got, c.want)
			}
		}
	}
}

// TestEndlessSequence writes a title that does not end: the terminal shows what is behind it again.
func TestEndlessSequence(t *testing.T) {
	t.Parallel()
	s := newScreen(10, 4)
	for range 2 * longestSequence {
		s.write([]byte("\x1b]"))
	}
	if len(s.rest) > longestSequence+2 {
		t.Errorf("%d bytes are kept", len(s.rest))
	}
}

// TestStyles checks how letters look after sequences of colours.
func TestStyles(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]style{
		"x":                              {},
		"\x1b[31mx":                      {colour: 2},
		"\x1b[1;92mx":                    {colour: 11, bold: true},
		"\x1b[2mx":                       {faint: true},
		"\x1b[1m\x1b[22;34mx":            {colour: 5},
		"\x1b[1;31m\x1b[mx":              {},
		"\x1b[31m\x1b[39mx":              {},
		"\x1b[38;5;3mx":                  {colour: 4},
		"\x1b[38;5;208mx":                {},
		"\x1b[38;2;1;31;1mx":             {},
		"\x1b[48;5;31mx":                 {},
		"\x1b[41;4;7mx":                  {},
		"\x1b[38mx":                      {},
		"\x1b[99999999999999999999;31mx": {colour: 2},
	} {
		s := newScreen(10, 4)
		s.write([]byte(written))
		if got := s.lines[0][0].style; got != want {
			t.Errorf("%q is %+v, not %+v", written, got, want)
		}
	}
}
