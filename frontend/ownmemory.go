package frontend

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// assumeAligned is the compiler's function that returns its first argument, of which it promises an
// alignment.
const assumeAligned = "__builtin_assume_aligned"

// promisedAlignment is the pointer that a call of __builtin_assume_aligned returns, with the bytes
// of which it says that it is a multiple, 0 where that is no constant; nil for other calls.
func promisedAlignment(call *cc.PostfixExpression) (pointer cc.ExpressionNode, bytes int) {
	if call.Case != cc.PostfixExpressionCall {
		return nil, 0
	}
	name, ok := call.PostfixExpression.(*cc.PrimaryExpression)
	arguments := argumentsOf(call)
	if !ok || name.Case != cc.PrimaryExpressionIdent || name.Token.SrcStr() != assumeAligned || len(arguments) < 2 {
		return nil, 0
	}
	if value, ok := constantValue(arguments[1]); ok && len(arguments) == 2 {
		bytes = int(value)
	}
	return arguments[0], bytes
}

// withoutPromise is the pointer that an expression has the value of, where that is one with a
// promised alignment.
func withoutPromise(n cc.ExpressionNode) cc.ExpressionNode {
	if call, ok := n.(*cc.PostfixExpression); ok {
		if pointer, _ := promisedAlignment(call); pointer != nil {
			return pointer
		}
	}
	return n
}

// ownMemory finds out what the function makes of its arguments' memory, and what it takes of its
// own.
type ownMemory struct {
	x *extractor
	// viewed are the types of the pointers that the function makes of what has a name.
	viewed map[string][]cc.Type
	// bases are what pointers that the function declares lead to; of more than one value they lead
	// to nothing known.
	bases map[*cc.Declarator]base
	own   []scop.OwnArray
}

// base is a place behind the first element of a pointer, or of the pointer that a path of members
// leads to from it.
type base struct {
	pointer *cc.Declarator
	path    string
	offset  string
	// member is the last one of the path, nil without one.
	member *cc.Field
}

// size is that of the elements.
func (b base) size() int {
	switch {
	case b.member != nil:
		return sizeBehind(b.member.Type())
	case b.pointer != nil:
		return sizeBehind(b.pointer.Type())
	}
	return 0
}

// noteOwnMemory adds the views, the arrays and the alignments of the function to its description.
func (x *extractor) noteOwnMemory(f *scop.Function) {
	m := &ownMemory{x: x, bases: map[*cc.Declarator]base{}}
	x.visitFunction(m.look)
	f.Own = m.own
	for _, d := range slices.SortedFunc(maps.Keys(m.bases), inDeclarationOrder) {
		m.view(f, d)
	}
	m.typeUntyped(f)
	t, ok := x.function.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return
	}
	for _, p := range t.Parameters() {
		for k := range f.Arguments {
			if a := &f.Arguments[k]; a.Name == p.Name() && a.Role == scop.Pointer && p.Declarator != nil {
				a.Alignment = max(m.x.alignments[p.Declarator], beyondNatural(p.Type()))
			}
		}
	}
}

func (m *ownMemory) look(n cc.Node) {
	switch n := n.(type) {
	case *cc.InitDeclarator:
		m.declared(n)
	case *cc.AssignmentExpression:
		if d := variableOf(n.UnaryExpression); d != nil && n.Case == cc.AssignmentExpressionAssign {
			m.assigned(d, n.AssignmentExpression)
		}
	case *cc.PostfixExpression:
		if pointer, bytes := promisedAlignment(n); pointer != nil {
			m.align(pointer, bytes)
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast && n.Type().Kind() == cc.Ptr {
			m.align(n.CastExpression, beyondNatural(n.Type()))
		}
	}
}

// declared notes an array, or a pointer with its first value.
func (m *ownMemory) declared(n *cc.InitDeclarator) {
	d := n.Declarator
	switch {
	case d.StorageDuration() != cc.Automatic || d.IsTypename():
	case d.Type().Kind() == cc.Array:
		element, extents := m.x.arrayShape(d.Type())
		if isVariablyLong(d.Type()) {
			m.own = append(m.own, scop.OwnArray{Name: d.Name(), Size: max(0, int(element.Size())), Extents: extents})
		}
	case n.Initializer != nil && n.Initializer.AssignmentExpression != nil:
		m.assigned(d, n.Initializer.AssignmentExpression)
	}
}

// isVariablyLong says whether some extent of an array is no constant.
func isVariablyLong(t cc.Type) bool {
	for {
		array, ok := t.(*cc.ArrayType)
		if !ok {
			return false
		}
		if array.IsVLA() {
			return true
		}
		t = array.Elem()
	}
}

// assigned notes what a pointer of the function leads to from now on.
func (m *ownMemory) assigned(d *cc.Declarator, value cc.ExpressionNode) {
	if d.Type().Kind() != cc.Ptr {
		return
	}
	to, ok := m.baseOf(value)
	if before, isKnown := m.bases[d]; isKnown && before != to || ok && to.pointer == d {
		ok = ok && to == base{pointer: d, offset: "0"}
		to = before
	}
	if _, isKnown := m.bases[d]; isKnown && !ok {
		to = base{}
	}
	if !d.IsParam() {
		m.bases[d] = to
	}
}

// baseOf is the place that a pointer expression leads to, counted in the elements of a named
// pointer.
func (m *ownMemory) baseOf(n cc.ExpressionNode) (base, bool) {
	switch x := unwrap(n).(type) {
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && isPointer(x) && isPointer(x.CastExpression) {
			return m.baseOf(x.CastExpression)
		}
	case *cc.PrimaryExpression:
		if d := variableOf(x); d != nil && isPointer(x) {
			return base{pointer: d, offset: "0"}, true
		}
	}
	v, ok := resolvePointed(n)
	if !ok {
		return base{}, false
	}
	to, in := base{pointer: v.variable, offset: "0"}, 0
	if last := len(v.members) - 1; last >= 0 {
		to.path, to.member, in = v.path(last+1), v.members[last].field, v.members[last].after
	}
	if len(v.subscripts) != in+1 || to.member != nil && to.member.Type().Kind() != cc.Ptr {
		return base{}, false
	}
	offset := v.subscripts[in]
	if offset == nil {
		return to, to.member != nil
	}
	to.offset, ok = m.offsetText(offset)
	return to, ok
}

// offsetText is the text of what is added to a pointer.
func (m *ownMemory) offsetText(n cc.ExpressionNode) (text string, ok bool) {
	sum, isSum := n.(*indexSum)
	if !isSum {
		extent, ok := spanOf(n)
		if !ok {
			return "", false
		}
		return m.x.expressionText(extent), true
	}
	for _, term := range sum.terms() {
		part, ok := m.offsetText(term.ExpressionNode)
		if !ok {
			return "", false
		}
		text += map[int64]string{1: " + ", -1: " - "}[term.factor] + "(" + part + ")"
	}
	return strings.TrimPrefix(strings.TrimSpace(text), "+ "), true
}

// align notes that a pointer is taken to be a multiple of so many bytes.
func (m *ownMemory) align(pointer cc.ExpressionNode, bytes int) {
	to, ok := m.baseOf(pointer)
	for range maxViews {
		if !ok || to.pointer == nil || to.path != "" {
			return
		}
		m.x.alignments[to.pointer] = max(m.x.alignments[to.pointer], bytes)
		to, ok = m.bases[to.pointer]
	}
}

// maxViews bounds how many pointers lead from one to the next.
const maxViews = 8

// view describes a pointer of the function that leads to one of its pointer arguments.
func (m *ownMemory) view(f *scop.Function, d *cc.Declarator) {
	offset, to := "", m.bases[d]
	for range maxViews {
		switch {
		case to.pointer == nil || to.offset != "0" && offset != "":
			return
		case to.offset != "0":
			offset = to.offset
		}
		next, isOwn := m.bases[to.pointer]
		if !isOwn || to.path != "" {
			break
		}
		if offset != "" && next.size() != to.size() {
			return
		}
		to = next
	}
	if to.pointer == nil || !f.IsPointer(to.pointer.Name()+to.path) || !to.pointer.IsParam() && !isFileScope(to.pointer) {
		return
	}
	if to.path == "" {
		m.x.alignments[to.pointer] = max(m.x.alignments[to.pointer], m.x.alignments[d], beyondNatural(d.Type()))
	}
	if offset == "" {
		offset = "0"
	}
	if m.viewed == nil {
		m.viewed = map[string][]cc.Type{}
	}
	m.viewed[to.pointer.Name()+to.path] = append(m.viewed[to.pointer.Name()+to.path], d.Type())
	f.Views = append(f.Views, scop.View{Variable: m.x.spelledName(d), Of: to.pointer.Name() + to.path, Offset: offset, Size: sizeBehind(d.Type()), OfSize: to.size()})
}

// typeUntyped gives arguments that are pointers to void the elements of the pointers that the
// function makes of them, where these all have numbers of one type.
func (m *ownMemory) typeUntyped(f *scop.Function) {
	for k := range f.Arguments {
		a := &f.Arguments[k]
		types := m.viewed[a.Name]
		if a.Role != scop.Pointer || a.Type != "void" || len(types) == 0 {
			continue
		}
		element := elementOf(types[0])
		isOther := func(t cc.Type) bool { return typeName(elementOf(t)) != typeName(element) }
		if !isNumberType(element) || slices.ContainsFunc(types, isOther) {
			continue
		}
		a.Type, a.Size = dataType(element), int(element.Size())
		for v := range f.Views {
			if f.Views[v].Of == a.Name {
				f.Views[v].OfSize = a.Size
			}
		}
	}
}

// sizeBehind is the size of the elements that a pointer of a type leads to, below all dimensions of
// arrays; 0 where they have none.
func sizeBehind(element cc.Type) int {
	if p, ok := element.(*cc.PointerType); ok {
		element = p.Elem()
	}
	for element.Kind() == cc.Array {
		element = element.(*cc.ArrayType).Elem()
	}
	return max(0, int(element.Size()))
}

// beyondNatural is the alignment that attributes of what a pointer leads to ask for, such as
// aligned and vector_size; 0 for none.
func beyondNatural(t cc.Type) int {
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	for t.Kind() == cc.Array {
		t = t.(*cc.ArrayType).Elem()
	}
	attributes := t.Attributes()
	switch {
	case attributes == nil:
		return 0
	case attributes.Aligned() > 0:
		return int(attributes.Aligned())
	}
	return max(0, int(attributes.VectorSize()))
}
