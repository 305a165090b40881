package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// Behind a loop of several variables something may read what they have then:
//
//	for (k = 0, j = n - 1; k < j; k++, j--) …      k is (n - 1) / 2 or so
//
// How often such a loop runs is known from its condition, both sides of which move by constants. It
// counts its iterations then, the variables are sums of that, and get their last values behind it:
//
//	for (k_of = 0; k_of < (0 < n - 1 ? (n - 1 - 0 - 1) / 2 + 1 : 0); k_of++) { k = 0 + k_of; j = n - 1 - k_of; … }

// severalLeft has a loop that sets several variables of the function count its iterations.
func (r *rewriter) severalLeft(loop *cc.IterationStatement) {
	if loop.Case != cc.IterationStatementFor || loop.ExpressionList2 == nil || r.hasDirectives() || leavesLoop(loop.Statement) {
		return
	}
	all, ok := r.companions(loop)
	if !ok || len(all) < 2 || slices.ContainsFunc(all, func(c companion) bool { return isUnsigned(c.Type()) || !isSteppable(c.Declarator) }) {
		return
	}
	inside := newFacts()
	visit(loop.Statement, inside.look)
	if !r.isSteady(loop.ExpressionList2, func(d *cc.Declarator) bool { return inside.assigned[d] == nil }) {
		return
	}
	number := r.iterationsOf(loop, all)
	_, start, end, ok := r.textOf(loop)
	_, bodyStart, bodyEnd, okBody := r.textOf(loop.Statement)
	if number == "" || !ok || !okBody || !r.isToken(loop.Token2) || !r.isToken(loop.Token5) {
		return
	}
	typ, counter := typeName(all[0].Type()), r.newName(all[0].Name()+"_of")
	head, ending := "{ ", ""
	for _, c := range all {
		head += c.after(counter) + " "
		if r.isReadBehind(loop, c.Declarator, end) {
			ending += " " + c.after(number)
		}
	}
	r.replace(start, start, fmt.Sprintf("{ %s %s; ", typ, counter))
	r.replace(loop.Token2.Position().Offset+len("("), loop.Token5.Position().Offset, fmt.Sprintf("%s = 0; %s < %s; %s++", counter, counter, number, counter))
	r.replace(bodyStart, bodyStart, head)
	r.replace(bodyEnd, bodyEnd, " }")
	r.replace(end, end, ending+" }")
}

// after is the assignment of the value that a variable has after a number of iterations.
func (c companion) after(number string) string {
	sign, factor, first := "+", c.step, asOperand(c.start, c.text)
	if factor < 0 {
		sign, factor = "-", -factor
	}
	if factor != 1 {
		number = fmt.Sprintf("%d * %s", factor, number)
	}
	if c.text == "0" && sign == "+" {
		return fmt.Sprintf("%s = %s;", c.Name(), number)
	}
	return fmt.Sprintf("%s = %s %s %s;", c.Name(), first, sign, number)
}

// iterationsOf is the C text of how often a loop of several variables runs, "" where the model has
// none for it.
func (r *rewriter) iterationsOf(loop *cc.IterationStatement, all []companion) string {
	left, op, right, ok := comparisonOf(unwrap(loop.ExpressionList2))
	if !ok {
		return ""
	}
	leftStep, okLeft := r.movesBy(left, all)
	rightStep, okRight := r.movesBy(right, all)
	firsts := map[*cc.Declarator]string{}
	for _, c := range all {
		firsts[c.Declarator] = asOperand(c.start, c.text)
	}
	leftText, okLeftText := r.inPlaces(left, firsts)
	rightText, okRightText := r.inPlaces(right, firsts)
	if !okLeft || !okRight || !okLeftText || !okRightText {
		return ""
	}
	closer, above, below := leftStep-rightStep, rightText, leftText
	if op[0] == '>' {
		closer, above, below = -closer, leftText, rightText
	}
	last := map[string]string{"<": " - 1", ">": " - 1", "<=": "", ">=": ""}
	beyond, known := last[op]
	if !known || closer <= 0 {
		return ""
	}
	return fmt.Sprintf("(%s %s %s ? (%s - %s%s) / %d + 1 : 0)", leftText, op, rightText, above, below, beyond, closer)
}

// movesBy is what an iteration adds to an expression, which is a sum of variables of the loop and
// of others.
func (r *rewriter) movesBy(n cc.ExpressionNode, all []companion) (step int64, ok bool) {
	if !cc.IsIntegerType(n.Type()) || isUnsigned(n.Type()) {
		return 0, false
	}
	if !slices.ContainsFunc(all, func(c companion) bool { return slices.Contains(namedIn(n), c.Declarator) }) {
		return 0, true
	}
	if k := slices.IndexFunc(all, func(c companion) bool { return c.Declarator == variableOf(n) }); k >= 0 {
		return all[k].step, true
	}
	sum, ok := unwrap(n).(*cc.AdditiveExpression)
	if !ok {
		return 0, false
	}
	left, okLeft := r.movesBy(sum.AdditiveExpression, all)
	right, okRight := r.movesBy(sum.MultiplicativeExpression, all)
	if sum.Case == cc.AdditiveExpressionSub {
		right = -right
	}
	return left + right, okLeft && okRight
}
