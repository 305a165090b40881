package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// declaration is one inside the region: it makes a variable of the region's
// own, and a statement when that has an initial value. The place it returns is
// that of what follows.
func (x *extractor) declaration(n *cc.Declaration, at place) place {
	if n.Case == cc.DeclarationAssert {
		return at
	}
	if unclear := typeOfUnclear(n); unclear != nil {
		x.refuse(unclear, "declaration", unclearType, "name the type")
		return at
	}
	if declared := declaredByValue(n); declared != nil {
		return x.initDeclarator(declared, at)
	}
	if n.Case != cc.DeclarationDecl {
		x.refuse(n, "declaration", "this kind of declaration inside the region", "move it in front of #pragma scop")
		return at
	}
	if n.InitDeclaratorList == nil {
		x.refuse(n, "declaration", "a type is declared inside the region", "move it in front of #pragma scop")
		return at
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		at = x.initDeclarator(l.InitDeclarator, at)
	}
	return at
}

func (x *extractor) initDeclarator(n *cc.InitDeclarator, at place) place {
	d := n.Declarator
	if construct, message := x.wrongLocal(d); message != "" {
		advice := "move it in front of #pragma scop"
		if d.Type().Kind() == cc.Ptr {
			advice += ", or write what it leads to: a[i * m + j] instead of row[j] with row = a + i * m"
		}
		x.refuse(n, construct, message, advice)
		return at
	}
	if x.isUsedBehind(d) {
		x.refuse(n, "declaration", fmt.Sprintf("%s is declared inside the region and used behind it", d.Name()), "move it in front of #pragma scop")
		return at
	}
	if x.isFollowed(d) {
		if n.Initializer != nil && n.Initializer.AssignmentExpression != nil {
			return x.setTo(d, n.Initializer.AssignmentExpression, at)
		}
		return at.unknownIn([]*cc.Declarator{d})
	}
	if n.Case != cc.InitDeclaratorInit || x.facts.isIterator(d) && !x.readOutsideLoops()[d] {
		return x.declare(d, "", at)
	}
	if n.Initializer == nil || n.Initializer.AssignmentExpression == nil || d.Type().Kind() == cc.Array {
		if values, ok := x.constantValues(n); ok {
			return x.declare(d, values, at)
		}
		after := x.declare(d, "", at)
		x.initialValues(n, after)
		return after
	}
	if c := x.copyOf(d, n.Initializer.AssignmentExpression, n, at); c != nil {
		x.copies[d] = true
		return at.bind(binding{declarator: d, loop: -1, copy: c})
	}
	after := x.declare(d, "", at)
	x.initialValue(n, after)
	return after
}

// wrongLocal says why a variable cannot be one of the region's own, or "".
func (x *extractor) wrongLocal(d *cc.Declarator) (construct, message string) {
	element, _ := x.arrayShape(d.Type())
	switch {
	case d.IsTypename():
		return "declaration", "a typedef inside the region"
	case d.IsStatic() || d.IsExtern():
		return "declaration", fmt.Sprintf("%s is declared static or extern inside the region", d.Name())
	case d.Type().Kind() == cc.Ptr || d.Type().Kind() == cc.Function:
		return "declaration", fmt.Sprintf("%s, a pointer or function, is declared inside the region", d.Name())
	case isUnnamed(element):
		return "declaration", fmt.Sprintf("the type of %s has no name", d.Name())
	}
	return "", ""
}

// isUnnamed says that a type is a struct or union that cannot be written down
// again.
func isUnnamed(t cc.Type) bool {
	switch x := t.(type) {
	case *cc.StructType:
		return tagged("", x.Tag(), x.Typedef()) == ""
	case *cc.UnionType:
		return tagged("", x.Tag(), x.Typedef()) == ""
	}
	return false
}

// localVariable is a variable of the region's own, which the generated code
// declares again.
type localVariable struct {
	declarator *cc.Declarator
	name       string
	// element is the type of an element, extents the text behind the name.
	element, extents string
	// values is the text of initial values that never change, or "".
	values string
	// loops is the number of loops around the declaration; values that never
	// change are outside of all.
	loops int
}

// text is the declaration without its semicolon.
func (l localVariable) text() string { return l.element + " " + l.name + l.extents + l.values }

// constantValues is the text " = { … }" of the initial values of an array that
// the region never changes.
func (x *extractor) constantValues(n *cc.InitDeclarator) (string, bool) {
	extent, ok := spanOf(n.Initializer)
	if !ok || len(x.facts.written[n.Declarator]) != 1 || !isConstantList(n.Initializer) {
		return "", false
	}
	source, _, err := x.sourceOf(extent)
	return " = " + source, err == nil && isOneLine(source)
}

func isConstantList(n *cc.Initializer) bool {
	if n.AssignmentExpression != nil {
		value := n.AssignmentExpression.Value()
		return value != nil && value != cc.Unknown && !hasEffect(n.AssignmentExpression)
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		if l.Designation != nil || !isConstantList(l.Initializer) {
			return false
		}
	}
	return true
}

// declare makes a variable of the region's own, with initial values that are
// constant or "".
func (x *extractor) declare(d *cc.Declarator, values string, at place) place {
	extents, err := x.localExtents(d, at)
	if err != nil {
		x.problems.add(err)
		return at
	}
	element, _ := x.arrayShape(d.Type())
	local := localVariable{declarator: d, element: typeName(element), extents: extents, values: values, loops: len(at.loops)}
	if values != "" {
		local.loops = 0
	}
	local.name = x.freshName(local)
	x.locals = append(x.locals, local)
	name := local.name
	b := binding{declarator: d, loop: -1}
	if name != d.Name() {
		b.renamed = name
	}
	return at.bind(b)
}

// localExtents are the extents in a local array's declaration. They must have
// their values in front of the region; one that is not positive there belongs
// to an array that is never reached.
func (x *extractor) localExtents(d *cc.Declarator, at place) (string, error) {
	extents := ""
	for t := d.Type(); t.Kind() == cc.Array; {
		array := t.(*cc.ArrayType)
		if !array.IsVLA() {
			extents += fmt.Sprintf("[%d]", array.Len())
			t = array.Elem()
			continue
		}
		refusal := x.errorAt(d, "declaration", fmt.Sprintf("the extents of the local array %s are not known in front of the region", d.Name()),
			"declare it in front of #pragma scop")
		extent, ok := spanOf(array.SizeExpression())
		if !ok {
			return "", refusal
		}
		if _, err := x.evaluatorAt(at).affine(array.SizeExpression()); err != nil {
			return "", refusal
		}
		source, offset, err := x.sourceOf(extent)
		if err != nil {
			return "", refusal
		}
		text, uses, err := x.instanceText(source, offset, at, nil)
		if err != nil || len(uses) > 0 || !isOneLine(text) {
			return "", refusal
		}
		extents += fmt.Sprintf("[(%s) > 0 ? (%s) : 1]", text, text)
		t = array.Elem()
	}
	return extents, nil
}

// freshName is the name that a variable of the region's own gets in the
// generated code, where the scopes of all of them may meet.
func (x *extractor) freshName(l localVariable) string {
	l.name = l.declarator.Name()
	for n := 1; x.clashes(l); n++ {
		l.name = fmt.Sprintf("%s_%d", l.declarator.Name(), n)
	}
	return l.name
}

// clashes says that the name means something else in the region, or in the extents of its arrays,
// or that another local variable has it already. Those of one type outside of all loops share their
// memory, unless one hides the other; but structs are never shared, because the region may access
// one of them by its members and another as a whole.
func (x *extractor) clashes(l localVariable) bool {
	d, name := l.declarator, l.name
	element, _ := x.arrayShape(d.Type())
	isStruct := element.Kind() == cc.Struct || element.Kind() == cc.Union
	for _, o := range x.locals {
		if o.name == name && (o.text() != l.text() || isStruct || l.loops > 0 || o.loops > 0 || isInScopeOf(d, o.declarator)) {
			return true
		}
	}
	for other := range x.facts.named[name] {
		if other != d && !x.facts.local[other] {
			return true
		}
	}
	return name != d.Name() && x.identifiers()[name] || x.isInExtents(name)
}

// isInExtents says that the extent of an array from outside of the region names a variable.
func (x *extractor) isInExtents(name string) bool {
	for d := range x.facts.accessed {
		if !x.facts.local[d] && slices.ContainsFunc(sizesIn(d.Type()), func(size *cc.Declarator) bool { return size.Name() == name }) {
			return true
		}
	}
	return false
}

// spelledName is the name of a variable in the generated code.
func (x *extractor) spelledName(d *cc.Declarator) string {
	for _, l := range x.locals {
		if l.declarator == d {
			return l.name
		}
	}
	return d.Name()
}

// initialValue makes the statement "name = value;" of a declaration.
func (x *extractor) initialValue(n *cc.InitDeclarator, at place) {
	c := x.newCollector(at)
	name := n.Declarator.NameTok()
	c.reference(n.Declarator, lvalue{variable: n.Declarator, name: n.Declarator}, false, true)
	c.expression(n.Initializer.AssignmentExpression)
	if !x.accept(c) {
		return
	}
	extent, ok := spanOf(n.Initializer)
	if !ok {
		return
	}
	extent.start, extent.firstSequence = name.Position().Offset, name.Seq()
	extent.tokens = append([]cc.Token{name}, extent.tokens...)
	source, offset, err := x.sourceOf(extent)
	if err != nil {
		x.problems.add(err)
		return
	}
	x.extents = append(x.extents, extent)
	x.appendStatement(source+";", offset, x.positionOf(n.Declarator), at, c)
}
