package frontend

import (
	"fmt"
	"strings"

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
	known = !isUnsigned(value.Type())
	spelled := map[string]string{}
	visit(value, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.CastExpression:
			known = known && n.Case != cc.CastExpressionCast
		case *cc.PrimaryExpression:
			named := variableOf(n)
			if number, ok := x.numberOf(n); ok {
				spelled[n.Token.SrcStr()] = number
			} else if named != nil {
				spelled[named.Name()] = named.Name()
				known = known && (named.IsParam() || x.derive(f, named, done))
			}
		}
	})
	text, ok := textOutside(value, spelled)
	if known = known && ok; known {
		f.Derived = append(f.Derived, scop.Derived{Name: d.Name(), Value: text})
	}
	done[d] = known
	return known
}

// numberOf is the number that a name has as its value.
func (x *extractor) numberOf(n *cc.PrimaryExpression) (number string, ok bool) {
	if n.Case != cc.PrimaryExpressionIdent {
		return "", false
	}
	d := variableOf(n)
	if d == nil {
		constant, ok := constantValue(n)
		return fmt.Sprint(constant), ok
	}
	front := x.frontValue(d)
	if front == nil || front.index != nil {
		return "", false
	}
	form, ok := front.value.linear()
	return fmt.Sprint(form.constant), ok && form.isConstant()
}

// textOutside is an expression as a driver may have it, which has a file of its own, without the
// user's macros and constants: with these spellings of names, and no other ones.
func textOutside(n cc.Node, spelled map[string]string) (text string, ok bool) {
	extent, ok := spanOf(n)
	var words []string
	for _, t := range extent.tokens {
		word := t.SrcStr()
		if identifierText.FindString(word) == word {
			if word = spelled[word]; word == "" {
				return "", false
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), ok
}
