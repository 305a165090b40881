package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// A row may be as long as a product that has a name, and that a loop goes up to:
//
//	int plane = h * w;
//	for (p = 0; p < plane; p++) … y[(n * c + k) * plane + p]      y[n * c * h * w + k * h * w + p]
//
// The products of its factors in an index are multiples of that parameter then.

// namedProduct are the factors of the product that a variable is from its declaration on; nil for
// others.
func (x *extractor) namedProduct(d *cc.Declarator) []term {
	if d == nil {
		return nil
	}
	front := x.frontValue(d)
	if front == nil || len(front.index) != 1 || front.index[0].coefficient != 1 || len(front.index[0].factors) < 2 {
		return nil
	}
	return front.index[0].factors
}

// productLengths are the products with names that the region has, as lengths of rows.
func (e *evaluator) productLengths() (lengths rowLengths) {
	known := map[*cc.Declarator]bool{}
	for _, item := range e.x.items {
		visit(item, func(n cc.Node) {
			p, ok := n.(*cc.PrimaryExpression)
			if !ok || known[variableOf(p)] || e.x.namedProduct(variableOf(p)) == nil {
				return
			}
			known[variableOf(p)] = true
			if length, ok := e.length(p); ok && len(lengths) < maxRowLengths {
				lengths = append(lengths, length)
			}
		})
	}
	return lengths
}

// inMultiples is an index in which a length that is a product takes the place of its factors.
func (e *evaluator) inMultiples(index polynomial, length rowLength) polynomial {
	factors := e.x.namedProduct(variableOf(length.node))
	if factors == nil {
		return index
	}
	var sum polynomial
	for _, summand := range index {
		for {
			others, ok := without(summand.factors, factors)
			if !ok {
				break
			}
			summand = polynomial{{others, summand.coefficient}}.times(polynomialOf(length.value))[0]
		}
		sum = sum.plus(polynomial{summand}, 1)
	}
	return sum
}

// without are factors of a product without some of them; ok is false where it has not all of these.
func without(factors, some []term) (others []term, ok bool) {
	others = slices.Clone(factors)
	for _, t := range some {
		k := slices.IndexFunc(others, func(o term) bool { return o.text == t.text })
		if k < 0 {
			return nil, false
		}
		others = slices.Delete(others, k, k+1)
	}
	return others, true
}
