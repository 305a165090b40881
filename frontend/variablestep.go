package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// A loop may step by a variable. How often it runs is known in front of the region where its first
// value, its bound and its step do not change in that, and the iterator is a sum:
//
//	for (i = a; i < b; i += s) …      for (i_of = i_first; i_of < i_first + i_count; i_of++) { i = i_rest + i_of * s; … }
//
// with a = i_first * s + i_rest, so that i_rest is a column of a row of length s where a is not
// negative. Where the step is not positive there are no iterations: the loop of the source would not
// run either, or leave the iterator's type.

const stepAdvice = loopAdvice + "; a step by a variable is read where nothing but the loop's condition ends it, and its first value, its bound and its step are sums and products of numbers and of variables that the region does not change"

// variableStep is a loop that steps by a variable.
type variableStep struct {
	r      *rewriter
	loop   *cc.IterationStatement
	header loopHeader
	// op compares the iterator with the bound, and amount is what each iteration adds, or takes
	// away.
	op            string
	bound, amount cc.ExpressionNode
	// start, end and step are the texts of the first value, the bound and the amount, and number is
	// the name of the number of iterations.
	start, end, step, number string
}

// variableSteps gives a loop that steps by a variable an iterator that counts its iterations.
func (r *rewriter) variableSteps(loop *cc.IterationStatement) {
	s := variableStep{r: r, loop: loop}
	declares := loop.Case == cc.IterationStatementForDecl
	if !r.isInBlock() || r.namesIn(loop) || !s.isFor() || !s.isKnown() || !declares && r.hasDirectives() {
		return
	}
	_, start, end, ok := r.textOf(loop)
	_, bodyStart, bodyEnd, okBody := r.textOf(loop.Statement)
	open, closing := loop.Token2, loop.Token5
	if declares {
		closing = loop.Token4
	}
	if !ok || !okBody || !r.isToken(open) || !r.isToken(closing) {
		return
	}
	counter, header, value := s.count()
	typ := typeName(s.header.iterator.Type()) + " "
	set, front := s.header.iterator.Name()+" = "+value+"; ", ""
	if declares {
		set, front = typ+set, typ
	}
	r.replace(open.Position().Offset+len("("), closing.Position().Offset, front+header)
	r.replace(bodyStart, bodyStart, "{ "+set)
	r.replace(bodyEnd, bodyEnd, " }")
	if !declares {
		r.replace(start, start, "{ "+typ+counter+"; ")
		r.replace(end, end, s.ending()+" }")
	}
}

// isFor reads the loop's header, which has nothing else in it than one comparison with the bound
// and the step towards it. No jump leaves the body.
func (s *variableStep) isFor() bool {
	if s.loop.Case != cc.IterationStatementForDecl && s.loop.Case != cc.IterationStatementFor {
		return false
	}
	s.header, _ = s.r.x.header(s.loop, place{})
	h := s.header
	if h.advance == nil || h.shift != 0 || len(h.declared)+len(h.before)+len(h.further) > 0 || h.body != s.loop.Statement || !isSteppable(h.iterator) {
		return false
	}
	var isAdded, ok bool
	var left cc.ExpressionNode
	if s.amount, isAdded = addedAmount(h.advance, h.iterator); s.amount == nil {
		return false
	}
	left, s.op, s.bound, ok = comparedBy(h)
	if !ok || s.bound == nil || variableOf(left) != h.iterator {
		return false
	}
	isTowards := isAdded && s.op[0] == '<' || !isAdded && s.op[0] == '>'
	return isTowards && h.inIterations().assigned[h.iterator] == nil && !leavesLoop(h.body)
}

// addedAmount is e of i += e and i = i + e, which are added, or of i -= e and i = i - e; nil for
// other steps.
func addedAmount(step cc.ExpressionNode, iterator *cc.Declarator) (amount cc.ExpressionNode, isAdded bool) {
	a, ok := unwrap(step).(*cc.AssignmentExpression)
	if !ok || variableOf(a.UnaryExpression) != iterator {
		return nil, false
	}
	switch a.Case {
	case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
		return a.AssignmentExpression, a.Case == cc.AssignmentExpressionAdd
	case cc.AssignmentExpressionAssign:
		sum, ok := unwrap(a.AssignmentExpression).(*cc.AdditiveExpression)
		switch {
		case !ok:
		case variableOf(sum.AdditiveExpression) == iterator:
			return sum.MultiplicativeExpression, sum.Case == cc.AdditiveExpressionAdd
		case variableOf(sum.MultiplicativeExpression) == iterator && sum.Case == cc.AdditiveExpressionAdd:
			return sum.AdditiveExpression, true
		}
	}
	return nil, false
}

// leavesLoop says that a jump may leave a loop with this body.
func leavesLoop(body *cc.Statement) (leaves bool) {
	visit(body, func(n cc.Node) {
		j, ok := n.(*cc.JumpStatement)
		leaves = leaves || ok && j.Case != cc.JumpStatementContinue
	})
	return leaves
}

// isKnown says that first value, bound and amount are known in front of the region, and the amount
// there alone: constants need nothing of this.
func (s *variableStep) isKnown() (ok bool) {
	if _, isConstant := s.r.x.constantAt(place{}, s.amount); isConstant {
		return false
	}
	for _, part := range []struct {
		n    cc.ExpressionNode
		text *string
	}{{s.header.start, &s.start}, {s.bound, &s.end}, {s.amount, &s.step}} {
		if *part.text, ok = s.r.operandOf(part.n); !ok || !s.r.isKnownInFront(part.n) {
			return false
		}
	}
	return true
}

// isKnownInFront says that an expression of the region has the same value in front of it, made of
// integers that have names, and of members of structs.
func (r *rewriter) isKnownInFront(n cc.ExpressionNode) bool {
	return r.isKnownWith(n, func(*cc.Declarator) bool { return false })
}

// isKnownWith is that of an expression in which other variables stand besides, that are known.
func (r *rewriter) isKnownWith(n cc.ExpressionNode, isKnown func(*cc.Declarator) bool) bool {
	known := cc.IsIntegerType(n.Type()) && r.isSteady(n, func(d *cc.Declarator) bool { return isKnown(d) || r.isUnchanged(d) })
	visit(n, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.PostfixExpression:
			known = known && n.Case == cc.PostfixExpressionSelect
		case *cc.UnaryExpression:
			known = known && n.Case != cc.UnaryExpressionDeref && n.Case != cc.UnaryExpressionAddrof
		}
	})
	return known && !slices.ContainsFunc(namedIn(n), func(d *cc.Declarator) bool {
		return !isKnown(d) && (r.x.facts.local[d] || d.AddressTaken() || r.x.isMacro(d.Name()))
	})
}

// count puts what is known of the loop in front of the region. It gives the counter's name, the
// text of the header that counts, and the iterator's value.
func (s *variableStep) count() (counter, header, value string) {
	name, typ := s.header.iterator.Name(), typeName(s.header.iterator.Type())
	counter, s.number = s.r.newName(name+"_of"), s.r.newName(name+"_count")
	wide, number := s.numberOfIterations()
	s.r.putInFront(wide, s.number, number)
	from, to, rest := "0", s.number, ""
	if value, isConstant := constantValue(s.header.start); !isConstant || value != 0 || s.op[0] == '>' {
		first, column := s.r.newName(name+"_first"), s.r.newName(name+"_rest")
		least := s.start
		if s.op[0] == '>' {
			least = fmt.Sprintf("(%s > 0 ? %s - (%s - 1) * %s : 0)", s.number, s.start, s.number, s.step)
		}
		s.r.putInFront(typ, first, fmt.Sprintf("%s > 0 ? %s / %s : 0", s.step, least, s.step))
		s.r.putInFront(typ, column, fmt.Sprintf("%s > 0 ? %s %% %s : 0", s.step, least, s.step))
		from, to, rest = first, first+" + "+s.number, column+" + "
	}
	header = fmt.Sprintf("%s = %s; %s < %s; %s++", counter, from, counter, to, counter)
	if s.op[0] == '>' {
		header = fmt.Sprintf("%s = %s - 1; %s >= %s; %s--", counter, to, counter, from, counter)
	}
	return counter, header, fmt.Sprintf("%s%s * %s", rest, counter, s.step)
}

// numberOfIterations is the C text of how often the loop runs, and the type of that, which all
// numbers of iterations fit.
func (s *variableStep) numberOfIterations() (wide, text string) {
	common := cc.UsualArithmeticConversions(s.header.iterator.Type(), s.bound.Type())
	start, end := s.start, s.end
	if typeName(s.header.start.Type()) != typeName(common) {
		start = fmt.Sprintf("(%s) %s", typeName(common), start)
	}
	if typeName(s.bound.Type()) != typeName(common) {
		end = fmt.Sprintf("(%s) %s", typeName(common), end)
	}
	wide = typeName(common)
	above, below := end, start
	if s.op[0] == '>' {
		above, below = start, end
	}
	if common.Size() < 8 {
		wide, above = "long", "(long) "+above
	}
	last := ""
	if len(s.op) == 1 {
		last = " - 1"
	}
	return wide, fmt.Sprintf("%s > 0 && %s %s %s ? (%s - %s%s) / %s + 1 : 0", s.step, start, s.op, end, above, below, last, s.step)
}

// ending is the assignment of what the loop leaves in its iterator, "" where nothing reads it.
func (s *variableStep) ending() string {
	_, _, end, _ := s.r.textOf(s.loop)
	if !s.r.isReadBehind(s.loop, s.header.iterator, end) {
		return ""
	}
	sign := map[byte]string{'<': "+", '>': "-"}[s.op[0]]
	return fmt.Sprintf(" %s = %s %s (%s) %s * %s;", s.header.iterator.Name(), s.start, sign, typeName(s.header.iterator.Type()), s.number, s.step)
}

// putInFront declares a variable of one value in front of the region.
func (r *rewriter) putInFront(typ, name, value string) {
	at := r.x.bounds.pragmaStart
	r.replace(at, at, fmt.Sprintf("%sconst %s %s = %s;\n", r.x.indent(r.x.bounds), typ, name, value))
}

// newName is a name like another one that means nothing yet.
func (r *rewriter) newName(like string) string {
	if r.given == nil {
		r.given = r.x.names()
	}
	name := r.x.internalName(like, func(name string) bool { return r.given[name] || r.x.separated[name] })
	r.given[name] = true
	return name
}
