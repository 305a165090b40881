package codegen

import (
	"strconv"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop"
)

// statementText is the C text of one instance of a statement: its source
// with each use of an iterator replaced by the iterator's value there, of which there is one
// for each use.
//
// Loop variables of the generated code are long. In a subscript whose value the model knows and
// that is made of names, whole numbers, +, - and * alone, the value is put in as it is: every
// integer type gives the same element there, and in an argument that a macro puts into subscripts
// alone, in parentheses. Everywhere else it is converted back to the iterator's own type, so that
// divisions, conversions, calls, macros and sizeof see what they saw in the source.
func statementText(s *scop.Statement, values []text) string {
	return textBetween(s, values, 0, len(s.Source))
}

// StatementText is the text of a statement's instance with these values of its iterators, for C
// around which variables of loops are long.
func StatementText(program *scop.Program, s *scop.Statement, at []*loopir.Expr) string {
	p := newPrinter(program, nil)
	values := make([]*loopir.Expr, len(s.Uses))
	for k, use := range s.Uses {
		values[k] = at[use.Loop]
	}
	return strings.ReplaceAll(statementText(s, p.texts(values)), "\r\n", "\n")
}

// instance is the text of an instance of a statement.
func (p *expressions) instance(run *loopir.Run) string {
	s, values := run.Statement.Statement, p.texts(run.Values)
	code := statementText(s, values)
	if run.Accumulator != "" {
		code = textWithAccumulator(s, values, run.Accumulator)
	}
	if run.Atomic {
		code = textWithAtomics(s, values)
	}
	code, _ = textAlong(run.Along, code)
	return strings.ReplaceAll(code, "\r\n", "\n")
}

// isSimple says whether a statement's text is one line without a keyword
// that would bind an else, or braces of its own.
func isSimple(code string) bool {
	if strings.ContainsAny(code, "\n{}#") {
		return false
	}
	for _, word := range ctext.Words(code) {
		switch word {
		case "if", "else", "for", "while", "do", "switch":
			return false
		}
	}
	return strings.Count(code, ";") == 1
}

// textBetween is the part of the text that stands between two places of the
// source.
func textBetween(s *scop.Statement, values []text, start, end int) string {
	var b strings.Builder
	for k, use := range s.Uses {
		after := use.Offset + len(s.Loops[use.Loop].Iterator)
		if use.Offset < start || after > end {
			continue
		}
		b.WriteString(s.Source[start:use.Offset])
		b.WriteString(substitute(s, use, after, values[k]))
		start = after
	}
	b.WriteString(s.Source[start:end])
	return b.String()
}

// textWithAccumulator is the text of an instance of a reduction with another
// name for its accumulator.
func textWithAccumulator(s *scop.Statement, values []text, name string) string {
	var b strings.Builder
	start := 0
	for _, place := range s.Reduction.Places {
		b.WriteString(textBetween(s, values, start, place.Start) + name)
		start = place.End
	}
	b.WriteString(textBetween(s, values, start, len(s.Source)))
	return b.String()
}

// textWithAtomics is the text of an instance of a reduction each of whose updates is an atomic
// operation.
func textWithAtomics(s *scop.Statement, values []text) string {
	var b strings.Builder
	start := 0
	for _, place := range s.Reduction.Starts {
		before := textBetween(s, values, start, place)
		if b.WriteString(before); start > 0 || before != "" {
			b.WriteByte('\n')
		}
		b.WriteString(atomic)
		start = place
	}
	b.WriteString(textBetween(s, values, start, len(s.Source)))
	return b.String()
}

// substitute is what replaces a use of an iterator, which reaches up to end, by
// the iterator's value.
func substitute(s *scop.Statement, use scop.Use, end int, value text) string {
	if use.Argument {
		return value.within(primary)
	}
	left, right := strings.TrimRight(s.Source[:use.Offset], ctext.Blank), strings.TrimLeft(s.Source[end:], ctext.Blank)
	if !use.Subscript || !inPlainSubscript(s.Source, use.Offset) {
		return converted(left, right, s.Loops[use.Loop].Type, value)
	}
	before, after := lastByte(left), firstByte(right)
	switch {
	case value.binds == primary:
		return value.code
	case before == '[' && after == ']':
		return value.code
	case value.code[0] == '-' && before != '[' && before != '(':
		return "(" + value.code + ")"
	case strings.IndexByte("[(+", before) >= 0 && strings.IndexByte("])+-", after) >= 0 && value.binds >= additive:
		return value.code
	case before == '-' && strings.IndexByte("])+-", after) >= 0 && value.binds >= multiplicative:
		return value.code
	}
	return "(" + value.code + ")"
}

// converted is the value in the iterator's type, between the texts left and
// right. Constants that fit and parameters of type int are an int already.
func converted(left, right, iteratorType string, value text) string {
	if iteratorType == "" {
		iteratorType = "int"
	}
	isInt := value.width == narrow || value.width == literal && len(value.code) < len("2147483647")
	isLong := iteratorType == "long" && value.width == wide
	if isInt && iteratorType == "int" || isLong {
		return value.within(primary)
	}
	code := "(" + iteratorType + ") " + value.within(unary)
	if firstByte(right) == '[' || strings.HasSuffix(left, "sizeof") {
		return "(" + code + ")"
	}
	return code
}

// inPlainSubscript says whether the place is directly inside a pair of
// brackets whose text is made of names, whole numbers, +, -, *, / by a power of two and
// parentheses that are not those of a call or a cast. Inner subscripts do
// not matter.
func inPlainSubscript(source string, place int) bool {
	open, closing := enclosingBrackets(source, place)
	return open >= 0 && isPlain(source[open+1:closing])
}

// enclosingBrackets finds the innermost [ and ] around a place, or -1.
func enclosingBrackets(source string, place int) (open, closing int) {
	var stack []int
	for i := 0; i < len(source); i++ {
		i = afterQuoted(source, i)
		if i == len(source) {
			break
		}
		switch source[i] {
		case '[':
			stack = append(stack, i)
		case ']':
			if len(stack) == 0 {
				return -1, -1
			}
			open, stack = stack[len(stack)-1], stack[:len(stack)-1]
			if open < place && place < i {
				return open, i
			}
		}
	}
	return -1, -1
}

// afterQuoted is the first place from i on that is not in a string, a
// character or a comment.
func afterQuoted(source string, i int) int {
	for i < len(source) {
		switch rest := source[i:]; {
		case rest[0] == '"' || rest[0] == '\'':
			i = afterLiteral(source, i)
		case strings.HasPrefix(rest, "/*"):
			i = after(source, i+2, "*/")
		case strings.HasPrefix(rest, "//"):
			i = after(source, i, "\n")
		default:
			return i
		}
	}
	return len(source)
}

// after is the place behind the next occurrence of mark.
func after(source string, i int, mark string) int {
	if i > len(source) {
		return len(source)
	}
	n := strings.Index(source[i:], mark)
	if n < 0 {
		return len(source)
	}
	return i + n + len(mark)
}

// afterLiteral is the place behind the string or character that starts at i.
func afterLiteral(source string, i int) int {
	quote := source[i]
	for i++; i < len(source) && source[i] != quote; i++ {
		if source[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(source))
}

func isPlain(subscript string) bool {
	previous := byte('+')
	for i := 0; i < len(subscript); {
		c := subscript[i]
		switch {
		case strings.IndexByte(ctext.Blank, c) >= 0:
			i++
			continue
		case ctext.IsWordByte(c):
			word := ctext.WordAt(subscript, i)
			if previous == 'w' || previous == ')' || !isPlainWord(word) {
				return false
			}
			i, c = i+len(word), 'w'
		case c == '[':
			i, c = afterBrackets(subscript, i), 'w'
		case c == '(' && (previous == 'w' || previous == ')'):
			return false
		case strings.IndexByte("+-*().", c) >= 0 || c == '>' && previous == '-' || c == '/' && isPowerOfTwo(subscript[i+1:]):
			i++
		default:
			return false
		}
		previous = c
	}
	return true
}

// isPowerOfTwo says whether a text begins with a power of two as a whole number. Quotients by these
// are shifts, which vectors have for all integers: half resolution pictures took 1.6 times as long
// with iterators of type int in them.
func isPowerOfTwo(text string) bool {
	text = strings.TrimLeft(text, ctext.Blank)
	if text == "" || !ctext.IsDigit(text[0]) || text[0] == '0' {
		return false
	}
	value, err := strconv.ParseUint(ctext.WordAt(text, 0), 10, 31)
	return err == nil && value&(value-1) == 0
}

func afterBrackets(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

// isPlainWord accepts names and whole numbers without a suffix.
func isPlainWord(word string) bool {
	if word == "sizeof" {
		return false
	}
	if !ctext.IsDigit(word[0]) {
		return true
	}
	return strings.Trim(word, "0123456789") == ""
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}
