package frontend

import (
	"modernc.org/cc/v4"
)

// lvalue is what an expression designates: a variable, or a part of it that
// subscripts and members of structs lead to.
type lvalue struct {
	variable   *cc.Declarator
	name       cc.Node
	subscripts []cc.ExpressionNode
	members    []member
	// flat says that the last subscript counts elements from the first one of all rows on.
	flat bool
}

// member is one step from a struct to a member of it.
type member struct {
	field *cc.Field
	// after is the number of subscripts in front of the member.
	after int
	// shared says that the member's memory is not its own: it is one of a
	// union or a bit-field.
	shared bool
}

// isPointer says that the member is a pointer, so that what it points to lies
// outside of the struct.
func (m member) isPointer() bool { return m.field.Type().Kind() == cc.Ptr }

// path is the way over the first steps members, such as ".pos.x".
func (v lvalue) path(steps int) string {
	path := ""
	for _, m := range v.members[:steps] {
		path += "." + m.field.Name()
	}
	return path
}

// ownSteps is the number of members up to the first that shares its memory.
func (v lvalue) ownSteps() int {
	for k, m := range v.members {
		if m.shared {
			return k
		}
	}
	return len(v.members)
}

// subscriptsOf are the subscripts that belong to the first steps members.
func (v lvalue) subscriptsOf(steps int) []cc.ExpressionNode {
	if steps == len(v.members) {
		return v.subscripts
	}
	return v.subscripts[:v.members[steps].after]
}

// startsWith says that the path of v begins with the first steps of w's.
func (v lvalue) startsWith(w lvalue, steps int) bool {
	return steps <= len(v.members) && v.path(steps) == w.path(steps)
}

// overlaps says that both may designate a common place of the same variable,
// as far as their members tell.
func (v lvalue) overlaps(w lvalue) bool {
	steps := min(v.ownSteps(), w.ownSteps())
	return v.startsWith(w, steps)
}

// resolve finds the variable and the subscripts of an expression; ok is false
// for an expression that designates no variable's element. A number in a vector or in
// a complex number is a part of its element.
func resolve(n cc.ExpressionNode) (v lvalue, ok bool) {
	switch x := withoutCasts(n).(type) {
	case *cc.PrimaryExpression:
		d := variableOf(x)
		return lvalue{variable: d, name: x}, d != nil
	case *cc.PostfixExpression:
		return resolvePostfix(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionDeref:
			return resolvePointed(x.CastExpression)
		case cc.UnaryExpressionReal, cc.UnaryExpressionImag:
			return resolve(x.UnaryExpression)
		}
	}
	return v, false
}

func resolvePostfix(x *cc.PostfixExpression) (v lvalue, ok bool) {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		switch withoutCasts(x.PostfixExpression).(type) {
		case *cc.AdditiveExpression, *cc.UnaryExpression:
			if v, ok = resolvePointed(x.PostfixExpression); ok {
				return v.movedBy(x.ExpressionList, false)
			}
		}
		v, ok = resolve(x.PostfixExpression)
		v.subscripts = append(v.subscripts, x.ExpressionList)
		return v, ok
	case cc.PostfixExpressionSelect:
		v, ok = resolve(x.PostfixExpression)
		return v.selecting(x), ok && x.Field() != nil
	case cc.PostfixExpressionPSelect:
		v, ok = resolvePointed(x.PostfixExpression)
		return v.selecting(x), ok && x.Field() != nil
	}
	return v, false
}

// selecting is a member of v. One of an unnamed struct or union inside it
// counts as shared: nothing else tells those two apart.
func (v lvalue) selecting(x *cc.PostfixExpression) lvalue {
	f := x.Field()
	if f == nil {
		return v
	}
	of := x.PostfixExpression.Type()
	if p, ok := of.(*cc.PointerType); ok && x.Case == cc.PostfixExpressionPSelect {
		of = p.Elem()
	}
	shared := of.Kind() == cc.Union || f.IsBitfield() || f.Parent() != nil
	v.members = append(v.members[:len(v.members):len(v.members)], member{f, len(v.subscripts), shared})
	return v
}

// resolvePointed is the element that p, p + i, p + i - j or a cast of these to the type that they
// have points to. A nil subscript stands for 0.
func resolvePointed(n cc.ExpressionNode) (v lvalue, ok bool) {
	n = withoutCasts(n)
	if sum, isSum := n.(*cc.AdditiveExpression); isSum {
		pointer, index := sum.AdditiveExpression, sum.MultiplicativeExpression
		isDifference := sum.Case == cc.AdditiveExpressionSub
		if !isPointer(pointer) && !isDifference {
			pointer, index = index, pointer
		}
		if v, ok = resolvePointed(pointer); !ok || !isPointer(pointer) || isPointer(index) {
			return v, false
		}
		return v.movedBy(index, isDifference)
	}
	if u, isUnary := n.(*cc.UnaryExpression); isUnary && u.Case == cc.UnaryExpressionAddrof {
		return addressOf(u.CastExpression)
	}
	v, ok = resolve(n)
	v.subscripts = append(v.subscripts, nil)
	return v, ok && isPointer(n)
}

// withoutCasts strips parentheses, and casts of addresses to the type that they have.
func withoutCasts(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		n = unwrap(n)
		cast, ok := n.(*cc.CastExpression)
		if !ok || cast.Case != cc.CastExpressionCast || !isPointer(cast) || !isPointer(cast.CastExpression) || !leadsToSameType(cast.Type(), cast.CastExpression.Type()) {
			return n
		}
		n = cast.CastExpression
	}
}

// leadsToSameType says whether two pointers, or arrays, have elements of the same type and extents.
// Extents that are not constant are not compared.
func leadsToSameType(a, b cc.Type) bool {
	a, b = pointedType(a), pointedType(b)
	for a.Kind() == cc.Array && b.Kind() == cc.Array {
		x, y := a.(*cc.ArrayType), b.(*cc.ArrayType)
		if x.IsVLA() || y.IsVLA() || x.Len() != y.Len() {
			return false
		}
		a, b = x.Elem(), y.Elem()
	}
	isData := cc.IsArithmeticType(a) || a.Kind() == cc.Struct || a.Kind() == cc.Union
	return isData && a.Kind() == b.Kind() && typeName(a) == typeName(b) && a.Size() == b.Size() && a.Attributes().IsVolatile() == b.Attributes().IsVolatile()
}

// pointedType is the type of what a pointer leads to, or of an array's elements.
func pointedType(t cc.Type) cc.Type {
	switch t := t.(type) {
	case *cc.PointerType:
		return t.Elem()
	case *cc.ArrayType:
		return t.Elem()
	}
	return t
}

// movedBy is the element that a pointer to v plus an index, or minus one, leads to: that of v's
// last subscript plus or minus the index. ok is false where v has no subscript of its own.
func (v lvalue) movedBy(index cc.ExpressionNode, back bool) (moved lvalue, ok bool) {
	last := len(v.subscripts) - 1
	if last < 0 || len(v.members) > 0 && last < v.members[len(v.members)-1].after {
		return v, false
	}
	subscripts := append([]cc.ExpressionNode{}, v.subscripts...)
	switch {
	case subscripts[last] != nil:
		index = &indexSum{subscripts[last], index, back}
	case back:
		index = &indexSum{ExpressionNode: index, isDifference: true}
	}
	subscripts[last] = index
	v.subscripts = subscripts
	return v, true
}

// indexSum is the sum, or the difference, of two subscripts that C adds to a pointer one after the
// other, as in *(p + i * n - j). The first one is embedded. Of a difference without a second one it
// is what is subtracted from 0.
type indexSum struct {
	cc.ExpressionNode
	Second       cc.ExpressionNode
	isDifference bool
}

// Type is the one that the sum would have if it stood in parentheses.
func (s *indexSum) Type() cc.Type {
	if s.Second == nil {
		return s.ExpressionNode.Type()
	}
	return cc.UsualArithmeticConversions(s.ExpressionNode.Type(), s.Second.Type())
}

// Value is not known: the sum is none of the parser's.
func (s *indexSum) Value() cc.Value { return cc.Unknown }

// indexTerm is a subscript that is added, or subtracted with the factor -1.
type indexTerm struct {
	cc.ExpressionNode
	factor int64
}

// terms are those that the sum adds up.
func (s *indexSum) terms() []indexTerm {
	sign := int64(1)
	if s.isDifference {
		sign = -1
	}
	if s.Second == nil {
		return []indexTerm{{s.ExpressionNode, sign}}
	}
	return []indexTerm{{s.ExpressionNode, 1}, {s.Second, sign}}
}

func isPointer(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array
}
