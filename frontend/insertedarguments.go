package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// pass decides what a function's parameters stand for in its body, and is the declarations of those
// that have a variable of their own.
func (s *insertion) pass(inner *insertion, f *cc.FunctionDefinition, arguments []cc.ExpressionNode) (declared string, ok bool) {
	changed := newFacts()
	visit(f.CompoundStatement, changed.look)
	// What is read behind the only assignment counts for nothing but the value.
	writesOnce := inner.target == "" && inner.writesIn(f.CompoundStatement) <= 1
	for k, d := range parametersOf(f) {
		value, fits := s.argument(arguments[k], d)
		if !fits {
			return "", false
		}
		isStruct := isStructType(d.Type())
		switch {
		case isStruct && inner.keepsStruct(f, d, value, changed, writesOnce):
			inner.values[d] = value
		case isStruct && holdsPointers(d.Type()):
			return "", false
		case !isStruct && changed.assigned[d] == nil && !d.AddressTaken() && (writesOnce || value.isSteady):
			inner.values[d] = value
		default:
			name := s.ownName(d)
			inner.values[d] = standsFor{text: name, isSteady: !d.AddressTaken()}
			declared += fmt.Sprintf("%s = %s; ", declaration(d.Type(), name), value.text)
		}
	}
	return declared, true
}

// isInVariable says that what v designates is a part of the variable's own memory.
func isInVariable(v lvalue) bool {
	isLeft := func(m member) bool { return m.isPointer() && len(v.subscripts) > m.after }
	return v.variable.Type().Kind() != cc.Ptr && !slices.ContainsFunc(v.members, isLeft)
}

// argument is what stands in the place of a parameter, if that may be the argument itself.
func (s *insertion) argument(n cc.ExpressionNode, d *cc.Declarator) (value standsFor, ok bool) {
	t := d.Type()
	value = standsFor{text: asOperand(n, s.text(n)), isSteady: s.isSteadyValue(n)}
	switch {
	case cc.IsArithmeticType(t) && cc.IsArithmeticType(n.Type()):
		value.text = converted(n.Type(), t, value.text)
		return value, true
	case t.Kind() == cc.Ptr && isPointer(n):
		if u, isUnary := unwrap(n).(*cc.UnaryExpression); isUnary && u.Case == cc.UnaryExpressionAddrof {
			value.pointee = asOperand(u.CastExpression, s.text(u.CastExpression))
		}
		if known, isKnown := s.values[variableOf(n)]; isKnown {
			value = known
		}
		return value, leadsToSameType(t, n.Type())
	}
	value.isSteady = s.isSteadyStruct(n)
	return value, t.Kind() == n.Type().Kind() && typeName(t) == typeName(n.Type()) && isLvalue(n)
}

// isLvalue says that an expression is a variable, or a part of one.
func isLvalue(n cc.ExpressionNode) bool {
	_, ok := resolve(n)
	return ok
}

// converted is an operand of one type as one of another.
func converted(from, to cc.Type, text string) string {
	if typeName(from) == typeName(to) {
		return text
	}
	return fmt.Sprintf("((%s) %s)", typeName(to), text)
}

// isSteadyValue says that nothing that a function assigns changes the value of an expression: there
// are only numbers, and integers and pointers that nobody has the address of, in it.
func (s *insertion) isSteadyValue(n cc.ExpressionNode) bool {
	steady := true
	walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.PostfixExpression:
			steady = steady && n.Case == cc.PostfixExpressionPrimary
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionAddrof && variableOf(n.CastExpression) != nil {
				return false
			}
			steady = steady && (n.Case == cc.UnaryExpressionMinus || n.Case == cc.UnaryExpressionPlus || n.Case == cc.UnaryExpressionPostfix)
		case *cc.PrimaryExpression:
			if d := variableOf(n); d != nil {
				known, isKnown := s.values[d]
				isSteady := d.StorageDuration() == cc.Automatic && !d.AddressTaken()
				steady = steady && (isKnown && known.isSteady || !isKnown && isSteady)
			}
		}
		return true
	})
	return steady
}

// writesIn is the number of times that a node of a function may assign what is not the function's
// own: any number more than one where it does so in a loop.
func (s *insertion) writesIn(n cc.Node) (count int) {
	add := func(target cc.ExpressionNode) {
		if d := variableOf(target); d == nil || isFileScope(d) {
			count++
		}
	}
	walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.IterationStatement:
			count += 2
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				add(n.UnaryExpression)
			}
		case *cc.PostfixExpression:
			switch n.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				add(n.PostfixExpression)
			case cc.PostfixExpressionCall:
				if s.callMayChange(n) {
					count += 2
				}
			}
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
				add(n.UnaryExpression)
			}
		}
		return true
	})
	return count
}
