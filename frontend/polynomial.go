package frontend

import (
	"slices"
	"sort"
	"strings"
)

// product is a product of iterators, parameters, quotients and remainders, with
// a factor.
type product struct {
	factors     []term
	coefficient int64
}

func (p product) key() string {
	texts := make([]string, len(p.factors))
	for k, f := range p.factors {
		texts[k] = f.text
	}
	return strings.Join(texts, "*")
}

// polynomial is a sum of products with different keys.
type polynomial []product

func polynomialOf(l linear) polynomial {
	var sum polynomial
	for _, t := range l.terms {
		factor := t
		factor.coefficient = 1
		sum = append(sum, product{[]term{factor}, t.coefficient})
	}
	return sum.plus(polynomial{{nil, l.constant}}, 1)
}

// plus is p + factor·q.
func (p polynomial) plus(q polynomial, factor int64) polynomial {
	sum := slices.Clone(p)
	for _, more := range q {
		k := slices.IndexFunc(sum, func(known product) bool { return known.key() == more.key() })
		if k < 0 {
			k = len(sum)
			sum = append(sum, product{factors: more.factors})
		}
		sum[k].coefficient += factor * more.coefficient
	}
	return slices.DeleteFunc(sum, func(p product) bool { return p.coefficient == 0 })
}

func (p polynomial) times(q polynomial) polynomial {
	var sum polynomial
	for _, a := range p {
		for _, b := range q {
			factors := append(slices.Clone(a.factors), b.factors...)
			sort.Slice(factors, func(i, j int) bool { return factors[i].text < factors[j].text })
			sum = sum.plus(polynomial{{factors, a.coefficient * b.coefficient}}, 1)
		}
	}
	return sum
}

// tooLarge says that numbers or products are too large for sums and products of them
// to be exact in 64 bits, or to be worth looking at.
func (p polynomial) tooLarge() bool {
	return len(p) > maxPieces || slices.ContainsFunc(p, func(p product) bool {
		return len(p.factors) > maxRowLengths+1 || p.coefficient > maxRowNumber || p.coefficient < -maxRowNumber
	})
}

// maxRowNumber keeps all sums of products of two numbers inside 64 bits.
const maxRowNumber = 1 << 24

// linear is the polynomial as a linear form, where it is one.
func (p polynomial) linear() (linear, bool) {
	form := linear{}
	for _, product := range p {
		switch len(product.factors) {
		case 0:
			form.constant = product.coefficient
		case 1:
			t := product.factors[0]
			t.coefficient = product.coefficient
			form.terms = append(form.terms, t)
		default:
			return linear{}, false
		}
	}
	return form, true
}

// dividedBy is a quotient and a remainder of the division by a length, which
// is a positive constant, or has a parameter of which the remainder has less than the length in
// each product.
func (p polynomial) dividedBy(length linear) (quotient, remainder polynomial, ok bool) {
	if length.isConstant() {
		for _, product := range p {
			part := polynomial{{product.factors, product.coefficient / length.constant}}
			if product.coefficient%length.constant != 0 {
				part[0].coefficient = 0
				remainder = append(remainder, product)
			}
			quotient = quotient.plus(part, 1)
		}
		return quotient, remainder, true
	}
	k := max(0, slices.IndexFunc(length.terms, func(t term) bool { return t.coefficient == 1 }))
	pivot, factor := length.terms[k].text, length.terms[k].coefficient
	rest := polynomialOf(length.without(pivot))
	for remainder = p; ; {
		var high, low polynomial
		for _, product := range remainder {
			at := slices.IndexFunc(product.factors, func(t term) bool { return t.text == pivot })
			times := product.coefficient / factor
			if at < 0 || times == 0 {
				low = append(low, product)
				continue
			}
			low = low.plus(polynomial{{product.factors, product.coefficient % factor}}, 1)
			high = high.plus(polynomial{{slices.Delete(slices.Clone(product.factors), at, at+1), times}}, 1)
		}
		if len(high) == 0 {
			return quotient, remainder, !quotient.tooLarge() && !remainder.tooLarge()
		}
		quotient = quotient.plus(high, 1)
		remainder = low.plus(high.times(rest), -1)
		if quotient.tooLarge() || remainder.tooLarge() {
			return nil, nil, false
		}
	}
}
