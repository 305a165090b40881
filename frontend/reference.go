package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// reference is one mention of an array or scalar in a statement.
type reference struct {
	array            *arrayInfo
	subscripts       []subscript
	conditions       []formula
	read, write, may bool
	where            Position
}

// subscript is an index of a reference; known is false where it depends on
// data, so that it may be anything.
type subscript struct {
	value affine
	known bool
}

// choice is one case of a reference with piecewise subscripts.
type choice struct {
	subscripts []string
	conditions []formula
}

// choices are all combinations of the pieces of the subscripts.
func (r reference) choices() []choice {
	all := []choice{{}}
	for k, s := range r.subscripts {
		pieces := s.value.pieces
		if !s.known {
			pieces = []piece{{nil, variableForm(fmt.Sprintf("any%d", k))}}
		}
		var longer []choice
		for _, c := range all {
			for _, p := range pieces {
				next := choice{append(append([]string{}, c.subscripts...), p.value.String()), append([]formula{}, c.conditions...)}
				if p.when != nil {
					next.conditions = append(next.conditions, p.when)
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

// writesFirst moves the first written reference to the front.
func writesFirst(references []reference) []reference {
	for i, r := range references {
		if r.write {
			sorted := append([]reference{r}, references[:i]...)
			return append(sorted, references[i+1:]...)
		}
	}
	return references
}

// lvalue is what an expression designates: a variable and subscripts.
type lvalue struct {
	variable   *cc.Declarator
	name       cc.Node
	subscripts []cc.ExpressionNode
	// partial says that only a member of the element is meant.
	partial bool
}

// resolve finds the variable and the subscripts of an expression; ok is false
// for an expression that designates no variable's element.
func resolve(n cc.ExpressionNode) (v lvalue, ok bool) {
	switch x := unwrap(n).(type) {
	case *cc.PrimaryExpression:
		d := variableOf(x)
		return lvalue{variable: d, name: x}, d != nil
	case *cc.PostfixExpression:
		return resolvePostfix(x)
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return resolvePointed(x.CastExpression)
		}
	}
	return v, false
}

func resolvePostfix(x *cc.PostfixExpression) (v lvalue, ok bool) {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		v, ok = resolve(x.PostfixExpression)
		if !v.partial {
			v.subscripts = append(v.subscripts, x.ExpressionList)
		}
		return v, ok
	case cc.PostfixExpressionSelect:
		v, ok = resolve(x.PostfixExpression)
		v.partial = true
		return v, ok
	case cc.PostfixExpressionPSelect:
		v, ok = resolvePointed(x.PostfixExpression)
		v.partial = true
		return v, ok
	}
	return v, false
}

// resolvePointed is the element that p or p + i points to. A nil subscript
// stands for 0.
func resolvePointed(n cc.ExpressionNode) (v lvalue, ok bool) {
	n = unwrap(n)
	if sum, isSum := n.(*cc.AdditiveExpression); isSum && sum.Case == cc.AdditiveExpressionAdd {
		pointer, index := sum.AdditiveExpression, sum.MultiplicativeExpression
		if !isPointer(pointer) {
			pointer, index = index, pointer
		}
		v, ok = resolve(pointer)
		if !v.partial {
			v.subscripts = append(v.subscripts, index)
		}
		return v, ok && isPointer(pointer)
	}
	v, ok = resolve(n)
	if !v.partial {
		v.subscripts = append(v.subscripts, nil)
	}
	return v, ok && isPointer(n)
}

func isPointer(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array
}

// arrayOf is the array of a variable; the first mention makes it.
func (x *extractor) arrayOf(d *cc.Declarator, at cc.Node) (*arrayInfo, error) {
	for _, a := range x.arrays {
		if a.declarator == d {
			return a, nil
		}
	}
	element, extents := x.arrayShape(d.Type())
	info := &arrayInfo{declarator: d}
	info.Name, info.Type, info.Extents = d.Name(), typeName(element), extents
	info.Local, info.Argument = x.facts.local[d], d.IsParam()
	if err := x.checkArray(d, element, at); err != nil {
		return nil, err
	}
	info.Size = int(element.Size())
	info.Members = membersOf(element)
	for _, a := range x.arrays {
		if a.Name != info.Name {
			continue
		}
		if a.Local && info.Local && a.Array.String() == info.Array.String() {
			return a, nil
		}
		return nil, x.errorAt(d, "declaration", fmt.Sprintf("the region uses two different variables named %s", info.Name),
			"rename one of them")
	}
	x.arrays = append(x.arrays, info)
	return info, nil
}

// checkArray refuses variables whose elements may overlap or change on their
// own.
func (x *extractor) checkArray(d *cc.Declarator, element cc.Type, at cc.Node) error {
	name := d.Name()
	switch {
	case d.IsVolatile() || d.IsAtomic() || element.Attributes().IsVolatile():
		return x.errorAt(at, "volatile", name+" is volatile or atomic", "the region may only use plain variables")
	case element.Kind() == cc.Ptr:
		return x.errorAt(at, "pointer", fmt.Sprintf("%s is an array of pointers: its rows may overlap", name),
			fmt.Sprintf("declare it as an array of arrays or as %s (*%s)[M]", typeName(element.(*cc.PointerType).Elem()), name))
	case element.Kind() == cc.Function:
		return x.errorAt(at, "function", name+" is a function", "only its value in a call may be used")
	case element.Kind() == cc.Void || element.Size() <= 0:
		return x.errorAt(at, "variable", "the elements of "+name+" have no size", "give it a complete type such as double *")
	case d.Type().Kind() == cc.Ptr && x.facts.assigned[d] != nil:
		return x.errorAt(x.facts.assigned[d], "pointer", fmt.Sprintf("the pointer %s changes inside the region", name),
			"index it from a fixed start: p[i] instead of *p++")
	case d.IsThreadLocal():
		return x.errorAt(at, "thread-local", name+" is thread-local, so other threads would use another variable", "copy it to a plain variable first")
	}
	return nil
}
