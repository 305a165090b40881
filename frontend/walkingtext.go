package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// noteIdleParts notes expressions whose value nobody uses.
func (w *pointerWalk) noteIdleParts(n cc.Node) {
	var lists []cc.ExpressionNode
	switch n := n.(type) {
	case *cc.ExpressionStatement:
		lists = append(lists, n.ExpressionList)
	case *cc.IterationStatement:
		switch n.Case {
		case cc.IterationStatementFor:
			lists = append(lists, n.ExpressionList, n.ExpressionList3)
		case cc.IterationStatementForDecl:
			lists = append(lists, n.ExpressionList2)
		}
	}
	for _, list := range lists {
		for _, part := range commaParts(list) {
			w.idle[unwrap(part)] = true
		}
	}
}

// replaceAll notes the replacements for all walkers; it returns false, and notes none, where one
// cannot be replaced.
func (w *pointerWalk) replaceAll() bool {
	w.spans, w.ends, w.refused = nil, nil, nil
	for _, item := range w.r.items {
		visit(item, w.look)
	}
	front := ""
	var freed []*cc.Declarator
	for _, d := range w.sorted() {
		p := w.walkers[d]
		uses, ok := w.r.usesOf(d)
		if !ok {
			w.refuse(p)
		}
		for _, offset := range uses {
			if !slices.ContainsFunc(w.spans, func(s replacement) bool { return offset >= s.start && offset < s.end }) {
				w.spans = append(w.spans, replacement{offset, offset + len(d.Name()), fmt.Sprintf("(%s + %s)", p.base, p.at)})
			}
		}
		switch {
		case w.r.x.facts.local[d]:
		case p.first != "":
			front += fmt.Sprintf("long %s = %s; ", p.at, p.first)
			if p.base != d.Name() {
				freed = append(freed, d)
			}
		default:
			front += fmt.Sprintf("long %s; ", p.at)
			freed = append(freed, d)
		}
	}
	w.refuseNested()
	if w.refused != nil {
		return false
	}
	if _, start, _, ok := w.r.textOf(w.r.items[0]); ok && front != "" {
		w.r.replace(start, start, front)
	} else if front != "" {
		return true
	}
	for _, s := range w.spans {
		w.r.replace(s.start, s.end, s.text)
	}
	w.r.free(append(freed, w.ends...))
	return true
}

// sorted are the walkers in the order of their declarations.
func (w *pointerWalk) sorted() []*cc.Declarator {
	var all []*cc.Declarator
	for d := range w.walkers {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *cc.Declarator) int { return a.NameTok().Position().Offset - b.NameTok().Position().Offset })
	return all
}

// refuse notes that a walker cannot be replaced.
func (w *pointerWalk) refuse(p *walker) { w.refused = p }

// refuseNested refuses a walker where a piece to be replaced stands in another one.
func (w *pointerWalk) refuseNested() {
	slices.SortFunc(w.spans, func(a, b replacement) int { return a.start - b.start })
	for k := 1; k < len(w.spans); k++ {
		if w.spans[k].start < w.spans[k-1].end {
			w.refuse(w.walkers[w.sorted()[0]])
		}
	}
}

// span notes the replacement of a node's text.
func (w *pointerWalk) span(n cc.Node, p *walker, text string) {
	_, start, end, ok := w.r.textOf(n)
	if !ok {
		w.refuse(p)
		return
	}
	w.spans = append(w.spans, replacement{start, end, text})
}

func (w *pointerWalk) look(n cc.Node) {
	switch n := n.(type) {
	case *cc.Declaration:
		w.declaration(n)
	case *cc.AssignmentExpression:
		w.assignment(n)
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
			w.step(n, n.PostfixExpression)
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			w.step(n, n.UnaryExpression)
		case cc.UnaryExpressionDeref:
			w.element(n)
		}
	case *cc.RelationalExpression:
		w.pair(n.RelationalExpression, n.ShiftExpression)
	case *cc.EqualityExpression:
		w.pair(n.EqualityExpression, n.RelationalExpression)
	case *cc.AdditiveExpression:
		if n.Case == cc.AdditiveExpressionSub {
			w.pair(n.AdditiveExpression, n.MultiplicativeExpression)
		}
	}
}

// declaration replaces one of walkers alone.
func (w *pointerWalk) declaration(n *cc.Declaration) {
	var text []string
	var walkers []*walker
	count := 0
	for l := n.InitDeclaratorList; n.Case == cc.DeclarationDecl && l != nil; l = l.InitDeclaratorList {
		count++
		p := w.walkers[l.InitDeclarator.Declarator]
		if p == nil {
			continue
		}
		walkers = append(walkers, p)
		if l.InitDeclarator.Initializer == nil {
			text = append(text, p.at)
			continue
		}
		distance, ok := w.distance(l.InitDeclarator.Initializer.AssignmentExpression, p.base)
		if !ok {
			w.refuse(p)
		}
		text = append(text, p.at+" = "+distance)
	}
	if len(walkers) == 0 {
		return
	}
	if len(walkers) < count {
		w.refuse(walkers[0])
	}
	w.span(n, walkers[0], "long "+strings.Join(text, ", ")+";")
}

// assignment replaces an assignment to a walker.
func (w *pointerWalk) assignment(n *cc.AssignmentExpression) {
	p := w.walkers[variableOf(n.UnaryExpression)]
	if p == nil {
		return
	}
	switch {
	case !w.idle[n]:
		w.refuse(p)
	case n.Case == cc.AssignmentExpressionAssign:
		distance, ok := w.distance(n.AssignmentExpression, p.base)
		if !ok {
			w.refuse(p)
		}
		w.span(n, p, p.at+" = "+distance)
	case n.Case == cc.AssignmentExpressionAdd, n.Case == cc.AssignmentExpressionSub:
		w.span(n.UnaryExpression, p, p.at)
	default:
		w.refuse(p)
	}
}

// step replaces ++ and -- by themselves; those of an element are replaced with it.
func (w *pointerWalk) step(n cc.ExpressionNode, of cc.ExpressionNode) {
	p := w.walkers[variableOf(of)]
	switch {
	case p == nil:
	case w.idle[n]:
		w.span(of, p, p.at)
	default:
		_, start, end, ok := w.r.textOf(n)
		if !ok || !slices.ContainsFunc(w.spans, func(s replacement) bool { return s.start <= start && s.end >= end }) {
			w.refuse(p)
		}
	}
}

// element replaces *p, *p++ and their like.
func (w *pointerWalk) element(n *cc.UnaryExpression) {
	operand := unwrap(n.CastExpression)
	form, of := "%s", operand
	switch x := operand.(type) {
	case *cc.PostfixExpression:
		if operator := map[cc.PostfixExpressionCase]string{cc.PostfixExpressionInc: "++", cc.PostfixExpressionDec: "--"}[x.Case]; operator != "" {
			form, of = "%s"+operator, x.PostfixExpression
		}
	case *cc.UnaryExpression:
		if operator := map[cc.UnaryExpressionCase]string{cc.UnaryExpressionInc: "++", cc.UnaryExpressionDec: "--"}[x.Case]; operator != "" {
			form, of = operator+"%s", x.UnaryExpression
		}
	}
	if p := w.walkers[variableOf(of)]; p != nil {
		w.span(n, p, p.base+"["+fmt.Sprintf(form, p.at)+"]")
	}
}

// pair replaces two pointers that are compared, or subtracted, by their distances, where both are
// from one place.
func (w *pointerWalk) pair(left, right cc.ExpressionNode) {
	p := w.walkers[variableOf(left)]
	if p == nil {
		p = w.walkers[variableOf(right)]
	}
	if p == nil || !isPointer(left) || !isPointer(right) {
		return
	}
	first, okFirst := w.distance(left, p.base)
	second, okSecond := w.distance(right, p.base)
	if okFirst && okSecond {
		w.span(left, p, "("+first+")")
		w.span(right, p, "("+second+")")
	}
}

// distance is how many elements a pointer expression is from a base.
func (w *pointerWalk) distance(n cc.ExpressionNode, base string) (text string, ok bool) {
	terms, ok := w.terms(n, base, nil)
	switch {
	case !ok:
		return "", false
	case len(terms) == 0:
		return "0", true
	case len(terms) == 1 && terms[0].isSigned:
		return strings.TrimPrefix(terms[0].sign, "+") + terms[0].text, true
	}
	for _, t := range terms {
		text += fmt.Sprintf(" %s (long) %s", t.sign, t.text)
	}
	return strings.TrimPrefix(text, " + "), true
}

// distanceTerm is an integer that is added to a distance or subtracted.
type distanceTerm struct {
	sign, text string
	isSigned   bool
}

// operand is the text of a node, in the region or in front of it.
func (w *pointerWalk) operand(n cc.ExpressionNode) (string, bool) {
	if text, ok := w.r.operandOf(n); ok {
		return text, true
	}
	return w.r.operandInFront(n)
}

// terms are the terms of a distance, with their signs; they follow others.
func (w *pointerWalk) terms(n cc.ExpressionNode, base string, others []distanceTerm) (terms []distanceTerm, ok bool) {
	n = unwrap(n)
	if p := w.walkers[variableOf(n)]; p != nil && p.base == base {
		return append(others, distanceTerm{"+", p.at, true}), true
	}
	if text, ok := w.operand(n); ok && text == base {
		return others, true
	}
	summand, sign := cc.ExpressionNode(nil), "+"
	pointer := cc.ExpressionNode(nil)
	switch x := n.(type) {
	case *cc.AdditiveExpression:
		pointer, summand = x.AdditiveExpression, x.MultiplicativeExpression
		if x.Case == cc.AdditiveExpressionSub {
			sign = "-"
		} else if isPointer(summand) {
			pointer, summand = summand, pointer
		}
	case *cc.UnaryExpression:
		if element := addressedElement(x); element != nil {
			pointer, summand = element.PostfixExpression, element.ExpressionList
		}
	case *cc.PrimaryExpression:
		if value := w.fixedValue(variableOf(x)); value != nil {
			w.ends = append(w.ends, variableOf(x))
			return w.terms(value, base, others)
		}
	}
	if pointer == nil || !cc.IsIntegerType(summand.Type()) || slices.ContainsFunc(namedIn(summand), func(d *cc.Declarator) bool { return w.walkers[d] != nil }) {
		return nil, false
	}
	text, ok := w.operand(summand)
	if terms, isKnown := w.terms(pointer, base, others); ok && isKnown {
		return append(terms, distanceTerm{sign, text, !isUnsigned(summand.Type())}), true
	}
	return nil, false
}

// fixedValue is what a pointer of the function that never changes is declared with in front of the
// region, made of what never changes either; nil for others.
func (w *pointerWalk) fixedValue(d *cc.Declarator) cc.ExpressionNode {
	if d == nil || d.Type().Kind() != cc.Ptr || isFileScope(d) || !w.r.x.isNeverWritten(d) {
		return nil
	}
	value := w.declaredValue(d)
	if value == nil || !w.isFixedExpression(value) {
		return nil
	}
	return value
}

// isFixedExpression says that an expression in front of the region is made of variables that never
// change, and means the same inside.
func (w *pointerWalk) isFixedExpression(value cc.ExpressionNode) bool {
	fixed := !hasEffect(value) && w.r.x.keepsMeaning(value)
	visit(value, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.PostfixExpression:
			fixed = false
		case *cc.UnaryExpression:
			fixed = fixed && n.Case != cc.UnaryExpressionDeref
		case *cc.PrimaryExpression:
			named := variableOf(n)
			fixed = fixed && (named == nil || w.r.x.isNeverWritten(named))
		}
	})
	return fixed
}

// declaredValue is what a variable of the function is declared with, or nil.
func (w *pointerWalk) declaredValue(d *cc.Declarator) (value cc.ExpressionNode) {
	w.r.x.visitFunction(func(n cc.Node) {
		if i, ok := n.(*cc.InitDeclarator); ok && i.Declarator == d && i.Initializer != nil {
			value = i.Initializer.AssignmentExpression
		}
	})
	return value
}
