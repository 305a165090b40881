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
	if e.inBound && e.locals == nil && e.isMadeOfUnchanged(x) && len(namedIn(x)) > 0 && x.Type().Size() >= 4 {
		e.products = append(e.products, x)
	}
}

// nameProducts gives the products that were noted names in front of the region.
func (r *rewriter) nameProducts() {
	names := map[string]string{}
	for _, x := range r.products {
		text, start, end, ok := r.textOf(x)
		if !ok || start < r.bounds.start || end > r.bounds.end || slices.ContainsFunc(namedIn(x), func(d *cc.Declarator) bool { return r.isMacro(d.Name()) }) {
			continue
		}
		if names[text] == "" {
			names[text] = r.newName(strings.Join(identifierText.FindAllString(text, -1), "_"))
			r.putInFront(typeName(x.Type()), names[text], text)
		}
		r.replace(start, end, names[text])
	}
}
