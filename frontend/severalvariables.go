package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// A loop may declare several variables that move together:
//
//	for (int i = 0, j = n - 1; i < j; i++, j--)
//
// One that moves by one is the iterator, and the others are sums of it: in the condition in their
// places, and at the head of the body as variables: int j = (n - 1) - i. Variables that the
// function declares become such ones, where nothing reads what the loop leaves in them.

// companion is a variable of a loop, its first value, and what is added to it at the end of each
// iteration.
type companion struct {
	*cc.Declarator
	start, advance cc.ExpressionNode
	step           int64
	// text is that of the first value.
	text string
}

// severalVariables replaces all variables of a loop but one.
func (r *rewriter) severalVariables(loop *cc.IterationStatement) {
	if loop.Case != cc.IterationStatementForDecl || loop.ExpressionList == nil || loop.ExpressionList2 == nil {
		return
	}
	all, ok := r.companions(loop)
	if !ok || len(all) < 2 {
		return
	}
	chosen := iteratorAmong(all, namedIn(loop.ExpressionList))
	_, bodyStart, bodyEnd, okBody := r.textOf(loop.Statement)
	_, start, end, okDeclarators := r.textOf(loop.Declaration.InitDeclaratorList)
	_, advance, advanceEnd, okAdvance := r.textOf(loop.ExpressionList2)
	step, _, _, okStep := r.textOf(all[max(chosen, 0)].advance)
	if chosen < 0 || !okBody || !okDeclarators || !okAdvance || !okStep {
		return
	}
	iterator := all[chosen]
	var list []replacement
	declarations := ""
	for k, c := range all {
		if k == chosen {
			continue
		}
		value := c.inTermsOf(iterator)
		uses, ok := r.usesOf(c.Declarator)
		if !ok {
			return
		}
		used := false
		for _, offset := range uses {
			used = used || offset >= bodyStart && offset < bodyEnd
			if offset < bodyStart && !(offset >= advance && offset < advanceEnd) {
				list = append(list, replacement{offset, offset + len(c.Name()), "(" + value + ")"})
			}
		}
		if used {
			declarations += fmt.Sprintf("%s %s = %s; ", typeName(c.Type()), c.Name(), value)
		}
	}
	r.replace(start, end, iterator.Name()+" = "+iterator.text)
	r.replace(advance, advanceEnd, step)
	r.list = append(r.list, list...)
	if declarations != "" {
		r.replace(bodyStart, bodyStart, "{ "+declarations)
		r.replace(bodyEnd, bodyEnd, " }")
	}
}

// companions are the variables that a loop declares or sets, where each is an integer with a first
// value that stays the same while the loop runs, and is changed in the last part of the header only,
// by a constant.
func (r *rewriter) companions(loop *cc.IterationStatement) (all []companion, ok bool) {
	test, steps := loop.ExpressionList, loop.ExpressionList2
	if loop.Case == cc.IterationStatementFor {
		test, steps = loop.ExpressionList2, loop.ExpressionList3
	}
	advances := r.advances(steps)
	inside := newFacts()
	visit(loop.Statement, inside.look)
	visit(test, inside.look)
	own := newFacts()
	own.lookAtLoop(loop)
	isSteady := func(d *cc.Declarator) bool {
		_, moves := advances[d]
		return !moves && !own.iterators[d] && inside.assigned[d] == nil
	}
	firsts, ok := firstValues(loop)
	for _, first := range firsts {
		d := first.Declarator
		c, found := advances[d]
		if !found || first.start == nil || !cc.IsIntegerType(d.Type()) || d.Type().Size() < 4 || d.AddressTaken() ||
			inside.assigned[d] != nil || !r.isSteady(first.start, isSteady) || loop.Declaration != nil && r.isHiddenBy(loop.Declaration, first.start) {
			return nil, false
		}
		c.Declarator, c.start = d, first.start
		if c.text, _, _, ok = r.textOf(c.start); !ok {
			return nil, false
		}
		all = append(all, c)
	}
	return all, ok && len(all) == len(advances)
}

// firstValues are the variables that the first part of a for sets, with their first values; ok is
// false where it does something else.
func firstValues(loop *cc.IterationStatement) (list []companion, ok bool) {
	if loop.Case == cc.IterationStatementForDecl {
		for l := loop.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			c := companion{Declarator: l.InitDeclarator.Declarator}
			if l.InitDeclarator.Initializer != nil {
				c.start = l.InitDeclarator.Initializer.AssignmentExpression
			}
			list = append(list, c)
		}
		return list, true
	}
	for _, part := range commaParts(loop.ExpressionList) {
		x, ok := unwrap(part).(*cc.AssignmentExpression)
		if !ok || x.Case != cc.AssignmentExpressionAssign || variableOf(x.UnaryExpression) == nil {
			return nil, false
		}
		list = append(list, companion{Declarator: variableOf(x.UnaryExpression), start: x.AssignmentExpression})
	}
	return list, true
}

// advances are the variables that the last part of a for changes once, by a constant.
func (r *rewriter) advances(steps cc.ExpressionNode) map[*cc.Declarator]companion {
	advances := map[*cc.Declarator]companion{}
	for _, part := range commaParts(steps) {
		visit(part, func(n cc.Node) {
			if p, ok := n.(*cc.PrimaryExpression); ok && variableOf(p) != nil {
				d := variableOf(p)
				step, err := r.x.step(loopHeader{iterator: d, advance: part}, place{})
				if _, twice := advances[d]; err == nil && !twice {
					advances[d] = companion{advance: part, step: step}
				}
			}
		})
	}
	return advances
}

// isHiddenBy says whether a declaration hides a variable that an expression names.
func (r *rewriter) isHiddenBy(declaration *cc.Declaration, n cc.Node) bool {
	for l := declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		if slices.ContainsFunc(namedIn(n), func(named *cc.Declarator) bool { return named != d && named.Name() == d.Name() }) {
			r.x.isAboutHiding = true
			return true
		}
	}
	return false
}

// iteratorAmong is the number of a variable that moves by one, if possible one that the condition
// names; -1 where there is none.
func iteratorAmong(all []companion, named []*cc.Declarator) int {
	chosen := -1
	for k, c := range all {
		if c.step != 1 && c.step != -1 {
			continue
		}
		for _, d := range named {
			if d == c.Declarator {
				return k
			}
		}
		if chosen < 0 {
			chosen = k
		}
	}
	return chosen
}

// inTermsOf is the value that a variable has beside the iterator's.
func (c companion) inTermsOf(iterator companion) string {
	moved := iterator.Name()
	if iterator.text != "0" {
		moved = fmt.Sprintf("(%s - (%s))", moved, iterator.text)
	}
	factor, sign := c.step*iterator.step, "+"
	if factor < 0 {
		factor, sign = -factor, "-"
	}
	if factor != 1 {
		moved = fmt.Sprintf("%d * %s", factor, moved)
	}
	return fmt.Sprintf("(%s) %s %s", c.text, sign, moved)
}

// declaresOthers takes out of a loop the declaration of variables of which it steps none: for (int
// j; k < n; k++) is { int j; for (; k < n; k++) … }.
func (r *rewriter) declaresOthers(loop *cc.IterationStatement) {
	if loop.Case != cc.IterationStatementForDecl || r.hasDirectives() {
		return
	}
	for l := loop.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if slices.Contains(setBy(commaParts(loop.ExpressionList2)), l.InitDeclarator.Declarator) {
			return
		}
	}
	_, start, end, ok := r.textOf(loop)
	declaration, first, last, okDeclaration := r.textOf(loop.Declaration)
	if ok && okDeclaration && len(setBy(commaParts(loop.ExpressionList2))) > 0 {
		r.replace(start, start, "{ "+declaration+" ")
		r.replace(first, last, ";")
		r.replace(end, end, " }")
	}
}

// declareOwn has all loops declare the variables that they begin with, where they can.
func (r *rewriter) declareOwn() {
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			if loop, ok := n.(*cc.IterationStatement); ok {
				r.declaresItsOwn(loop)
			}
		})
	}
}

// declaresItsOwn has a loop declare the variables that it begins with, for (int i = 0, j = n - 1;
// …) for for (i = 0, j = n - 1; …), where nothing reads the values that it leaves in them.
func (r *rewriter) declaresItsOwn(loop *cc.IterationStatement) {
	if loop.Case != cc.IterationStatementFor || r.hasDirectives() {
		return
	}
	parts := commaParts(loop.ExpressionList)
	_, start, _, ok := r.textOf(loop.ExpressionList)
	if len(parts) < 2 || !ok || r.x.jumps() {
		return
	}
	var variables []*cc.Declarator
	for _, part := range parts {
		x, ok := unwrap(part).(*cc.AssignmentExpression)
		if !ok || x.Case != cc.AssignmentExpressionAssign {
			return
		}
		d := variableOf(x.UnaryExpression)
		if d == nil || !isSteppable(d) || slices.Contains(variables, d) {
			return
		}
		variables = append(variables, d)
	}
	for _, d := range variables {
		if typeName(d.Type()) != typeName(variables[0].Type()) || !slices.Contains(setBy(commaParts(loop.ExpressionList3)), d) ||
			r.x.readLater(d) != nil || !r.isSetByLoops(d) {
			return
		}
	}
	r.replace(start, start, typeName(variables[0].Type())+" ")
	r.free(variables)
}

// isSetByLoops says whether the region uses a variable only inside loops that begin by setting it.
func (r *rewriter) isSetByLoops(d *cc.Declarator) bool {
	var loops []span
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			loop, ok := n.(*cc.IterationStatement)
			if !ok || loop.Case != cc.IterationStatementFor {
				return
			}
			for _, part := range commaParts(loop.ExpressionList) {
				x, ok := unwrap(part).(*cc.AssignmentExpression)
				if !ok || slices.Contains(namedIn(x.AssignmentExpression), d) {
					return
				}
				if extent, isThere := spanOf(loop); isThere && x.Case == cc.AssignmentExpressionAssign && variableOf(x.UnaryExpression) == d {
					loops = append(loops, extent)
					return
				}
			}
		})
	}
	uses, ok := r.usesOf(d)
	for _, offset := range uses {
		ok = ok && slices.ContainsFunc(loops, func(s span) bool { return offset >= s.start && offset <= s.last })
	}
	return ok
}

// free notes that nothing may name variables of the function, or other functions, any more.
func (r *rewriter) free(variables []*cc.Declarator) {
	if r.x.freed == nil {
		r.x.freed = map[string][]string{}
	}
	function := r.x.function.Declarator.Name()
	for _, d := range variables {
		r.x.freed[function] = append(r.x.freed[function], d.Name())
	}
}
