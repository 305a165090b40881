package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// declaration is one inside the region: it makes a local array or scalar, and
// a statement when it has an initial value.
func (x *extractor) declaration(n *cc.Declaration, at place) {
	if n.Case != cc.DeclarationDecl {
		x.refuse(n, "declaration", "this kind of declaration inside the region", "move it in front of #pragma scop")
		return
	}
	if n.InitDeclaratorList == nil {
		x.refuse(n, "declaration", "a type is declared inside the region", "move it in front of #pragma scop")
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		x.initDeclarator(l.InitDeclarator, at)
	}
}

func (x *extractor) initDeclarator(n *cc.InitDeclarator, at place) {
	d := n.Declarator
	switch {
	case d.IsTypename():
		x.refuse(n, "declaration", "a typedef inside the region", "move it in front of #pragma scop")
		return
	case d.IsStatic() || d.IsExtern():
		x.refuse(n, "declaration", fmt.Sprintf("%s is declared static or extern inside the region", d.Name()), "move it in front of #pragma scop")
		return
	case d.Type().Kind() == cc.Ptr || d.Type().Kind() == cc.Function:
		x.refuse(n, "declaration", fmt.Sprintf("%s, a pointer or function, is declared inside the region", d.Name()), "move it in front of #pragma scop")
		return
	}
	if x.hasVariableExtent(d) {
		x.refuse(n, "declaration", fmt.Sprintf("the extents of the local array %s are not constant", d.Name()), "declare it in front of #pragma scop")
		return
	}
	if n.Case != cc.InitDeclaratorInit || x.facts.isIterator(d) {
		return
	}
	if n.Initializer == nil || n.Initializer.AssignmentExpression == nil || d.Type().Kind() == cc.Array {
		x.refuse(n, "declaration", fmt.Sprintf("the local array %s has an initial value", d.Name()), "assign its elements one by one")
		return
	}
	x.initialValue(n, at)
}

func (x *extractor) hasVariableExtent(d *cc.Declarator) bool {
	for t := d.Type(); t.Kind() == cc.Array; {
		array := t.(*cc.ArrayType)
		if array.IsVLA() {
			return true
		}
		t = array.Elem()
	}
	return false
}

// initialValue makes the statement "name = value;" of a declaration.
func (x *extractor) initialValue(n *cc.InitDeclarator, at place) {
	c := x.newCollector(at)
	array, err := x.arrayOf(n.Declarator, n)
	if err != nil {
		x.problems.add(err)
		return
	}
	name := n.Declarator.NameTok()
	c.references = append(c.references, reference{array: array, write: true, where: x.positionOf(name)})
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
	x.appendStatement(source+";", offset, x.positionOf(name), at, c)
}
