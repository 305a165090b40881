package frontend

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// variables are the file-scope and static variables that the body of the
// function names, or that functions of the file name that it calls, in the
// order of their declarations, with these. Constants are not among them, nor what only
// code outside of the region uses and is no plain data.
func (x *extractor) variables(p *scop.Program, region []*cc.BlockItem) (list []scop.Variable, declared []*cc.Declarator) {
	used, named := map[*cc.Declarator]bool{}, map[*cc.Declarator]bool{}
	declarations := x.staticDeclarations()
	called := map[*cc.FunctionDefinition]bool{x.function: true}
	for _, item := range region {
		x.staticVariables(item, declarations, used, called)
	}
	x.staticVariables(x.function.CompoundStatement, declarations, named, map[*cc.FunctionDefinition]bool{x.function: true})
	for _, d := range slices.SortedFunc(maps.Keys(named), inDeclarationOrder) {
		v := scop.Variable{Argument: x.dataOf(d.Name(), d.Type()), Used: used[d], Initialized: d.HasInitializer(), Behind: declarations[d]}
		v.Pointer = d.Type().Kind() == cc.Ptr
		v.Const = v.Const || d.IsConst() && !v.Pointer
		v.Inside = !isFileScope(d)
		isParameter := func(parameter string) bool { return p.Spelling(parameter) == d.Name() }
		if cc.IsIntegerType(d.Type()) && slices.ContainsFunc(p.Parameters, isParameter) {
			v.Role = scop.Size
		}
		switch {
		case v.Const && !v.Pointer:
		case !v.Used && (v.Pointer || v.Opaque != "" || d.IsExtern() || v.Inside && v.Behind == 0):
		default:
			list, declared = append(list, v), append(declared, d)
		}
	}
	return list, declared
}

func inDeclarationOrder(a, b *cc.Declarator) int {
	first, second := a.NameTok(), b.NameTok()
	return cmp.Compare(first.Seq(), second.Seq())
}

// staticVariables notes those that a part of the function names, and file-scope
// ones of the functions called there. own are those declared in the function.
func (x *extractor) staticVariables(n cc.Node, own map[*cc.Declarator]int, found map[*cc.Declarator]bool, called map[*cc.FunctionDefinition]bool) {
	visit(n, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok {
			return
		}
		if d := staticVariable(p); d != nil {
			if _, isOwn := own[d]; isOwn || isFileScope(d) {
				found[d] = true
			}
		}
		if d := variableOf(p); d != nil && d.Type().Kind() == cc.Function {
			if f := x.definitions[d.Name()]; f != nil && !called[f] {
				called[f] = true
				x.staticVariables(f.CompoundStatement, own, found, called)
			}
		}
	})
}

func isFileScope(d *cc.Declarator) bool { return d.IsExtern() || d.LexicalScope().Parent == nil }

// staticVariable is the variable of static storage duration that a name stands
// for, or nil.
func staticVariable(n cc.Node) *cc.Declarator {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok {
		return nil
	}
	d := variableOf(p)
	if d == nil || d.IsParam() || d.IsTypename() || d.Type().Kind() == cc.Function || d.StorageDuration() != cc.Static {
		return nil
	}
	return d
}

// staticDeclarations are the offsets behind the declarations of the function's
// own static variables, 0 where that is not in the file's text.
func (x *extractor) staticDeclarations() map[*cc.Declarator]int {
	behind := map[*cc.Declarator]int{}
	x.visitFunction(func(n cc.Node) {
		declaration, ok := n.(*cc.Declaration)
		if !ok || declaration.InitDeclaratorList == nil {
			return
		}
		tokens := tokensOf(declaration)
		last := tokens[len(tokens)-1]
		offset := 0
		if x.spelledHere(last) && last.SrcStr() == ";" {
			offset = last.Position().Offset + 1
		}
		for l := declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			if d := l.InitDeclarator.Declarator; d.IsStatic() {
				behind[d] = offset
			}
		}
	})
	return behind
}

// dataOf describes a variable or an array argument as data that a driver may
// fill and compare.
func (u *unit) dataOf(name string, t cc.Type) scop.Argument {
	element, extents := u.arrayShape(t)
	pointers := 0
	for element.Kind() == cc.Ptr && len(extents) == pointers+1 && elementOf(element).Size() > 0 && elementOf(element).Kind() != cc.Function {
		var inner []string
		element, inner = u.arrayShape(element)
		extents, pointers = append(extents, inner...), pointers+1
	}
	a := scop.Argument{Name: name, Type: dataType(element), Role: scop.Pointer, Extents: extents, Const: isConst(element), Pointers: pointers, Size: max(0, int(element.Size()))}
	switch s := element.(type) {
	case *cc.PredefinedType:
		if isVector(s) {
			a.Members = []scop.Member{{Type: numberName(s), Extents: []int{vectorLength(s)}}}
		}
	case *cc.StructType:
		list := memberList{most: maxFilled}
		list.add(s, "")
		a.Members, a.Opaque, a.Hidden = list.members, cmp.Or(list.opaque, list.pointer), list.opaque != ""
	case *cc.UnionType:
		a.Opaque = fmt.Sprintf("%s is a union", name)
	}
	return a
}

// dataType is the name of a type, that of the integers for an enumeration: compilers take unsigned
// int for one without negative constants (GCC's manual, "Structures, unions, enumerations, and
// bit-fields"), the parser int.
func dataType(t cc.Type) string {
	e, ok := t.(*cc.EnumType)
	if !ok || e.UnderlyingType() == nil {
		return typeName(t)
	}
	isNegative := func(c *cc.Enumerator) bool {
		value, known := c.Value().(cc.Int64Value)
		return !known || value < 0
	}
	if e.UnderlyingType().Kind() == cc.Int && !slices.ContainsFunc(e.Enumerators(), isNegative) {
		return "unsigned int"
	}
	return typeName(e.UnderlyingType())
}
