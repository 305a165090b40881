package frontend

import (
	"fmt"
	"math"
	"strings"

	"polytune/internal/integer"
)

// linear is an integer linear form: a constant and coefficients of terms. A
// term is an iterator, a parameter, or a quotient or remainder of another
// linear form, written in isl's syntax.
type linear struct {
	terms    []term
	constant int64
}

type term struct {
	coefficient int64
	text        string
	// variables are the iterators and parameters the term depends on.
	variables []string
}

// maxCoefficient keeps all sums and products of two coefficients inside 64
// bits.
const maxCoefficient = math.MaxInt32 * 1024

func constantForm(value int64) linear { return linear{constant: value} }

func variableForm(name string) linear {
	return linear{terms: []term{{1, name, []string{name}}}}
}

// isConstant says that the form has no terms.
func (l linear) isConstant() bool { return len(l.terms) == 0 }

// coefficient is the factor of the term with that text.
func (l linear) coefficient(text string) int64 {
	for _, t := range l.terms {
		if t.text == text {
			return t.coefficient
		}
	}
	return 0
}

// without is the form with that term removed.
func (l linear) without(text string) linear {
	rest := linear{constant: l.constant}
	for _, t := range l.terms {
		if t.text != text {
			rest.terms = append(rest.terms, t)
		}
	}
	return rest
}

// dependsOn says whether the value changes with the variable.
func (l linear) dependsOn(name string) bool {
	for _, t := range l.terms {
		for _, v := range t.variables {
			if v == name {
				return true
			}
		}
	}
	return false
}

// variables are the names the form depends on.
func (l linear) variables() []string {
	var names []string
	for _, t := range l.terms {
		names = append(names, t.variables...)
	}
	return names
}

// plus is l + factor·m.
func (l linear) plus(m linear, factor int64) linear {
	sum := linear{constant: l.constant + factor*m.constant}
	for _, t := range l.terms {
		t.coefficient += factor * m.coefficient(t.text)
		if t.coefficient != 0 {
			sum.terms = append(sum.terms, t)
		}
	}
	for _, t := range m.terms {
		if l.coefficient(t.text) == 0 {
			t.coefficient *= factor
			if t.coefficient != 0 {
				sum.terms = append(sum.terms, t)
			}
		}
	}
	return sum
}

// times is factor·l.
func (l linear) times(factor int64) linear { return linear{}.plus(l, factor) }

// tooLarge says that the numbers of the form come close to overflowing.
func (l linear) tooLarge() bool {
	large := func(n int64) bool { return n > maxCoefficient || n < -maxCoefficient }
	for _, t := range l.terms {
		if large(t.coefficient) {
			return true
		}
	}
	return large(l.constant)
}

// floorDiv is floor(l/divisor) for a positive divisor.
func (l linear) floorDiv(divisor int64) linear {
	if l.isConstant() {
		return constantForm(integer.FloorDivide(l.constant, divisor))
	}
	if l.divisibleBy(divisor) {
		return l.exactly(divisor)
	}
	return linear{terms: []term{{1, fmt.Sprintf("floor((%s)/%d)", l, divisor), l.variables()}}}
}

// modulo is l − divisor·floor(l/divisor) for a positive divisor.
func (l linear) modulo(divisor int64) linear {
	if l.isConstant() {
		return constantForm(l.constant - divisor*integer.FloorDivide(l.constant, divisor))
	}
	if l.divisibleBy(divisor) {
		return constantForm(0)
	}
	return linear{terms: []term{{1, fmt.Sprintf("((%s) mod %d)", l, divisor), l.variables()}}}
}

func (l linear) divisibleBy(divisor int64) bool {
	for _, t := range l.terms {
		if t.coefficient%divisor != 0 {
			return false
		}
	}
	return l.constant%divisor == 0
}

func (l linear) exactly(divisor int64) linear {
	q := linear{constant: l.constant / divisor}
	for _, t := range l.terms {
		t.coefficient /= divisor
		q.terms = append(q.terms, t)
	}
	return q
}

// String is the form in isl's syntax.
func (l linear) String() string {
	var b strings.Builder
	for i, t := range l.terms {
		magnitude := t.coefficient
		switch {
		case magnitude < 0 && i == 0:
			b.WriteString("-")
			magnitude = -magnitude
		case magnitude < 0:
			b.WriteString(" - ")
			magnitude = -magnitude
		case i > 0:
			b.WriteString(" + ")
		}
		if magnitude != 1 {
			fmt.Fprintf(&b, "%d*", magnitude)
		}
		b.WriteString(t.text)
	}
	switch {
	case len(l.terms) == 0:
		return fmt.Sprint(l.constant)
	case l.constant > 0:
		fmt.Fprintf(&b, " + %d", l.constant)
	case l.constant < 0:
		fmt.Fprintf(&b, " - %d", -l.constant)
	}
	return b.String()
}
