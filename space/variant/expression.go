package variant

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Expression is an integer computed from axes: a Number, an axis (Of), a Sum
// or a Product. An axis that is not active is left out of the sum or product
// it stands in; by itself it is zero.
type Expression interface {
	String() string
	// given is the expression with the axis of the fact replaced; neutral is
	// what an inactive axis stands for.
	given(f fact, neutral int64) Expression
	// bounds are limits between which the expression lies.
	bounds(r ranges, neutral int64) (low, high int64)
	// magnitude is at least the absolute value of the expression and of
	// everything met on the way to it.
	magnitude(r ranges) *big.Int
	eachAxis(use func(name string))
}

// span limits the integers of an axis; optional says that the axis has a
// condition.
type span struct {
	low, high int64
	optional  bool
}

// ranges are the spans of axes by name.
type ranges map[string]span

// Number is a constant.
type Number int64

// Of is the integer of the axis.
func Of(axis string) Expression { return term(axis) }

// Sum is the sum of the terms.
func Sum(terms ...Expression) Expression { return fold(operation{"+", 0}, terms) }

// Product is the product of the terms.
func Product(terms ...Expression) Expression { return fold(operation{"*", 1}, terms) }

func (n Number) String() string                    { return strconv.FormatInt(int64(n), 10) }
func (n Number) given(fact, int64) Expression      { return n }
func (n Number) bounds(ranges, int64) (_, _ int64) { return int64(n), int64(n) }
func (n Number) magnitude(ranges) *big.Int         { return magnitudeOf(int64(n), 1) }
func (n Number) eachAxis(func(string))             {}

// magnitudeOf is the largest absolute value of the numbers.
func magnitudeOf(numbers ...int64) *big.Int {
	most := new(big.Int)
	for _, n := range numbers {
		if size := new(big.Int).Abs(big.NewInt(n)); size.Cmp(most) > 0 {
			most = size
		}
	}
	return most
}

// term is an axis.
type term string

func (t term) String() string                 { return string(t) }
func (t term) eachAxis(use func(name string)) { use(string(t)) }

func (t term) given(f fact, neutral int64) Expression {
	switch {
	case f.axis != string(t):
		return t
	case !f.active:
		return Number(neutral)
	}
	return Number(f.value.number)
}

func (t term) bounds(r ranges, neutral int64) (low, high int64) {
	s := r[string(t)]
	if s.optional {
		return min(s.low, neutral), max(s.high, neutral)
	}
	return s.low, s.high
}

func (t term) magnitude(r ranges) *big.Int {
	return magnitudeOf(r[string(t)].low, r[string(t)].high, 1)
}

// operation is + or *, with its neutral element.
type operation struct {
	sign    string
	neutral int64
}

func (o operation) apply(a, b int64) int64 {
	if o.sign == "+" {
		return a + b
	}
	return a * b
}

// combination is a sum or product of terms.
type combination struct {
	operation
	terms []Expression
}

// fold puts the terms together, all numbers among them in one, which comes
// first. So expressions that stand for the same function are mostly written
// the same way.
func fold(o operation, terms []Expression) Expression {
	constant := o.neutral
	var rest []Expression
	for _, t := range terms {
		if n, isNumber := t.(Number); isNumber {
			constant = o.apply(constant, int64(n))
		} else {
			rest = append(rest, t)
		}
	}
	if len(rest) == 0 {
		return Number(constant)
	}
	if constant != o.neutral {
		rest = slices.Insert(rest, 0, Expression(Number(constant)))
	}
	return combination{o, rest}
}

func (c combination) String() string {
	texts := make([]string, len(c.terms))
	for i, t := range c.terms {
		texts[i] = t.String()
		if inner, nested := t.(combination); nested && c.sign == "*" && inner.sign == "+" {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	switch {
	case c.sign == "+":
		return strings.Join(texts, " + ")
	case len(texts) == 1: // which is 1, not 0, when its axis is not active
		return "1*" + texts[0]
	}
	return strings.Join(texts, "*")
}

func (c combination) given(f fact, _ int64) Expression {
	terms := make([]Expression, len(c.terms))
	for i, t := range c.terms {
		terms[i] = t.given(f, c.neutral)
	}
	return fold(c.operation, terms)
}

func (c combination) bounds(r ranges, _ int64) (low, high int64) {
	low, high = c.neutral, c.neutral
	for _, t := range c.terms {
		l, h := t.bounds(r, c.neutral)
		corners := []int64{c.apply(low, l), c.apply(low, h), c.apply(high, l), c.apply(high, h)}
		low, high = slices.Min(corners), slices.Max(corners)
	}
	return low, high
}

func (c combination) magnitude(r ranges) *big.Int {
	total := big.NewInt(1)
	for _, t := range c.terms {
		if m := t.magnitude(r); c.sign == "+" {
			total.Add(total, m)
		} else {
			total.Mul(total, m)
		}
	}
	return total
}

func (c combination) eachAxis(use func(name string)) {
	for _, t := range c.terms {
		t.eachAxis(use)
	}
}

// overflows says whether the expression could leave the integers of 64 bits.
func overflows(e Expression, r ranges) bool {
	return e.magnitude(r).Cmp(big.NewInt(math.MaxInt64)) > 0
}
