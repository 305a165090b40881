package frontend

import "modernc.org/cc/v4"

// What a program says of its values is a fact, because the rest of it has no meaning otherwise:
//
//	if (!(m > n)) __builtin_unreachable();    __builtin_assume(m > n);
//
// What it says of parameters limits the program's context, as far as that stays convex; and all of
// it is known where values are compared behind it in its block. The generated code does without.

const (
	unreachable = builtinPrefix + "unreachable"
	assumeFact  = builtinPrefix + "assume"
)

// statedFact is a condition that holds at a place.
type statedFact struct {
	at   place
	fact formula
}

// factIn is the condition that a statement says holds, or does not; nil for other statements.
func factIn(s *cc.Statement) (condition cc.ExpressionNode, holds bool) {
	switch s.Case {
	case cc.StatementIteration:
		// That of a macro: do { if (!(m > n)) __builtin_unreachable(); } while (0)
		if body := onlyStatement(s.IterationStatement.Statement); runsOnce(s.IterationStatement) && body != nil {
			return factIn(body)
		}
	case cc.StatementSelection:
		n := s.SelectionStatement
		if n.Case != cc.SelectionStatementIf || n.Statement == nil {
			return nil, false
		}
		body := onlyStatement(n.Statement)
		if body != nil && body.Case == cc.StatementExpr && callOf(body, unreachable) != nil {
			return n.ExpressionList, false
		}
	case cc.StatementExpr:
		for _, function := range []string{assumeFact, pencilAssume} {
			if call := callOf(s, function); call != nil && len(argumentsOf(call)) == 1 {
				return argumentsOf(call)[0], true
			}
		}
		return choiceOfUnreachable(s.ExpressionStatement.ExpressionList)
	}
	return nil, false
}

// choiceOfUnreachable is factIn for m > n ? (void) 0 : __builtin_unreachable().
func choiceOfUnreachable(n cc.ExpressionNode) (condition cc.ExpressionNode, holds bool) {
	if n == nil {
		return nil, false
	}
	choice, ok := unwrap(n).(*cc.ConditionalExpression)
	if !ok || choice.ExpressionList == nil {
		return nil, false
	}
	yes, no := choice.ExpressionList, choice.ConditionalExpression
	switch {
	case callTo(no, unreachable) != nil && !hasEffect(yes):
		return choice.LogicalOrExpression, true
	case callTo(yes, unreachable) != nil && !hasEffect(no):
		return choice.LogicalOrExpression, false
	}
	return nil, false
}

// callOf is the call of a function that a statement is, or nil.
func callOf(s *cc.Statement, function string) *cc.PostfixExpression {
	return callTo(s.ExpressionStatement.ExpressionList, function)
}

// callTo is the call of a function that an expression is, or nil.
func callTo(n cc.ExpressionNode, function string) *cc.PostfixExpression {
	if n == nil {
		return nil
	}
	call, ok := unwrap(n).(*cc.PostfixExpression)
	if !ok {
		return nil
	}
	if d := calledBy(call); d == nil || d.Name() != function {
		return nil
	}
	return call
}

// state notes a fact, and gives the place behind it. One that is not affine, or calls a function,
// is of no use, and one that would change something is refused.
func (x *extractor) state(condition cc.ExpressionNode, holds bool, at place) place {
	if hasEffect(condition) {
		c := x.newCollector(at)
		c.expression(condition)
		if x.accept(c) && writesAnything(c.references) {
			x.refuse(condition, "assumption", "an assumption that changes something", "compare values that are there")
		}
		return at
	}
	fact, err := x.evaluatorAt(at).condition(condition)
	if err != nil {
		return at
	}
	if !holds {
		fact = fact.negated()
	}
	x.stated = append(x.stated, statedFact{at, fact})
	at.known = append(at.known[:len(at.known):len(at.known)], fact)
	return at
}

// broken is the set of iterations for which a fact would not hold.
func (w *islWriter) broken(s statedFact) string {
	var names []string
	for _, l := range s.at.loops {
		names = append(names, l.tuple)
	}
	return w.set("", names, append(append([]formula{}, s.at.conditions...), s.fact.negated()))
}
