package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// allocation is what a function does with a pointer by which alone memory is reached that malloc or
// one of its like has returned.
type allocation struct {
	// by are the functions that return the memory.
	by []string
	// elements are where the function names numbers of the memory.
	elements []*cc.PrimaryExpression
}

// allocators are functions of the C library that return memory to which nothing else leads.
var allocators = []string{"malloc", "calloc", "aligned_alloc", "alloca", "__builtin_alloca"}

// allocated is what the function does with memory that it takes for itself, and to which a variable
// alone leads: the function names that where it sets it, outside of the region, in numbers of the
// memory, and where it frees the memory, compares the pointer or asks for a size. It is nil for all
// other variables.
func (x *extractor) allocated(d *cc.Declarator) *allocation {
	known, isKnown := x.allocations[d]
	if !isKnown {
		known = x.findAllocation(d)
		x.allocations[d] = known
	}
	return known
}

func (x *extractor) findAllocation(d *cc.Declarator) *allocation {
	if d.Type().Kind() != cc.Ptr || d.IsParam() || d.StorageDuration() != cc.Automatic || d.AddressTaken() {
		return nil
	}
	uses := pointerUses{pointer: d, harmless: map[*cc.PrimaryExpression]bool{}}
	walk(x.function.CompoundStatement, uses.look)
	for _, n := range uses.settings {
		extent, known := spanOf(n)
		if !known || extent.last >= x.bounds.start && extent.start < x.bounds.end {
			return nil
		}
	}
	leadsOn := func(p *cc.PrimaryExpression) bool { return !uses.harmless[p] }
	if len(uses.settings) == 0 || slices.Contains(uses.by, "") || slices.ContainsFunc(uses.names, leadsOn) {
		return nil
	}
	return &allocation{by: uses.by, elements: uses.elements}
}

// isForRegionAlone says that the memory has no value in front of the region, and that nothing looks
// at one behind it.
func (a *allocation) isForRegionAlone(x *extractor, d *cc.Declarator) bool {
	isOutside := func(p *cc.PrimaryExpression) bool {
		offset := p.Token.Position().Offset
		return !x.inFile(p) || offset < x.bounds.start || offset >= x.bounds.end
	}
	return !slices.Contains(a.by, "calloc") && x.comesBackTo(d) >= x.bounds.start && !slices.ContainsFunc(a.elements, isOutside)
}

// pointerUses are the places where a function names a pointer.
type pointerUses struct {
	pointer *cc.Declarator
	names   []*cc.PrimaryExpression
	// harmless are those behind which no other pointer leads to the memory, and elements those of
	// them that are numbers of it.
	harmless map[*cc.PrimaryExpression]bool
	elements []*cc.PrimaryExpression
	// settings give the pointer a value, that of a call of by, "" for another one.
	settings []cc.Node
	by       []string
}

// look notes the uses in a node by itself, and says whether there may be more below it.
func (u *pointerUses) look(n cc.Node) bool {
	if element, is := n.(cc.ExpressionNode); is && element.Type() != nil && isNumberType(element.Type()) {
		if name := u.elementOf(element); name != nil && !u.harmless[name] {
			u.elements = append(u.elements, name)
			u.harmless[name] = true
		}
	}
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent && variableOf(n) == u.pointer {
			u.names = append(u.names, n)
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionSizeofExpr:
			return false
		case cc.UnaryExpressionNot:
			u.note(n.CastExpression)
		case cc.UnaryExpressionAddrof:
			if name := u.elementOf(n.CastExpression); name != nil {
				u.settings, u.by = append(u.settings, n), append(u.by, "")
			}
		}
	case *cc.EqualityExpression:
		u.note(n.EqualityExpression)
		u.note(n.RelationalExpression)
	case *cc.PostfixExpression:
		if arguments := argumentsOf(n); n.Case == cc.PostfixExpressionCall && calledFunction(n) == "free" && len(arguments) == 1 {
			u.note(arguments[0])
		}
	case *cc.InitDeclarator:
		if n.Declarator == u.pointer && n.Initializer != nil {
			u.set(n, n.Initializer.AssignmentExpression)
		}
	}
	if isChange(n, u.pointer) {
		u.change(n)
	}
	return true
}

// note takes an expression that is the pointer's name by itself as harmless.
func (u *pointerUses) note(n cc.ExpressionNode) {
	if p, is := unwrap(n).(*cc.PrimaryExpression); is && variableOf(p) == u.pointer {
		u.harmless[p] = true
	}
}

// set notes a value of the pointer.
func (u *pointerUses) set(n cc.Node, value cc.ExpressionNode) {
	u.settings = append(u.settings, n)
	call, by := allocatingCall(value), ""
	if call != nil {
		by = calledFunction(call)
	}
	u.by = append(u.by, by)
}

// change notes a node that gives the pointer another value.
func (u *pointerUses) change(n cc.Node) {
	assignment, is := n.(*cc.AssignmentExpression)
	if !is || assignment.Case != cc.AssignmentExpressionAssign {
		u.set(n, nil)
		return
	}
	u.note(assignment.UnaryExpression)
	u.set(n, assignment.AssignmentExpression)
}

// allocatingCall is the call of an allocator that an expression is, perhaps of another type; nil for
// other expressions.
func allocatingCall(n cc.ExpressionNode) *cc.PostfixExpression {
	if n == nil {
		return nil
	}
	n = unwrap(n)
	if cast, is := n.(*cc.CastExpression); is && isPointer(cast) {
		n = unwrap(cast.CastExpression)
	}
	call, is := n.(*cc.PostfixExpression)
	if !is || call.Case != cc.PostfixExpressionCall || !slices.Contains(allocators, calledFunction(call)) {
		return nil
	}
	return call
}

// calledFunction is the name of the function that a call calls, "" where it has none.
func calledFunction(call *cc.PostfixExpression) string {
	name, is := unwrap(call.PostfixExpression).(*cc.PrimaryExpression)
	if !is || name.Case != cc.PrimaryExpressionIdent {
		return ""
	}
	return name.Token.SrcStr()
}

// elementOf is the pointer's name in an expression that names a part of the memory by subscripts and
// members; nil for other expressions.
func (u *pointerUses) elementOf(n cc.ExpressionNode) *cc.PrimaryExpression {
	for steps := 0; ; steps++ {
		switch e := unwrap(n).(type) {
		case *cc.PrimaryExpression:
			if steps > 0 && variableOf(e) == u.pointer {
				return e
			}
			return nil
		case *cc.PostfixExpression:
			switch e.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				n = e.PostfixExpression
			default:
				return nil
			}
		case *cc.UnaryExpression:
			if e.Case != cc.UnaryExpressionDeref {
				return nil
			}
			n = e.CastExpression
		default:
			return nil
		}
	}
}
