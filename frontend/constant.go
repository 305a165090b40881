package frontend

import (
	"modernc.org/cc/v4"
)

// constantValue is the value of an integer constant expression. The front end of C knows that of an
// assignment, too, and the size of an array where C means that of a pointer: what has effects or
// such sizes in it is not constant.
func constantValue(n cc.ExpressionNode) (int64, bool) {
	if !cc.IsIntegerType(n.Type()) {
		return 0, false
	}
	value := int64(0)
	switch v := n.Value().(type) {
	case cc.Int64Value:
		value = int64(v)
	case cc.UInt64Value:
		value = int64(min(uint64(v), 1<<62))
	default:
		return 0, false
	}
	return value, !hasEffect(n) && hasKnownSizes(n)
}

// hasEffect says that an expression assigns a value, or calls a function.
func hasEffect(n cc.Node) (found bool) {
	visit(n, func(n cc.Node) {
		call, ok := n.(*cc.PostfixExpression)
		found = found || assigns(n) || ok && call.Case == cc.PostfixExpressionCall
	})
	return found
}

// assigns says that a node itself is an assignment.
func assigns(n cc.Node) bool {
	switch n := n.(type) {
	case *cc.AssignmentExpression:
		return n.Case != cc.AssignmentExpressionCond
	case *cc.UnaryExpression:
		return n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec
	case *cc.PostfixExpression:
		return n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec
	}
	return false
}

// hasKnownSizes says that sizes in an expression are those that compilers take: not those of
// structs and unions, which may be packed, or the places of their members, nor those of arrays that
// decay to pointers.
func hasKnownSizes(n cc.Node) bool {
	known := true
	visit(n, func(n cc.Node) {
		u, ok := n.(*cc.UnaryExpression)
		if !ok {
			return
		}
		switch u.Case {
		case cc.UnaryExpressionSizeofExpr:
			known = known && isPlain(u.UnaryExpression.Type()) && !decays(u.UnaryExpression)
		case cc.UnaryExpressionAlignofExpr:
			known = known && isPlain(u.UnaryExpression.Type())
		case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
			known = known && isPlain(u.TypeName.Type())
		case cc.UnaryExpressionAddrof:
			known = false
		}
	})
	return known
}

// isPlain says that a type, or that of the elements of an array, is a number or a pointer to data,
// of the size that its name says.
func isPlain(t cc.Type) bool {
	t = t.Undecay()
	for array, ok := t.(*cc.ArrayType); ok; array, ok = t.(*cc.ArrayType) {
		t = array.Elem().Undecay()
	}
	if pointer, ok := t.(*cc.PointerType); ok {
		return pointer.Elem().Kind() != cc.Function
	}
	attributes := t.Attributes()
	hasMode := attributes != nil && (attributes.IsAttrSet("mode") || attributes.IsAttrSet("__mode__"))
	return t.Kind() != cc.Struct && t.Kind() != cc.Union && t.Kind() != cc.Function && !hasMode
}

// decays says that an expression is a pointer to the first element of an array, and no array: an
// argument written as one, or the value of an operation.
func decays(n cc.ExpressionNode) bool {
	if _, isArray := n.Type().Undecay().(*cc.ArrayType); !isArray {
		return false
	}
	switch n := unwrap(n).(type) {
	case *cc.PrimaryExpression:
		d := variableOf(n)
		return d != nil && isArrayArgument(d)
	case *cc.PostfixExpression:
		return n.Case != cc.PostfixExpressionIndex && n.Case != cc.PostfixExpressionSelect && n.Case != cc.PostfixExpressionPSelect && n.Case != cc.PostfixExpressionComplit
	case *cc.UnaryExpression:
		return n.Case != cc.UnaryExpressionDeref
	}
	return true
}
