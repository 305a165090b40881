package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// isStructType says that values of a type are structs or unions.
func isStructType(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// keepsStruct says that a struct that is given to a function stands for the function's parameter d:
// the function changes neither of them while it needs the value. Nothing reaches a variable of the
// region's own function whose address nobody has. Other structs stay what they are where the
// function assigns to none of their type, nor to what they lie in or have in them.
func (s *insertion) keepsStruct(f *cc.FunctionDefinition, d *cc.Declarator, value standsFor, changed *facts, writesOnce bool) bool {
	if d.AddressTaken() || slices.ContainsFunc(changed.written[d], isInVariable) {
		return false
	}
	isOther := func(t cc.Type) bool { return !holdsType(t, d.Type()) && !holdsType(d.Type(), t) }
	types, ok := s.typesWritten(f)
	return writesOnce || value.isSteady || ok && !slices.ContainsFunc(types, func(t cc.Type) bool { return !isOther(t) })
}

// isSteadyStruct says that a struct that is given to a function is a variable of the region's own
// function whose address nobody has, also by an array in it.
func (s *insertion) isSteadyStruct(n cc.ExpressionNode) bool {
	d := variableOf(n)
	if d == nil {
		return false
	}
	if known, isKnown := s.values[d]; isKnown {
		return known.isSteady
	}
	return d.StorageDuration() == cc.Automatic && !d.AddressTaken() && !holdsArray(d.Type())
}

// holdsArray says that a value of the type has an array in it.
func holdsArray(t cc.Type) bool {
	return t.Kind() == cc.Array || slices.ContainsFunc(memberTypes(t), holdsArray)
}

// holdsType says that a value of the type is, or has in it, one of another type.
func holdsType(t, other cc.Type) bool {
	for t.Kind() == cc.Array {
		t = t.(*cc.ArrayType).Elem()
	}
	return typeName(t) == typeName(other) || slices.ContainsFunc(memberTypes(t), func(m cc.Type) bool { return holdsType(m, other) })
}

// memberTypes are the types of a struct's or union's members; other types have none.
func memberTypes(t cc.Type) (list []cc.Type) {
	of, ok := t.(interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	})
	if !ok {
		return nil
	}
	for i := range of.NumFields() {
		list = append(list, of.FieldByIndex(i).Type())
	}
	return list
}

// typesWritten are the types of the variables and elements, as wholes, that a function of the file
// and those that it calls assign to or into, besides their own; ok is false where that is not known
// of some.
func (s *insertion) typesWritten(f *cc.FunctionDefinition) (list []cc.Type, ok bool) {
	ok = true
	visit(f.CompoundStatement, func(n cc.Node) {
		if call, isPostfix := n.(*cc.PostfixExpression); isPostfix && call.Case == cc.PostfixExpressionCall && s.callMayChange(call) {
			types, isKnown := s.typesWrittenBy(call)
			list, ok = append(list, types...), ok && isKnown
		}
		if target := assignedIn(n); target != nil && !isOwnPlace(target) {
			t := wholeType(target)
			list, ok = append(list, t), ok && t != nil
		}
	})
	return list, ok
}

// assignedIn is what a node itself assigns to, nil for a node that is no assignment.
func assignedIn(n cc.Node) cc.ExpressionNode {
	if !assigns(n) {
		return nil
	}
	switch n := n.(type) {
	case *cc.AssignmentExpression:
		return n.UnaryExpression
	case *cc.UnaryExpression:
		return n.UnaryExpression
	case *cc.PostfixExpression:
		return n.PostfixExpression
	}
	return nil
}

// isOwnPlace says that an expression designates a variable that a function declares, or a part of
// its memory.
func isOwnPlace(n cc.ExpressionNode) bool {
	v, ok := resolve(n)
	return ok && !isFileScope(v.variable) && elementOf(v.variable.Type()) == v.variable.Type() && isInVariable(v)
}

// typesWrittenBy is typesWritten for the function that a call names.
func (s *insertion) typesWrittenBy(call *cc.PostfixExpression) (list []cc.Type, ok bool) {
	d := calledBy(call)
	if d == nil || s.r.x.definitions[d.Name()] == nil || s.callsItself(s.r.x.definitions[d.Name()]) {
		return nil, false
	}
	return s.typesWritten(s.r.x.definitions[d.Name()])
}

// wholeType is the type of the variable, or of what a pointer leads to, that an expression is a
// part of: of p->in.x that of *p, and of p->v[i].x that of p->v[i]. It is nil for what is none.
func wholeType(n cc.ExpressionNode) cc.Type {
	switch x := withoutCasts(n).(type) {
	case *cc.PrimaryExpression:
		if d := variableOf(x); d != nil {
			return elementOf(d.Type())
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return wholeType(x.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return pointedType(x.PostfixExpression.Type())
		case cc.PostfixExpressionIndex:
			if _, isArray := x.PostfixExpression.Type().Undecay().(*cc.ArrayType); isArray {
				return wholeType(x.PostfixExpression)
			}
			return x.Type()
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionDeref:
			return x.Type()
		case cc.UnaryExpressionReal, cc.UnaryExpressionImag:
			return wholeType(x.UnaryExpression)
		}
	}
	return nil
}
