package profile

import (
	"strings"
	"text/scanner"
)

// operations is the number of + - * / in C text outside of subscripts: those
// of an assignment such as += count, signs, casts and pointers do not.
func operations(source string) int {
	var s scanner.Scanner
	s.Init(strings.NewReader(source))
	s.Mode = scanner.ScanIdents | scanner.ScanFloats | scanner.ScanChars | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	s.Error = func(*scanner.Scanner, string) {}
	c := counter{}
	for token := s.Scan(); token != scanner.EOF; token = s.Scan() {
		c.next(token, s.TokenText(), s.Peek())
	}
	return c.count
}

// counter reads tokens.
type counter struct {
	count, subscripts int
	// operand says that the last token ends one: what follows is binary.
	operand bool
	// skip says that the next token belongs to an operator that was counted.
	skip bool
	// casts are, for each open parenthesis, whether it has had names of types
	// only.
	casts []bool
}

// arithmetic are the words that a cast is made of.
var arithmetic = map[string]bool{"char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "unsigned": true, "const": true, "*": true, "size_t": true}

func (c *counter) next(token rune, text string, following rune) {
	if c.skip {
		c.skip = false
		return
	}
	if n := len(c.casts); n > 0 && token != ')' {
		c.casts[n-1] = c.casts[n-1] && arithmetic[text]
	}
	switch token {
	case '[':
		c.subscripts++
		c.operand = false
	case ']':
		c.subscripts--
		c.operand = true
	case '(':
		c.casts = append(c.casts, true)
		c.operand = false
	case ')':
		c.closing()
	case '+', '-', '*', '/':
		c.operator(token, following)
	default:
		c.operand = token < 0
	}
}

// closing is behind an operand unless the parentheses are a cast.
func (c *counter) closing() {
	c.operand = true
	if n := len(c.casts); n > 0 {
		c.operand = !c.casts[n-1]
		c.casts = c.casts[:n-1]
	}
}

// operator counts a binary operator; ++ and -- count one, and -> is none.
func (c *counter) operator(token, following rune) {
	switch {
	case token == '-' && following == '>':
		c.skip, c.operand = true, false
		return
	case following == token && (token == '+' || token == '-'):
		c.skip = true
		c.add()
		return
	case c.operand:
		c.add()
	}
	c.operand = false
}

func (c *counter) add() {
	if c.subscripts == 0 {
		c.count++
	}
}
