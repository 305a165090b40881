package algorithm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// token is a number, a name or an operator of a text.
var token = regexp.MustCompile(`^\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\w*|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[^\s])`)

// levels are the operators with two operands, those that bind least first; "and" and "or" stand for
// && and ||.
var levels = [][]string{
	{"||", "or"}, {"&&", "and"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

// words are those that stand for operators.
var words = map[string]string{"or": "||", "and": "&&", "not": "!"}

// types are those that a text casts to by float32(x), and C's names of two of them.
var types = map[string]Type{"float": Float32, "double": Float64}

func init() {
	for _, t := range []Type{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float32, Float64, Bool} {
		types[string(t)] = t
	}
}

// deepest bounds how deep expressions of a text stand inside each other.
const deepest = 200

// parser reads expressions. problem is the first thing that is wrong, or "". nesting counts the
// parentheses around the place, operators all that have been read.
type parser struct {
	rest, problem              string
	length, nesting, operators int
}

// mostOperators bounds how many operators a text has.
const mostOperators = 20000

func newParser(text string) *parser { return &parser{rest: text, length: len(text)} }

// place is that of the next token, in bytes from 1.
func (p *parser) place() int {
	return p.length - len(strings.TrimLeft(p.rest, " \t\r\n")) + 1
}

// next is the next token, "" at the end.
func (p *parser) next() string {
	if m := token.FindStringSubmatch(p.rest); m != nil {
		return m[1]
	}
	return ""
}

func (p *parser) advance() string {
	m := token.FindStringSubmatch(p.rest)
	if m == nil {
		return ""
	}
	p.rest = p.rest[len(m[0]):]
	return m[1]
}

func (p *parser) take(text string) bool {
	if p.next() != text {
		return false
	}
	p.advance()
	return true
}

// word takes a name, or is "".
func (p *parser) word() string {
	if isName(p.next()) {
		return p.advance()
	}
	return ""
}

func isName(text string) bool {
	return text != "" && (text[0] == '_' || text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z')
}

func (p *parser) fail(format string, arguments ...any) Expr {
	if p.problem == "" {
		p.problem = fmt.Sprintf(format, arguments...)
	}
	return Expr{Op: OpProblem, Text: p.problem}
}

// advice is what to write in the place of C's operators that are none here, by their first sign.
var advice = map[string]string{
	"[": "; subscripts stand in parentheses, a(i, j)",
	"?": "; write select(condition, then, otherwise)",
	"=": "; equal is ==, and what is computed is an Update's value",
	"+": "; there is no ++",
	".": "; there are no members",
}

// finished is what is wrong with the text, where there has to be nothing more.
func (p *parser) finished(text string) string {
	if p.problem == "" && p.next() != "" {
		p.problem = fmt.Sprintf("%q is not expected%s", strings.TrimSpace(p.rest), advice[p.next()])
	}
	if p.problem == "" {
		return ""
	}
	return fmt.Sprintf("%s, in %q", p.problem, text)
}

// expression reads operators of a level, and those that bind more.
func (p *parser) expression(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	start := p.place()
	left := p.expression(level + 1)
	for n := 0; p.problem == "" && slices.Contains(levels[level], p.next()); n++ {
		op := p.advance()
		if level == comparisons && n > 0 {
			return p.fail("comparisons do not chain: write a %s b and b %s c", op, op)
		}
		if word, is := words[op]; is {
			op = word
		}
		left = Expr{Op: op, Args: []Expr{left, p.expression(level + 1)}, At: start}
		if p.operators++; p.operators > mostOperators {
			return p.fail("the expression is too long")
		}
	}
	return left
}

func (p *parser) unary() Expr {
	start := p.place()
	switch op := p.next(); op {
	case "-", "!", "~", "not":
		p.advance()
		if p.operators++; p.operators > mostOperators {
			return p.fail("the expression is too long")
		}
		if word, is := words[op]; is {
			op = word
		}
		return Expr{Op: op, Args: []Expr{p.unary()}, At: start}
	case "+":
		p.advance()
		return p.unary()
	}
	return p.primary()
}

func (p *parser) primary() Expr {
	t, start := p.next(), p.place()
	switch {
	case t == "":
		return p.fail("the text ends where an operand has to stand")
	case t == "(":
		p.advance()
		e := p.inside()
		if !p.take(")") {
			return p.fail("a closing parenthesis is missing before %q", p.rest)
		}
		return e
	case t[0] >= '0' && t[0] <= '9' || t[0] == '.':
		p.advance()
		if !isNumber.MatchString(t) {
			return p.fail("%q is no number", t)
		}
		return Expr{Op: OpNumber, Text: t, At: start}
	case !isName(t):
		return p.fail("%q stands where an operand has to", t)
	}
	p.advance()
	if p.next() != "(" {
		return Expr{Op: OpName, Text: t, At: start}
	}
	e := p.call(t)
	e.At = start
	return e
}

// inside reads an expression in parentheses, no deeper than what may be.
func (p *parser) inside() Expr {
	if p.nesting++; p.nesting > deepest {
		return p.fail("parentheses stand inside each other more than %d times", deepest)
	}
	e := p.expression(0)
	p.nesting--
	return e
}

// isNumber are the numbers of C: integers in decimal, with the suffixes of long and unsigned, and
// floating-point numbers, with that of float.
var isNumber = regexp.MustCompile(`^(?:\d+[uU]?[lL]?[lL]?|(?:\d+\.\d*|\.\d+|\d+[eE][+-]?\d+)(?:[eE][+-]?\d+)?[fF]?)$`)

// call reads the arguments of a function, a value or a cast.
func (p *parser) call(name string) Expr {
	p.advance()
	arguments := []Expr{}
	for !p.take(")") {
		arguments = append(arguments, p.inside())
		if p.problem != "" {
			return p.fail("")
		}
		if !p.take(",") && p.next() != ")" {
			return p.fail("a comma or a closing parenthesis is missing behind the arguments of %s", name)
		}
	}
	if t, is := types[name]; is {
		if len(arguments) != 1 {
			return p.fail("%s takes one value", name)
		}
		return Expr{Op: OpCast, Text: string(t), Args: arguments}
	}
	if name == OpSelect {
		if len(arguments) != 3 {
			return p.fail("select takes a condition and two values")
		}
		return Expr{Op: OpSelect, Args: arguments}
	}
	return Expr{Op: OpCall, Text: name, Args: arguments}
}
