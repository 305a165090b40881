package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// value is the expression that takes the place of a call of a function that only computes a value:
// its body is made of declarations, assignments to its own variables, if and return. It is "" for
// other functions.
func (s *insertion) value(call *cc.PostfixExpression) string {
	f := s.r.x.definitions[calledBy(call).Name()]
	inner, own, ok := s.at(call, f)
	if !ok {
		return ""
	}
	for k, d := range parametersOf(f) {
		value, fits := s.argument(argumentsOf(call)[k], d)
		if !fits || d.AddressTaken() {
			return ""
		}
		inner.values[d] = value
	}
	isTaken := func(d *cc.Declarator) bool { return d.AddressTaken() || !isValueType(d.Type()) }
	if slices.ContainsFunc(own, isTaken) {
		return ""
	}
	text, ok := inner.returned(withoutSynthetic(itemsOf(f.CompoundStatement)))
	if !ok || len(text) > mostInserted {
		return ""
	}
	return text
}

// isValueType says that values of a type are numbers, or lead to data.
func isValueType(t cc.Type) bool {
	return isNumberType(t) || t.Kind() == cc.Ptr && elementOf(t).Kind() != cc.Function
}

// result is the type of what the innermost function returns.
func (s *insertion) result() cc.Type {
	return s.inside[len(s.inside)-1].Declarator.Type().(*cc.FunctionType).Result()
}

// returned is the operand that a list of statements gives.
func (s *insertion) returned(items []*cc.BlockItem) (text string, ok bool) {
	for k, item := range items {
		if item.Case == cc.BlockItemDecl {
			if !s.declare(item.Declaration) {
				return "", false
			}
			continue
		}
		if item.Case != cc.BlockItemStmt {
			return "", false
		}
		n := item.Statement
		switch {
		case n.Case == cc.StatementJump && n.JumpStatement.Case == cc.JumpStatementReturn && n.JumpStatement.ExpressionList != nil:
			return s.assigned(n.JumpStatement.ExpressionList, s.result())
		case n.Case == cc.StatementSelection && n.SelectionStatement.Case != cc.SelectionStatementSwitch && returns(n):
			return s.returnedByEither(n.SelectionStatement, items[k+1:])
		case n.Case == cc.StatementCompound && returns(n):
			return s.returned(append(itemsOf(n.CompoundStatement), items[k+1:]...))
		case !s.run(n):
			return "", false
		}
	}
	return "", false
}

// returns says that there is a return in a statement.
func returns(n *cc.Statement) (found bool) {
	visit(n, func(n cc.Node) {
		j, ok := n.(*cc.JumpStatement)
		found = found || ok && j.Case == cc.JumpStatementReturn
	})
	return found
}

// returnedByEither is the operand that an if gives, with what is behind it.
func (s *insertion) returnedByEither(n *cc.SelectionStatement, rest []*cc.BlockItem) (text string, ok bool) {
	if s.mayChange(n.ExpressionList) || s.isOpen(n.ExpressionList) {
		return "", false
	}
	branch := func(b *cc.Statement) (string, bool) {
		inner := s.copied()
		if b == nil {
			return inner.returned(rest)
		}
		return inner.returned(append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: b}}, rest...))
	}
	yes, okYes := branch(n.Statement)
	no, okNo := branch(n.Statement2)
	text = fmt.Sprintf("(%s ? %s : %s)", asOperand(n.ExpressionList, s.text(n.ExpressionList)), yes, no)
	return text, okYes && okNo && len(text) <= mostInserted
}

// copied is an insertion whose variables may get other values.
func (s *insertion) copied() *insertion {
	next := *s
	next.values = maps.Clone(s.values)
	return &next
}

// declare gives variables their first values.
func (s *insertion) declare(n *cc.Declaration) bool {
	if n.Case != cc.DeclarationDecl {
		return false
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		initial := l.InitDeclarator.Initializer
		switch {
		case initial == nil:
		case initial.AssignmentExpression == nil || !s.set(l.InitDeclarator.Declarator, initial.AssignmentExpression):
			return false
		}
	}
	return true
}

// set gives a variable a value.
func (s *insertion) set(d *cc.Declarator, n cc.ExpressionNode) bool {
	text, ok := s.assigned(n, d.Type())
	s.values[d] = standsFor{text: text}
	return ok && len(text) <= mostInserted
}

// assigned is the value of an expression as one of the type that it is assigned to.
func (s *insertion) assigned(n cc.ExpressionNode, to cc.Type) (text string, ok bool) {
	isNumber := cc.IsArithmeticType(to) && cc.IsArithmeticType(n.Type())
	isSame := to.Kind() == cc.Ptr && isPointer(n) && leadsToSameType(to, n.Type())
	if s.mayChange(n) || !isNumber && !isSame || s.isOpen(n) {
		return "", false
	}
	if text = asOperand(n, s.text(n)); isNumber {
		text = converted(n.Type(), to, text)
	}
	return text, true
}

// isOpen says that an expression has a variable of the function without a value that is known.
func (s *insertion) isOpen(n cc.Node) (is bool) {
	visit(n, func(n cc.Node) {
		d := variableOfNode(n)
		if d == nil || d.Type().Kind() == cc.Function || isFileScope(d) {
			return
		}
		_, isKnown := s.values[d]
		is = is || !isKnown && s.isInside(d)
	})
	return is
}

// isInside says that a variable is one of a function that is called.
func (s *insertion) isInside(d *cc.Declarator) bool {
	return slices.ContainsFunc(s.inside, func(f *cc.FunctionDefinition) bool {
		own, _ := ownOf(f)
		return slices.Contains(own, d) || slices.Contains(parametersOf(f), d)
	})
}

// run takes over what a statement without return assigns.
func (s *insertion) run(n *cc.Statement) bool {
	switch n.Case {
	case cc.StatementExpr:
		return n.ExpressionStatement.ExpressionList == nil || s.assign(n.ExpressionStatement.ExpressionList)
	case cc.StatementCompound:
		for _, item := range itemsOf(n.CompoundStatement) {
			isDone := item.Case == cc.BlockItemDecl && s.declare(item.Declaration) || item.Case == cc.BlockItemStmt && s.run(item.Statement)
			if !isDone {
				return false
			}
		}
		return true
	case cc.StatementSelection:
		return n.SelectionStatement.Case != cc.SelectionStatementSwitch && s.runEither(n.SelectionStatement)
	}
	return false
}

// assign takes over an assignment to one of the function's variables.
func (s *insertion) assign(n cc.ExpressionNode) bool {
	d, value := assignmentOf(n)
	if d == nil || !s.isInside(d) {
		return false
	}
	update, isUpdate := value.(*updateNode)
	if !isUpdate {
		return s.set(d, value)
	}
	before, isKnown := s.values[d]
	second := "1"
	if update.Second != nil {
		if s.mayChange(update.Second) || s.isOpen(update.Second) {
			return false
		}
		second = asOperand(update.Second, s.text(update.Second))
	}
	isPlain := isNumberType(d.Type()) && (update.Second == nil || typeName(d.Type()) == typeName(update.Second.Type())) && d.Type().Size() >= 4
	s.values[d] = standsFor{text: fmt.Sprintf("(%s %s %s)", before.text, update.operator, second)}
	return isKnown && isPlain
}

// runEither takes over what an if assigns: one of two values.
func (s *insertion) runEither(n *cc.SelectionStatement) bool {
	if s.mayChange(n.ExpressionList) || s.isOpen(n.ExpressionList) {
		return false
	}
	condition := asOperand(n.ExpressionList, s.text(n.ExpressionList))
	yes, no := s.copied(), s.copied()
	if !yes.run(n.Statement) || n.Statement2 != nil && !no.run(n.Statement2) {
		return false
	}
	for d, value := range yes.values {
		switch other, isKnown := no.values[d]; {
		case !isKnown:
		case value.text != other.text:
			text := fmt.Sprintf("(%s ? %s : %s)", condition, value.text, other.text)
			if len(text) > mostInserted {
				return false
			}
			s.values[d] = standsFor{text: text}
		}
	}
	return true
}
