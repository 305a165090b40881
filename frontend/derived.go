package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// noteDerived adds the parameters that the function makes of its sizes to its description:
//
//	int m = n % 5, half = n / 2;
func (x *extractor) noteDerived(f *scop.Function) {
	done := map[*cc.Declarator]bool{}
	for _, p := range x.parameters {
		if p.place == "" && !p.declarator.IsParam() {
			x.derive(f, p.declarator, done)
		}
	}
}

// derive adds a variable of the function that has one value, with those that this is made of in
// front of it; known is false for others.
func (x *extractor) derive(f *scop.Function, d *cc.Declarator, done map[*cc.Declarator]bool) (known bool) {
	if known, isDone := done[d]; isDone {
		return known
	}
	done[d] = false
	value := x.initialOf(d)
	if value == nil || isFileScope(d) || f.IsHeld(d.Name()) || !x.isNeverWritten(d) || !x.isMadeOfUnchanged(value) {
		done[d] = f.IsHeld(d.Name())
		return done[d]
	}
	known = true
	var names []string
	visit(value, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.CastExpression:
			known = known && n.Case != cc.CastExpressionCast
		case *cc.PrimaryExpression:
			named := variableOf(n)
			if named == nil {
				return
			}
			names = append(names, named.Name())
			known = known && (named.IsParam() || x.derive(f, named, done))
		}
	})
	extent, ok := spanOf(value)
	if known = known && ok && !isUnsigned(value.Type()); known {
		text := x.expressionText(extent)
		// A driver has a file of its own, without the user's macros and constants.
		isOther := func(name string) bool { return !slices.Contains(names, name) }
		if known = !slices.ContainsFunc(identifierText.FindAllString(text, -1), isOther); known {
			f.Derived = append(f.Derived, scop.Derived{Name: d.Name(), Value: text})
		}
	}
	done[d] = known
	return known
}
