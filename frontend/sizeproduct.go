package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A bound or a condition may have a product of sizes, with its name or without:
//
//	int size = w * h;
//	for (i = 0; i < size; i++)      for (i = 0; i < w * h; i++)
//
// It is a parameter like others there. One without a name gets one in front of the region. In
// subscripts it is a product, which rows may have.

// ofBound is the evaluator for a bound or a condition.
func (e *evaluator) ofBound() *evaluator {
	inner := *e
	inner.inBound = true
	return &inner
}

// noteProduct notes a product of sizes in a bound or a condition that is to get a name.
func (e *evaluator) noteProduct(x *cc.MultiplicativeExpression) {
	if e.inBound && e.locals == nil && e.x.isMadeOfUnchanged(x) && len(namedIn(x)) > 0 && x.Type().Size() >= 4 {
		e.x.products = append(e.x.products, x)
	}
}

// nameProducts gives the products that were noted names in front of the region.
func (r *rewriter) nameProducts() {
	names := map[string]string{}
	for _, x := range r.x.products {
		text, start, end, ok := r.textOf(x)
		if !ok || start < r.x.bounds.start || end > r.x.bounds.end || slices.ContainsFunc(namedIn(x), func(d *cc.Declarator) bool { return r.x.isMacro(d.Name()) }) {
			continue
		}
		if names[text] == "" {
			names[text] = r.nameOfProduct(x)
		}
		if names[text] == "" {
			names[text] = r.newName(strings.Join(identifierText.FindAllString(text, -1), "_"))
			r.putInFront(typeName(x.Type()), names[text], text)
		}
		r.replace(start, end, names[text])
	}
}

// namesIn says whether a node has a product or quotient in it that is to get a name, in whose place
// nothing else can come at the same time.
func (r *rewriter) namesIn(n cc.Node) (found bool) {
	visit(n, func(n cc.Node) {
		x, ok := n.(*cc.MultiplicativeExpression)
		found = found || ok && slices.Contains(r.x.products, x)
	})
	return found
}

// nameOfProduct is a variable of the function that is the same product everywhere, "" for none.
func (r *rewriter) nameOfProduct(x *cc.MultiplicativeExpression) (name string) {
	product, ok := r.x.evaluatorAt(place{}).polynomial(x)
	if !ok || len(product) != 1 || product[0].coefficient != 1 {
		return ""
	}
	for _, length := range r.x.evaluatorAt(place{}).productLengths() {
		d := variableOf(length.node)
		rest, ok := without(r.x.namedProduct(d), product[0].factors)
		if ok && len(rest) == 0 && typeName(d.Type()) == typeName(x.Type()) && r.meansTheSame(length.node, r.x.bounds.start, r.x.bounds.end) {
			name = d.Name()
		}
	}
	return name
}

// wantNames notes quotients of sizes that an index multiplies by, as in y * (w / 2) + x, which are
// to get names everywhere in the region: rows have lengths that are parameters. It says whether
// there are some, until nothing is left to rewrite.
func (c *collector) wantNames(index cc.ExpressionNode) bool {
	if c.x.coarse[c.x.bounds.number] {
		return false
	}
	before := len(c.x.products)
	for _, factor := range multipliedIn(index) {
		quotient, ok := unwrap(factor).(*cc.MultiplicativeExpression)
		if !ok || quotient.Case != cc.MultiplicativeExpressionDiv || len(namedIn(quotient)) == 0 || !c.x.isMadeOfUnchanged(quotient) || quotient.Type().Size() < 4 {
			continue
		}
		for _, item := range c.x.items {
			visit(item, func(n cc.Node) {
				other, ok := n.(*cc.MultiplicativeExpression)
				if ok && other.Case == quotient.Case && slices.Equal(wordsIn(other), wordsIn(quotient)) && c.x.isMadeOfUnchanged(other) {
					c.x.products = append(c.x.products, other)
				}
			})
		}
	}
	return len(c.x.products) > before
}

// wordsIn are the preprocessed tokens of a node.
func wordsIn(n cc.Node) (words []string) {
	for _, t := range tokensOf(n) {
		words = append(words, t.SrcStr())
	}
	return words
}
