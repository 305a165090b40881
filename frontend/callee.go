package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// callee is a function that the region calls, under analysis.
type callee struct {
	x    *extractor
	tree *callTree
	// own are the function's variables.
	own map[*cc.Declarator]bool
	// pointers are the effects by the name of the argument.
	pointers map[string]*effect
	// written are the expressions that stand where something is assigned.
	written map[cc.Node]bool
	// dropsConst says that a pointer to data that is not const may lead to
	// data that the arguments' types call const.
	dropsConst bool
	why        string
}

func (x *extractor) analyze(f *cc.FunctionDefinition, tree *callTree) ([]effect, string) {
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil, "has no prototype"
	}
	a := &callee{x: x, tree: tree, own: map[*cc.Declarator]bool{}, pointers: map[string]*effect{}, written: map[cc.Node]bool{}}
	if t.Result().Kind() == cc.Ptr {
		a.note("returns a pointer")
	}
	if t.IsVariadic() {
		a.note("has a variable number of arguments")
	}
	for _, p := range t.Parameters() {
		a.parameter(p)
	}
	visit(f.CompoundStatement, a.prepare)
	walk(f.CompoundStatement, a.look)
	var effects []effect
	for _, p := range t.Parameters() {
		e := effect{}
		if known := a.pointers[p.Name()]; known != nil {
			e = *known
		}
		effects = append(effects, e)
	}
	return effects, a.why
}

func (a *callee) note(reason string) {
	if a.why == "" {
		a.why = reason
	}
}

func (a *callee) parameter(p *cc.Parameter) {
	t := p.Type()
	if t.Kind() != cc.Ptr && t.Kind() != cc.Array {
		if holdsPointers(t) {
			a.note(fmt.Sprintf("takes the struct %s, which holds pointers", p.Name()))
		}
		return
	}
	element := elementOf(t)
	isRows := element.Kind() == cc.Ptr && !holdsPointers(elementOf(element)) && elementOf(element).Kind() != cc.Function
	switch {
	case isRows && elementOf(element).Attributes().IsVolatile():
		a.note(fmt.Sprintf("takes %s, pointers to volatile data", p.Name()))
	case isRows: // what it does with the rows' elements counts
	case element.Kind() == cc.Function || holdsPointers(element):
		a.note(fmt.Sprintf("takes %s, a pointer to pointers", p.Name()))
	case element.Attributes().IsVolatile():
		a.note(fmt.Sprintf("takes %s, a pointer to volatile data", p.Name()))
	}
	a.pointers[p.Name()] = &effect{single: true}
}

// elementOf is the type at the end of a chain of arrays, behind one pointer.
func elementOf(t cc.Type) cc.Type {
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	for t.Kind() == cc.Array {
		t = t.(*cc.ArrayType).Elem()
	}
	return t
}

// holdsPointers says that a value of the type is or has a pointer.
func holdsPointers(t cc.Type) bool {
	switch x := t.(type) {
	case *cc.PointerType:
		return true
	case *cc.ArrayType:
		return holdsPointers(x.Elem())
	case *cc.StructType:
		for i := range x.NumFields() {
			if holdsPointers(x.FieldByIndex(i).Type()) {
				return true
			}
		}
	case *cc.UnionType:
		for i := range x.NumFields() {
			if holdsPointers(x.FieldByIndex(i).Type()) {
				return true
			}
		}
	}
	return false
}

// prepare notes what has to be known before the accesses are looked at.
func (a *callee) prepare(n cc.Node) {
	switch n := n.(type) {
	case *cc.InitDeclarator:
		d := n.Declarator
		if d.IsStatic() || d.IsExtern() {
			return
		}
		a.own[d] = true
		if d.IsVolatile() || elementOf(d.Type()).Attributes().IsVolatile() {
			a.note("has the volatile variable " + d.Name())
		}
		if p, ok := d.Type().(*cc.PointerType); ok && d.Type().Kind() == cc.Ptr && !isConst(p.Elem()) {
			a.dropsConst = true
		}
	case *cc.AssignmentExpression:
		if n.Case != cc.AssignmentExpressionCond {
			a.noteWritten(n.UnaryExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
			a.noteWritten(n.UnaryExpression)
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
			a.noteWritten(n.PostfixExpression)
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast && n.Type().Kind() == cc.Ptr {
			a.dropsConst = true
		}
	case *cc.AsmStatement:
		a.note("has inline assembly")
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionGeneric && (genericChoice(n) == nil || a.x.hasFloatingWords()) {
			a.note("has " + unclearGeneric)
		}
	}
}

func isConst(t cc.Type) bool { return t.Attributes().IsConst() }

func (a *callee) noteWritten(target cc.ExpressionNode) {
	v, ok := resolve(target)
	switch {
	case !ok && isPointer(target):
		a.note("changes a pointer that another one leads to")
	case !ok:
		a.noteBehindCasts(target)
		return
	case isPointer(target) && len(v.subscripts) > 0 && (v.variable.IsParam() || v.variable.Type().Kind() == cc.Ptr):
		a.note(fmt.Sprintf("changes the pointers that %s leads to", v.variable.Name()))
	}
	a.written[v.name] = true
}

// look looks at one access or call as a whole.
func (a *callee) look(n cc.Node) bool {
	switch n := n.(type) {
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			a.call(n)
			return false
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionAddrof:
			if v, ok := resolve(n.CastExpression); ok {
				a.escape(v)
			} else {
				a.noteBehindCasts(n.CastExpression)
			}
			return true
		case cc.UnaryExpressionDeref:
			if a.throughCast(n) {
				return false
			}
		}
	}
	e, ok := n.(cc.ExpressionNode)
	if !ok {
		return true
	}
	v, ok := resolve(e)
	if !ok {
		return true
	}
	a.access(v, e)
	for _, s := range v.subscripts {
		if s != nil {
			walk(s, a.look)
		}
	}
	return false
}

// access looks at the use of a variable, or of what a pointer leads to.
func (a *callee) access(v lvalue, e cc.ExpressionNode) {
	d := v.variable
	known := a.pointers[d.Name()]
	switch {
	case d.IsParam() && known != nil && (len(v.subscripts) == 0 || isPointer(e)):
		a.escape(v)
	case d.IsParam() && known != nil:
		known.add(effect{read: true, write: a.written[v.name], single: isFirst(v)})
	case d.IsParam() || a.own[d] || d.IsSynthetic():
	case d.Type().Kind() == cc.Function:
		a.note("uses the function " + d.Name() + " as a value")
	case !isReadable(d):
		a.note("uses the variable " + d.Name() + " from outside")
	case a.written[v.name]:
		a.note("writes the variable " + d.Name() + " from outside")
	case isConst(elementOf(d.Type())) || d.IsConst():
	case !isFileScope(d):
		a.note("uses the static variable " + d.Name())
	case isPointer(e):
		a.note("uses the address of the variable " + d.Name() + " from outside")
	default:
		a.readOutside(d)
	}
}

// isReadable says that a variable of the file can be read as any other one: it is no pointer, and
// nothing else changes it.
func isReadable(d *cc.Declarator) bool {
	return !d.IsVolatile() && !d.IsAtomic() && !d.IsThreadLocal() && !elementOf(d.Type()).Attributes().IsVolatile() &&
		d.Type().Kind() != cc.Ptr && !holdsPointers(d.Type())
}

// readOutside notes that a variable of the file is read.
func (a *callee) readOutside(d *cc.Declarator) {
	if !slices.Contains(a.tree.outside, d) {
		a.tree.outside = append(a.tree.outside, d)
	}
}

// isFirst says that all subscripts are 0, those inside of a struct aside.
func isFirst(v lvalue) bool {
	for _, s := range v.subscriptsOf(0) {
		if s == nil {
			continue
		}
		if value, ok := constantValue(s); !ok || value != 0 {
			return false
		}
	}
	return true
}

// escape notes that a pointer goes where it is not followed.
func (a *callee) escape(v lvalue) {
	if d := v.variable; !d.IsParam() && !a.own[d] && d.Type().Kind() != cc.Function && !isConst(elementOf(d.Type())) && !d.IsConst() {
		a.note("uses the address of the variable " + d.Name() + " from outside")
	}
	known := a.pointers[v.variable.Name()]
	if known == nil || !v.variable.IsParam() {
		return
	}
	known.add(effect{read: true, write: a.dropsConst || !leadsToConst(v.variable.Type())})
}

// leadsToConst says whether all that a pointer leads to, also by pointers to rows, is constant.
func leadsToConst(t cc.Type) bool {
	element := elementOf(t)
	return isConst(element) && (element.Kind() != cc.Ptr || isConst(elementOf(element)))
}

// call looks at a call inside of the function.
func (a *callee) call(n *cc.PostfixExpression) {
	d := variableOf(n.PostfixExpression)
	if d == nil || d.Type().Kind() != cc.Function {
		a.note("calls a function through a pointer")
		return
	}
	if a.x.isNested(d) {
		a.note("calls " + d.Name() + ", which is defined inside of another function")
		return
	}
	effects, why := a.x.effectsOf(d.Name(), a.tree)
	if why != "" {
		a.note("calls " + d.Name() + ", which " + why)
		return
	}
	number := 0
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		argument := l.AssignmentExpression
		pointer, size := withoutCast(argument)
		v, ok := resolvePointed(pointer)
		switch e := effectOf(effects, number); {
		case !isPointer(argument) || !ok:
			walk(argument, a.look)
		case size > 0:
			a.pass(v, e.through(size))
		default:
			a.pass(v, e)
		}
		number++
	}
}

// pass notes what a called function does with a pointer that it is given.
func (a *callee) pass(v lvalue, e effect) {
	for _, s := range v.subscripts {
		if s != nil {
			walk(s, a.look)
		}
	}
	if known := a.pointers[v.variable.Name()]; known != nil && v.variable.IsParam() {
		if !isFirst(v) {
			e.single, e.bytes = false, 0
		}
		known.add(e)
		return
	}
	switch {
	case a.own[v.variable] || v.variable.IsParam():
	case e.write || !isReadable(v.variable) || !isFileScope(v.variable):
		a.note("passes " + v.variable.Name() + " from outside to another function")
	case e.read:
		a.readOutside(v.variable)
	}
}
