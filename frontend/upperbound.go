package frontend

import (
	"math"

	"modernc.org/cc/v4"
)

// A subscript that depends on data may have a greatest value all the same, by its own arithmetic:
//
//	table[k & 255], table[pixel[i]] of unsigned char, table[v < 0 ? 0 : v > 99 ? 99 : v]
//
// Whoever makes the array has to know it.

// mostBelow bounds the extents that are found so.
const mostBelow = 1 << 16

// ceiling finds the greatest values of expressions under what conditions say.
type ceiling struct {
	x *extractor
	// known are the greatest values that conditions, and calls, give to expressions.
	known []upperFact
	// left is how many variables and calls may be looked into.
	left int
}

// upperFact is the greatest value of an expression, or of a parameter.
type upperFact struct {
	of    cc.ExpressionNode
	by    *cc.Declarator
	value int64
}

// noUpper is the greatest value of what may be anything.
const noUpper = math.MaxInt32

// belowOf is a number that a subscript is less than, 0 where none is found.
func (x *extractor) belowOf(n cc.ExpressionNode) int {
	if n == nil {
		return 0
	}
	c := &ceiling{x: x, left: datumSearch}
	if value := c.of(n); value >= 0 && value < mostBelow {
		return int(value) + 1
	}
	return 0
}

// of is the greatest value of an expression.
func (c *ceiling) of(n cc.ExpressionNode) int64 {
	n = unwrap(n)
	if value, isConstant := constantValue(n); isConstant {
		return value
	}
	most := min(c.byType(n), c.byOperation(n))
	for _, fact := range c.known {
		if fact.of != nil && same(n, fact.of) || fact.by != nil && fact.by == variableOf(n) {
			most = min(most, fact.value)
		}
	}
	return most
}

// byType is the greatest value that a type lets an expression have.
func (c *ceiling) byType(n cc.ExpressionNode) int64 {
	t := n.Type()
	if !cc.IsIntegerType(t) || t.Size() > 2 || t.Size() <= 0 {
		return noUpper
	}
	bits := 8 * t.Size()
	if !isUnsigned(t) {
		bits--
	}
	return 1<<bits - 1
}

// byOperation is the greatest value that an operation gives.
func (c *ceiling) byOperation(n cc.ExpressionNode) int64 {
	switch e := n.(type) {
	case *cc.CastExpression:
		if cc.IsIntegerType(e.Type()) && cc.IsIntegerType(e.CastExpression.Type()) && e.Type().Size() >= e.CastExpression.Type().Size() {
			return c.of(e.CastExpression)
		}
	case *cc.AndExpression:
		return min(c.mask(e.AndExpression), c.mask(e.EqualityExpression))
	case *cc.MultiplicativeExpression:
		return c.product(e)
	case *cc.AdditiveExpression:
		return c.sum(e)
	case *cc.ShiftExpression:
		by, isConstant := constantValue(e.AdditiveExpression)
		if most := c.of(e.ShiftExpression); isConstant && by >= 0 && by < 31 && most < noUpper && e.Case == cc.ShiftExpressionRsh {
			return most >> by
		}
	case *cc.ConditionalExpression:
		if e.ExpressionList != nil {
			yes := c.under(e.LogicalOrExpression, true).of(e.ExpressionList)
			return max(yes, c.under(e.LogicalOrExpression, false).of(e.ConditionalExpression))
		}
	case *cc.PostfixExpression:
		if called := calledBy(e); called != nil {
			return c.called(called, argumentsOf(e))
		}
	case *cc.PrimaryExpression:
		if d := variableOf(e); d != nil {
			return c.variable(d)
		}
	}
	return noUpper
}

// mask is the greatest value of what has no other bits than a constant.
func (c *ceiling) mask(n cc.ExpressionNode) int64 {
	if value, isConstant := constantValue(n); isConstant && value >= 0 {
		return value
	}
	return noUpper
}

func (c *ceiling) product(e *cc.MultiplicativeExpression) int64 {
	factor, other := e.MultiplicativeExpression, e.CastExpression
	if _, isConstant := constantValue(factor); isConstant && e.Case == cc.MultiplicativeExpressionMul {
		factor, other = other, factor
	}
	by, isConstant := constantValue(other)
	most := c.of(factor)
	switch {
	case !isConstant || by <= 0 || !cc.IsIntegerType(e.Type()):
	case e.Case == cc.MultiplicativeExpressionMod:
		return min(most, by-1)
	case most >= mostBelow:
	case e.Case == cc.MultiplicativeExpressionMul:
		return min(most*by, noUpper)
	case e.Case == cc.MultiplicativeExpressionDiv:
		return most / by
	}
	return noUpper
}

// sum takes what is subtracted to be a constant.
func (c *ceiling) sum(e *cc.AdditiveExpression) int64 {
	by, isConstant := constantValue(e.MultiplicativeExpression)
	most := c.of(e.AdditiveExpression)
	switch {
	case !cc.IsIntegerType(e.Type()) || most >= noUpper:
	case e.Case == cc.AdditiveExpressionAdd:
		return min(most+c.of(e.MultiplicativeExpression), noUpper)
	case isConstant:
		return most - by
	}
	return noUpper
}

// under is the ceiling where a condition holds, or where it does not.
func (c *ceiling) under(condition cc.ExpressionNode, holds bool) *ceiling {
	inner := *c
	left, op, right, ok := comparisonOf(unwrap(condition))
	if !ok || op == "!=" {
		return &inner
	}
	if !holds {
		op = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
	}
	if op == ">" || op == ">=" {
		left, right = right, left
	}
	if most := c.of(right); op != "" && most < noUpper {
		if op == "<" || op == ">" {
			most--
		}
		inner.known = append(inner.known[:len(inner.known):len(inner.known)], upperFact{of: left, value: most})
	}
	return &inner
}

// called is the greatest value of a function of the file that returns one expression, or one of
// several under conditions in front of it.
func (c *ceiling) called(d *cc.Declarator, arguments []cc.ExpressionNode) int64 {
	f := c.x.definitions[d.Name()]
	if f == nil || c.left == 0 {
		return noUpper
	}
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok || len(t.Parameters()) != len(arguments) {
		return noUpper
	}
	changed := newFacts()
	visit(f.CompoundStatement, changed.look)
	inner := &ceiling{x: c.x, left: c.left - 1}
	for k, p := range t.Parameters() {
		if p.Declarator == nil || changed.assigned[p.Declarator] != nil {
			return noUpper
		}
		inner.known = append(inner.known, upperFact{by: p.Declarator, value: c.of(arguments[k])})
	}
	most := int64(math.MinInt32)
	for _, item := range itemsOf(f.CompoundStatement) {
		if item.Case == cc.BlockItemDecl {
			continue
		}
		if item.Case != cc.BlockItemStmt {
			return noUpper
		}
		if value := returned(item.Statement); value != nil {
			return max(most, inner.of(value))
		}
		s := item.Statement.SelectionStatement
		if item.Statement.Case != cc.StatementSelection || s.Case != cc.SelectionStatementIf {
			return noUpper
		}
		value := returned(onlyStatement(s.Statement))
		if value == nil {
			return noUpper
		}
		most = max(most, inner.under(s.ExpressionList, true).of(value))
		inner = inner.under(s.ExpressionList, false)
	}
	return noUpper
}

// returned is the value that a statement returns, nil for others.
func returned(s *cc.Statement) cc.ExpressionNode {
	if s == nil || s.Case != cc.StatementJump || s.JumpStatement.Case != cc.JumpStatementReturn || s.JumpStatement.ExpressionList == nil {
		return nil
	}
	return s.JumpStatement.ExpressionList
}

// variable is the greatest of the values that the region gives to a variable of the function, or
// the one that it is cut down to: if (k > 255) k = 255;
func (c *ceiling) variable(d *cc.Declarator) int64 {
	if c.left == 0 || d.IsParam() || isFileScope(d) || d.AddressTaken() || c.isCounted(d) {
		return noUpper
	}
	inner := *c
	inner.left--
	most, cut := int64(math.MinInt32), int64(noUpper)
	for _, item := range c.x.items {
		visit(item, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.InitDeclarator:
				if n.Declarator == d && n.Initializer != nil {
					most = max(most, inner.of(n.Initializer.AssignmentExpression))
				}
			case *cc.AssignmentExpression:
				if n.Case != cc.AssignmentExpressionCond && variableOf(n.UnaryExpression) == d {
					most = max(most, inner.of(n.AssignmentExpression))
				}
			case *cc.SelectionStatement:
				cut = min(cut, c.cutDown(n, d))
			}
		})
	}
	if most == math.MinInt32 {
		return noUpper
	}
	return min(most, cut)
}

// isCounted says whether a variable of the region gets values otherwise than by = alone.
func (c *ceiling) isCounted(d *cc.Declarator) (is bool) {
	for _, item := range c.x.items {
		visit(item, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.AssignmentExpression:
				isOther := n.Case != cc.AssignmentExpressionAssign && n.Case != cc.AssignmentExpressionCond
				is = is || isOther && variableOf(n.UnaryExpression) == d
			case *cc.PostfixExpression:
				is = is || (n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec) && variableOf(n.PostfixExpression) == d
			case *cc.UnaryExpression:
				is = is || (n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec) && variableOf(n.UnaryExpression) == d
			}
		})
	}
	return is
}

// cutDown is the constant that an if sets a variable to where it is larger.
func (c *ceiling) cutDown(n *cc.SelectionStatement, d *cc.Declarator) int64 {
	body := onlyStatement(n.Statement)
	if n.Case != cc.SelectionStatementIf || body == nil || body.Case != cc.StatementExpr {
		return noUpper
	}
	e, isAssignment := unwrap(body.ExpressionStatement.ExpressionList).(*cc.AssignmentExpression)
	left, op, _, isComparison := comparisonOf(unwrap(n.ExpressionList))
	if !isAssignment || !isComparison || variableOf(e.UnaryExpression) != d || variableOf(left) != d || op != ">" && op != ">=" {
		return noUpper
	}
	if value, isConstant := constantValue(e.AssignmentExpression); isConstant {
		return value
	}
	return noUpper
}
