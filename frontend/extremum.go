package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// libraryExtrema are the functions of the C library that choose one of two
// arguments.
var libraryExtrema = map[string]scop.Operator{
	"fmin": scop.Minimum, "fminf": scop.Minimum, "fminl": scop.Minimum,
	"fmax": scop.Maximum, "fmaxf": scop.Maximum, "fmaxl": scop.Maximum,
}

// calledOperator is the operator that a call applies to the accumulator and
// something else, or "".
func (x *extractor) calledOperator(call *cc.PostfixExpression, accumulator cc.ExpressionNode) scop.Operator {
	d, list := calledBy(call), call.ArgumentExpressionList
	if d == nil || list == nil || list.ArgumentExpressionList == nil || list.ArgumentExpressionList.ArgumentExpressionList != nil {
		return ""
	}
	arguments := []cc.ExpressionNode{list.AssignmentExpression, list.ArgumentExpressionList.AssignmentExpression}
	kind := accumulator.Type().Kind()
	differs := func(n cc.ExpressionNode) bool { return n.Type().Kind() != kind }
	isOne := func(n cc.ExpressionNode) bool { return same(n, accumulator) }
	if !slices.ContainsFunc(arguments, isOne) || slices.ContainsFunc(arguments, differs) {
		return ""
	}
	if f := x.definitions[d.Name()]; f != nil {
		return chosenBy(f)
	}
	return libraryExtrema[d.Name()]
}

// chosenBy is the operator of a function that returns the smaller or the larger
// one of its two arguments, or "".
func chosenBy(f *cc.FunctionDefinition) scop.Operator {
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok || len(t.Parameters()) != 2 {
		return ""
	}
	for _, p := range t.Parameters() {
		if p.Type().Kind() != t.Result().Kind() {
			return ""
		}
	}
	condition, yes, no := choiceOf(withoutSynthetic(itemsOf(f.CompoundStatement)))
	first, second := variableOf(yes), variableOf(no)
	if first == nil || second == nil || first == second || !first.IsParam() || !second.IsParam() {
		return ""
	}
	return selected(condition, yes, no, yes)
}

// choiceOf is what a function returns whose body is return c ? y : n, or
// if (c) return y; return n; with an else or without. It is nil for others.
func choiceOf(items []*cc.BlockItem) (condition, yes, no cc.ExpressionNode) {
	if len(items) == 0 || items[0].Case != cc.BlockItemStmt {
		return nil, nil, nil
	}
	s := items[0].Statement
	if choice, ok := unwrap(returnedBy(s)).(*cc.ConditionalExpression); ok && choice.ExpressionList != nil {
		return choice.LogicalOrExpression, choice.ExpressionList, choice.ConditionalExpression
	}
	if s.Case != cc.StatementSelection {
		return nil, nil, nil
	}
	n := s.SelectionStatement
	other := n.Statement2
	if len(items) == 2 && items[1].Case == cc.BlockItemStmt && other == nil {
		other = items[1].Statement
	}
	if other == nil || n.Case == cc.SelectionStatementSwitch {
		return nil, nil, nil
	}
	return n.ExpressionList, returnedBy(n.Statement), returnedBy(other)
}

// returnedBy is the expression that a statement returns, or nil.
func returnedBy(s *cc.Statement) cc.ExpressionNode {
	s = onlyStatement(s)
	if s == nil || s.Case != cc.StatementJump || s.JumpStatement.Case != cc.JumpStatementReturn {
		return nil
	}
	return s.JumpStatement.ExpressionList
}
