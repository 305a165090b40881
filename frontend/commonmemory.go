package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// Two pointers of the function may lead into the same memory, though the region uses that by no
// name of its own:
//
//	double *low = buffer, *high = buffer + 1;
//	#pragma scop
//	for (i = 0; i < n; i++)
//	  high[i] = 2 * low[i];
//
// Each is a second name of that memory, and read as the place where it leads.

// pointerPlace is where a pointer stands: a variable, or a member or an element of one.
type pointerPlace struct {
	variable *cc.Declarator
	path     string
}

// sharesMemory says whether two pointers have values that begin at one pointer or one array, perhaps
// by others, and whether it matters.
func (x *extractor) sharesMemory(a, b *arrayInfo) bool {
	if !a.open || !b.open || a.pointerPlace() == b.pointerPlace() || !mayShareElements(a.Type, b.Type) || !x.isWritten(a) && !x.isWritten(b) {
		return false
	}
	values := x.pointerValues()
	starts := startsOfMemory(a.pointerPlace(), values)
	return slices.ContainsFunc(startsOfMemory(b.pointerPlace(), values), func(p pointerPlace) bool { return slices.Contains(starts, p) })
}

// pointerPlace is where the pointer stands behind which the array lies.
func (a *arrayInfo) pointerPlace() pointerPlace { return pointerPlace{a.declarator, a.origin} }

// pointerValues are the values that the function gives to pointers of its own.
func (x *extractor) pointerValues() map[pointerPlace][]cc.ExpressionNode {
	values := map[pointerPlace][]cc.ExpressionNode{}
	note := func(p pointerPlace, value cc.ExpressionNode) {
		if value != nil && !p.variable.IsParam() {
			values[p] = append(values[p], value)
		}
	}
	x.visitFunction(func(n cc.Node) {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if n.Initializer != nil {
				note(pointerPlace{variable: n.Declarator}, n.Initializer.AssignmentExpression)
				noteMembers(n.Declarator, n.Initializer, note)
			}
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionAssign {
				return
			}
			if v, ok := resolve(n.UnaryExpression); ok && v.variable.StorageDuration() == cc.Automatic {
				note(pointerPlace{v.variable, v.arrayPath(len(v.members))}, n.AssignmentExpression)
			}
		}
	})
	return values
}

// noteMembers notes the values that a struct's pointers are declared with.
func noteMembers(d *cc.Declarator, n *cc.Initializer, note func(pointerPlace, cc.ExpressionNode)) {
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		if f := l.Initializer.Field(); f != nil {
			note(pointerPlace{d, "." + f.Name()}, l.Initializer.AssignmentExpression)
		}
	}
}

// startsOfMemory are the pointers and arrays at which what a pointer leads to may begin.
func startsOfMemory(p pointerPlace, values map[pointerPlace][]cc.ExpressionNode) (starts []pointerPlace) {
	for reached, k := []pointerPlace{p}, 0; k < len(reached); k++ {
		starts = append(starts, reached[k])
		for _, value := range values[reached[k]] {
			for _, next := range placesIn(value) {
				if !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
	}
	return starts
}

// placesIn are the pointers and arrays at which the value of a pointer may begin. What functions
// make has memory of its own.
func placesIn(n cc.ExpressionNode) []pointerPlace {
	switch n := withoutPromise(unwrap(n)).(type) {
	case nil:
	case *cc.CastExpression:
		return placesIn(n.CastExpression)
	case *cc.AdditiveExpression:
		return append(placesIn(n.AdditiveExpression), placesIn(n.MultiplicativeExpression)...)
	case *cc.ConditionalExpression:
		return append(placesIn(n.ExpressionList), placesIn(n.ConditionalExpression)...)
	case *cc.UnaryExpression:
		if v, ok := resolve(n.CastExpression); ok && n.Case == cc.UnaryExpressionAddrof {
			return placeOf(v)
		}
	case *cc.PrimaryExpression, *cc.PostfixExpression:
		if v, ok := resolve(n); ok && isPointer(n) {
			return placeOf(v)
		}
	}
	return nil
}

// placeOf is the pointer, or the array, that an element lies behind; nil where a pointer on the way
// to it is an element whose number is not constant.
func placeOf(v lvalue) []pointerPlace {
	p := pointerPlace{variable: v.variable}
	t, written := v.variable.Type(), 0
	for _, m := range v.members {
		if !areConstant(v.subscripts[written:m.after]) {
			return nil
		}
		p.path += elementNumbers(v.subscripts[written:m.after]) + "." + m.field.Name()
		t, written = m.field.Type(), m.after
	}
	for ; written < len(v.subscripts); written++ {
		if t = pointedType(t); t.Kind() != cc.Ptr {
			continue
		}
		number := v.subscripts[written : written+1]
		if !areConstant(number) {
			return nil
		}
		p.path += elementNumbers(number)
	}
	return []pointerPlace{p}
}

// areConstant says whether subscripts are constants; nil stands for 0.
func areConstant(subscripts []cc.ExpressionNode) bool {
	return !slices.ContainsFunc(subscripts, func(s cc.ExpressionNode) bool {
		if s == nil {
			return false
		}
		_, isConstant := constantValue(s)
		return !isConstant
	})
}
