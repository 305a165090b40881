package main

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	escape = 0x1b
	// longestSequence bounds control sequences; the beginning of a longer one is dropped.
	longestSequence = 4096
)

// style is how a letter looks: a colour from 1 to 16, or 0 for that of the window.
type style struct {
	colour      int
	bold, faint bool
}

// cell is one column of a line. A letter of two columns has an empty cell behind it.
type cell struct {
	text  string
	style style
}

// blank is a cell without a letter.
var blank = cell{text: " "}

// screen is a terminal. It keeps the lines that have left it at the top, which are in front of top.
type screen struct {
	columns, rows int
	lines         [][]cell
	top           int
	// row counts from the first line that there ever was. A column equal to columns says that
	// the next letter begins another line.
	row, column int
	style       style
	// rest is the beginning of a letter or a control sequence whose end is not there yet.
	rest []byte
}

// newScreen is an empty one.
func newScreen(columns, rows int) *screen {
	return &screen{columns: columns, rows: rows, lines: make([][]cell, 1)}
}

// write does what a terminal does with these bytes.
func (s *screen) write(text []byte) {
	text = append(s.rest, text...)
	s.rest = nil
	for len(text) > 0 {
		n := s.step(text)
		if n == 0 {
			s.rest = text
			return
		}
		text = text[n:]
	}
}

// step does what the first letter or sequence says and gives its length: 0 if its end is missing.
func (s *screen) step(text []byte) int {
	switch text[0] {
	case escape:
		n := sequenceLength(text)
		switch {
		case n == 0 && len(text) > longestSequence:
			return 1
		case n > 2 && text[1] == '[':
			s.control(string(text[2:n-1]), text[n-1])
		}
		return n
	case '\n':
		s.newLine()
	case '\r':
		s.column = 0
	case '\b':
		s.column = max(0, min(s.column, s.columns-1)-1)
	case '\t':
		s.column = min(s.column/8*8+8, s.columns-1)
	default:
		if !utf8.FullRune(text) {
			return 0
		}
		r, n := utf8.DecodeRune(text)
		if !unicode.IsControl(r) {
			s.put(r)
		}
		return n
	}
	return 1
}

// sequenceLength is the length of the control sequence in front: 0 if its end is missing.
func sequenceLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			switch c := text[i]; {
			case c >= 0x40 && c <= 0x7e:
				return i + 1
			case c < 0x20 || c > 0x7e: // no part of a sequence: what stands there is dropped
				return i
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X': // titles, links and other text that is not shown
		bell := bytes.IndexByte(text, 7)
		end := bytes.Index(text, []byte("\x1b\\"))
		switch {
		case bell >= 0 && (end < 0 || bell < end):
			return bell + 1
		case end >= 0:
			return end + 2
		}
		return 0
	case '(', ')', '#', '%':
		if len(text) < 3 {
			return 0
		}
		return 3
	}
	return 2
}

// control does what a sequence says whose last letter is kind. It leaves out what it does not know.
func (s *screen) control(parameters string, kind byte) {
	if strings.ContainsAny(parameters, "?<=>") {
		return
	}
	var numbers []int
	for _, word := range strings.Split(parameters, ";") {
		number, _ := strconv.Atoi(word)
		numbers = append(numbers, min(number, 1<<16))
	}
	first, count := numbers[0], max(1, numbers[0])
	switch kind {
	case 'A':
		s.moveTo(s.row-count, s.column)
	case 'B':
		s.moveTo(s.row+count, s.column)
	case 'C':
		s.moveTo(s.row, s.column+count)
	case 'D':
		s.moveTo(s.row, min(s.column, s.columns-1)-count)
	case 'G':
		s.moveTo(s.row, count-1)
	case 'H', 'f':
		column := 1
		if len(numbers) > 1 {
			column = max(1, numbers[1])
		}
		s.moveTo(s.top+count-1, column-1)
	case 'J':
		s.eraseScreen(first)
	case 'K':
		s.eraseLine(first)
	case 'm':
		s.style = s.style.changed(numbers)
	}
}

// moveTo puts the cursor there, or as near as the screen allows.
func (s *screen) moveTo(row, column int) {
	s.row = min(max(row, s.top), s.top+s.rows-1)
	s.column = min(max(column, 0), s.columns-1)
	s.extend()
}

// extend makes the cursor's line exist.
func (s *screen) extend() {
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, nil)
	}
}

// newLine goes one line down and keeps the column; terminals send a return with it.
func (s *screen) newLine() {
	s.row++
	s.top = max(s.top, s.row-s.rows+1)
	s.extend()
}

// eraseLine empties the line behind the cursor (0), up to it (1), or all of it (2).
func (s *screen) eraseLine(what int) {
	line := s.lines[s.row]
	switch what {
	case 0:
		end := min(s.column, s.columns-1)
		split(line, end)
		s.lines[s.row] = line[:min(len(line), end)]
	case 1:
		split(line, s.column+1)
		for i := 0; i < len(line) && i <= s.column; i++ {
			line[i] = blank
		}
	case 2:
		s.lines[s.row] = nil
	}
}

// eraseScreen empties the screen behind the cursor (0), up to it (1), or all of it (2).
func (s *screen) eraseScreen(what int) {
	from, to := s.top, len(s.lines)
	switch what {
	case 0:
		s.eraseLine(0)
		from = s.row + 1
	case 1:
		s.eraseLine(1)
		to = s.row
	}
	for i := from; i < to; i++ {
		s.lines[i] = nil
	}
}

// put writes a letter.
func (s *screen) put(r rune) {
	columns := width(r)
	if columns == 0 {
		s.join(r)
		return
	}
	if s.column+columns > s.columns {
		s.column = 0
		s.newLine()
	}
	line := s.lines[s.row]
	for len(line) < s.column+columns {
		line = append(line, blank)
	}
	split(line, s.column)
	split(line, s.column+columns)
	line[s.column] = cell{string(r), s.style}
	if columns == 2 {
		line[s.column+1] = cell{"", s.style}
	}
	s.lines[s.row] = line
	s.column += columns
}

// split makes blanks of a letter that is on both sides of that column.
func split(line []cell, at int) {
	if at > 0 && at < len(line) && line[at].text == "" {
		line[at-1], line[at] = blank, blank
	}
}

// join writes an accent at the letter in front of the cursor.
func (s *screen) join(accent rune) {
	line, at := s.lines[s.row], s.column-1
	if at > 0 && at < len(line) && line[at].text == "" {
		at--
	}
	if at >= 0 && at < len(line) {
		line[at].text += string(accent)
	}
}

// changed is the style after these numbers of a sequence.
func (y style) changed(numbers []int) style {
	for i := 0; i < len(numbers); i++ {
		switch n := numbers[i]; {
		case n == 0:
			y = style{}
		case n == 1:
			y.bold = true
		case n == 2:
			y.faint = true
		case n == 22:
			y.bold, y.faint = false, false
		case n >= 30 && n <= 37:
			y.colour = n - 30 + 1
		case n >= 90 && n <= 97:
			y.colour = n - 90 + 9
		case n == 39:
			y.colour = 0
		case (n == 38 || n == 48) && i+1 < len(numbers): // one of 256 colours, or of all
			skipped := 2
			if numbers[i+1] == 2 {
				skipped = 4
			}
			if n == 38 && numbers[i+1] == 5 && i+2 < len(numbers) && numbers[i+2] < 16 {
				y.colour = numbers[i+2] + 1
			}
			i += skipped
		}
	}
	return y
}
