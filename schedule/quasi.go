package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// Quasi is a quasi-affine expression over the iterators of a statement: Row and all Parts.
type Quasi struct {
	Row   Row
	Parts []QuasiPart
}

// QuasiPart is Factor * floor(Row / Size).
type QuasiPart struct {
	Row          Row
	Size, Factor int64
}

// IsConstant says whether the expression is one number, and which.
func (q Quasi) IsConstant() (number int64, is bool) {
	return q.Row.Constant, len(q.Parts) == 0 && q.Row.IsConstant() && scop.IsZero(q.Row.Parameters)
}

// plus is the expression and a multiple of another one.
func (q Quasi) plus(o Quasi, factor int64) Quasi {
	sum := Quasi{Row: q.Row.Plus(o.Row, factor), Parts: slices.Clone(q.Parts)}
	for _, part := range o.Parts {
		part.Factor *= factor
		sum.Parts = append(sum.Parts, part)
	}
	return sum
}

// quotient is floor(q / size). That of a quotient is one of its row; of sums of them there is none.
func (q Quasi) quotient(size int64) (Quasi, error) {
	zero := Row{Iterators: make([]int64, len(q.Row.Iterators)), Parameters: make([]int64, len(q.Row.Parameters))}
	switch {
	case size < 1:
		return q, fmt.Errorf("%d is no number to divide by; it is 1 at least", size)
	case len(q.Parts) == 0:
		return Quasi{Row: zero, Parts: []QuasiPart{{q.Row, size, 1}}}, nil
	case len(q.Parts) == 1 && q.Parts[0].Factor == 1 && q.Row.Equal(zero) && q.Parts[0].Size <= MaxCount/size:
		return Quasi{Row: zero, Parts: []QuasiPart{{q.Parts[0].Row, q.Parts[0].Size * size, 1}}}, nil
	}
	return q, fmt.Errorf("quotients of sums of quotients are no values of loops")
}

// Text prints the expression over the given names.
func (q Quasi) Text(iterators, parameters []string) string {
	bracketed := func(row Row) string {
		text := row.Text(iterators, parameters)
		if strings.ContainsAny(text, " -") {
			return "(" + text + ")"
		}
		return text
	}
	if len(q.Parts) == 1 && q.Parts[0].Factor == -q.Parts[0].Size && q.Row.Equal(q.Parts[0].Row) {
		return fmt.Sprintf("%s mod %d", bracketed(q.Row), q.Parts[0].Size)
	}
	text := q.Row.Text(iterators, parameters)
	for k, part := range q.Parts {
		sign := " + "
		if part.Factor < 0 {
			sign, part.Factor = " - ", -part.Factor
		}
		if k == 0 && text == "0" {
			text, sign = "", strings.TrimPrefix(strings.TrimSpace(sign), "+")
		}
		if text += sign; part.Factor != 1 {
			text += fmt.Sprintf("%d*", part.Factor)
		}
		text += fmt.Sprintf("floor(%s/%d)", bracketed(part.Row), part.Size)
	}
	return text
}

// check refuses factors that rows may not have.
func (q Quasi) check() error {
	rows := []Row{q.Row}
	for _, part := range q.Parts {
		rows = append(rows, part.Row)
		if max(part.Factor, -part.Factor) > MaxCount || part.Size > MaxCount {
			return fmt.Errorf("a number there is larger than %d", int64(MaxCount))
		}
	}
	for _, row := range rows {
		for _, c := range slices.Concat(row.Iterators, row.Parameters) {
			if max(c, -c) > MaxFactor {
				return fmt.Errorf("%d is too large: a factor here is %d at most", c, MaxFactor)
			}
		}
	}
	return nil
}

// quasiParser reads quasi-affine expressions: sums of numbers, names, and their products with
// numbers, floor(e/n), floord(e, n), e mod n and e % n.
type quasiParser struct {
	rest                  string
	iterators, parameters []string
	depth                 int
}

// parseQuasi reads one expression.
func parseQuasi(text string, iterators, parameters []string) (Quasi, error) {
	p := &quasiParser{rest: text, iterators: iterators, parameters: parameters}
	q, err := p.sum()
	if err == nil && p.peek() != "" {
		err = fmt.Errorf("%q was not expected", p.peek())
	}
	if err == nil {
		err = q.check()
	}
	if err != nil {
		return q, fmt.Errorf("in %q: %w", strings.TrimSpace(text), err)
	}
	return q, nil
}

// peek is the next word, number or sign, "" at the end.
func (p *quasiParser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \t")
	if p.rest == "" {
		return ""
	}
	end := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	if end == 0 {
		end = len(p.rest) - len(strings.TrimLeft(p.rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))
	}
	return p.rest[:max(1, end)]
}

func (p *quasiParser) next() string {
	word := p.peek()
	p.rest = p.rest[len(word):]
	return word
}

func (p *quasiParser) accept(word string) bool {
	if p.peek() != word {
		return false
	}
	p.next()
	return true
}

func (p *quasiParser) expect(word string) error {
	if !p.accept(word) {
		return fmt.Errorf("%q is missing in front of %q", word, p.peek())
	}
	return nil
}

func (p *quasiParser) constant(number int64) Quasi {
	return Quasi{Row: Row{Iterators: make([]int64, len(p.iterators)), Parameters: make([]int64, len(p.parameters)), Constant: number}}
}

// mostNested bounds the brackets in each other.
const mostNested = 100

func (p *quasiParser) sum() (Quasi, error) {
	if p.depth++; p.depth > mostNested {
		return Quasi{}, fmt.Errorf("more than %d brackets are in each other", mostNested)
	}
	defer func() { p.depth-- }()
	all, sign := p.constant(0), int64(1)
	for p.peek() == "-" || p.peek() == "+" {
		if p.next() == "-" {
			sign = -sign
		}
	}
	for {
		term, err := p.term()
		if err != nil {
			return all, err
		}
		all = all.plus(term, sign)
		switch p.peek() {
		case "+":
			sign = 1
		case "-":
			sign = -1
		default:
			return all, nil
		}
		p.next()
	}
}

// term is a product of a number and a factor, in any order, or a remainder.
func (p *quasiParser) term() (Quasi, error) {
	q, err := p.factor()
	for err == nil {
		switch word := p.peek(); {
		case word == "mod" || word == "%":
			p.next()
			q, err = p.remainder(q)
		case word == "*":
			p.next()
			q, err = p.product(q)
		case word == "(" || isLetter(word):
			q, err = p.product(q)
		default:
			return q, nil
		}
	}
	return q, err
}

func isLetter(word string) bool {
	return word != "" && (word[0] == '_' || word[0] >= 'a' && word[0] <= 'z' || word[0] >= 'A' && word[0] <= 'Z')
}

func (p *quasiParser) product(q Quasi) (Quasi, error) {
	other, err := p.factor()
	if err != nil {
		return q, err
	}
	if number, is := q.IsConstant(); is {
		return p.constant(0).plus(other, number), nil
	}
	if number, is := other.IsConstant(); is {
		return p.constant(0).plus(q, number), nil
	}
	return q, fmt.Errorf("a product has a number on one side")
}

// remainder is q mod the number that comes next.
func (p *quasiParser) remainder(q Quasi) (Quasi, error) {
	size, err := p.number()
	if err != nil {
		return q, err
	}
	quotient, err := q.quotient(size)
	return q.plus(quotient, -size), err
}

func (p *quasiParser) number() (number int64, err error) {
	word := p.next()
	if _, err := fmt.Sscan(word, &number); err != nil || number > MaxCount {
		return 0, fmt.Errorf("%q is not a number up to %d", word, int64(MaxCount))
	}
	return number, nil
}

func (p *quasiParser) factor() (Quasi, error) {
	word := p.peek()
	switch {
	case word == "":
		return Quasi{}, fmt.Errorf("a term is missing")
	case word == "(":
		p.next()
		q, err := p.sum()
		if err != nil {
			return q, err
		}
		return q, p.expect(")")
	case word == "floor" || word == "floord":
		return p.floor()
	case word[0] >= '0' && word[0] <= '9':
		number, err := p.number()
		return p.constant(number), err
	case !isLetter(word):
		return Quasi{}, fmt.Errorf("%q was not expected", word)
	}
	p.next()
	q := p.constant(0)
	if k := slices.Index(p.iterators, word); k >= 0 {
		q.Row.Iterators[k] = 1
	} else if k := slices.Index(p.parameters, word); k >= 0 {
		q.Row.Parameters[k] = 1
	} else {
		return q, fmt.Errorf("%q is neither an iterator nor a parameter", word)
	}
	return q, nil
}

// floor reads floor(e/n) or floord(e, n).
func (p *quasiParser) floor() (Quasi, error) {
	between := map[string]string{"floor": "/", "floord": ","}[p.next()]
	if err := p.expect("("); err != nil {
		return Quasi{}, err
	}
	q, err := p.sum()
	if err != nil {
		return q, err
	}
	if err := p.expect(between); err != nil {
		return q, err
	}
	size, err := p.number()
	if err != nil {
		return q, err
	}
	if q, err = q.quotient(size); err != nil {
		return q, err
	}
	return q, p.expect(")")
}
