package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/pattern"
)

// Words behind #pragma scop: assumeNoAlias says that no two pointers of the region lead to the same
// memory, assumePure(f, g) that calls of functions do nothing but read the values of their
// arguments, and read and write what these point to, and statements(a, b) how people call the
// region's statements, in their order.
const (
	assumeNoAlias = "assume-no-alias"
	assumePure    = "assume-pure"
	statements    = "statements"
)

// pragmaWord is one of these, and the names behind it, or what is none.
var pragmaWord = pattern.New(`^(?:(` + assumeNoAlias + `)|` + assumePure + ` ?\( ?(\w+(?: ?, ?\w+)*) ?\)|` + statements + ` ?\( ?(\w+(?: ?, ?\w+)*) ?\)|\S+)(?: |$)`)

// take notes what the words behind #pragma scop say, and gives the first one that says nothing.
func (b *bounds) take(words string) (unknown string) {
	for words != "" {
		m := pragmaWord.FindStringSubmatch(words)
		switch {
		case m[1] != "":
			b.noAlias = true
		case m[2] != "":
			for name := range strings.SplitSeq(m[2], ",") {
				b.pure = append(b.pure, strings.TrimSpace(name))
			}
		case m[3] != "":
			for name := range strings.SplitSeq(m[3], ",") {
				b.statements = append(b.statements, strings.TrimSpace(name))
			}
		default:
			return strings.TrimSpace(m[0])
		}
		words = words[len(m[0]):]
	}
	return ""
}

// warnAboutAliases names pointers that C would allow to overlap with each
// other or with another array of the region. Arguments that are declared as
// arrays are taken to be different arrays, as all polyhedral tools do.
func (x *extractor) warnAboutAliases() {
	if x.bounds.noAlias {
		return
	}
	var names []string
	var first *cc.Declarator
	all := append(slices.Clone(x.arrays), x.parameterMemory()...)
	for _, a := range all {
		if !a.open || !slices.ContainsFunc(all, func(o *arrayInfo) bool { return x.mayOverlap(a, o) }) {
			continue
		}
		names = append(names, a.pointerName())
		if first == nil {
			first = a.declarator
		}
	}
	if first == nil {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	message, them := fmt.Sprintf("the pointers %s are taken to point to different arrays", strings.Join(names, ", ")), "them"
	if len(names) == 1 {
		message, them = fmt.Sprintf("the pointer %s is taken to point to no other array of the region", names[0]), "it"
	}
	x.warnings = append(x.warnings, x.errorAt(first, "pointer", message,
		"declare "+them+" restrict, or say so by --assume-no-alias or #pragma scop "+assumeNoAlias))
}

// parameterMemory are the parameters as arrays, whose values a write through a
// pointer might change.
func (x *extractor) parameterMemory() []*arrayInfo {
	var memory []*arrayInfo
	for _, p := range x.parameters {
		info := &arrayInfo{declarator: p.declarator, restrict: isRestrict(p.declarator), open: p.place != "" && isOpenPointer(p.declarator)}
		info.Type = typeName(p.typ)
		if p.declarator.Type().Kind() == cc.Ptr {
			info.Extents = []string{""}
		}
		memory = append(memory, info)
	}
	return memory
}

// pointerName is the name of the pointer behind which the array lies.
func (a *arrayInfo) pointerName() string { return a.declarator.Name() + a.origin }

// isOpenPointer says that a variable is a pointer that may point into other
// arrays: no array, and not restrict. An argument written as an array counts
// as one.
func isOpenPointer(d *cc.Declarator) bool {
	return d.Type().Kind() == cc.Ptr && !isRestrict(d) && !isArrayArgument(d)
}

// isArrayArgument says that an argument is written as an array.
func isArrayArgument(d *cc.Declarator) bool {
	p, isPointer := d.Type().(*cc.PointerType)
	if !isPointer || !d.IsParam() {
		return false
	}
	_, declaredAsArray := p.Undecay().(*cc.ArrayType)
	return declaredAsArray
}

// mayOverlap says that the memory behind a pointer may be that of the other
// array, and that it matters: the elements may have a type in common, and one
// of both is written.
func (x *extractor) mayOverlap(pointer, other *arrayInfo) bool {
	switch {
	case pointer == other, pointer.declarator == other.declarator && pointer.origin == other.origin:
		return false
	case x.isAllocated(pointer), x.isAllocated(other):
		return false
	case (other.Local || other.restrict) && !x.isBasedOn(pointer.declarator, other.declarator), len(other.Extents) == 0 && !x.isAddressTaken(other):
		return false
	}
	return mayShareElements(pointer.Type, other.Type) && (x.isWritten(pointer) || x.isWritten(other))
}

// isAllocated says that nothing else leads to an array's elements: the function has taken the memory
// for itself.
func (x *extractor) isAllocated(a *arrayInfo) bool {
	return a.origin == "" && x.allocated(a.declarator) != nil
}

// isBasedOn says whether a pointer of the function may have its value from another one, perhaps by
// others: what restrict says of that one does not tell their elements apart (C17 6.7.3.1).
func (x *extractor) isBasedOn(pointer, other *cc.Declarator) bool {
	if pointer.IsParam() {
		return false
	}
	sources := map[*cc.Declarator][]*cc.Declarator{}
	x.visitSettings(pointer, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if n.Initializer != nil {
				sources[n.Declarator] = append(sources[n.Declarator], pointersIn(n.Initializer.AssignmentExpression)...)
			}
		case *cc.AssignmentExpression:
			if d := variableOf(n.UnaryExpression); d != nil && n.Case != cc.AssignmentExpressionCond {
				sources[d] = append(sources[d], pointersIn(n.AssignmentExpression)...)
			}
		}
	})
	for reached := []*cc.Declarator{pointer}; len(reached) > 0; {
		next := sources[reached[0]]
		if slices.Contains(next, other) {
			return true
		}
		delete(sources, reached[0])
		reached = append(reached[1:], next...)
	}
	return false
}

// visitSettings looks at all that may set a pointer: the function, or all of the file for one that
// the file declares.
func (x *extractor) visitSettings(pointer *cc.Declarator, look func(cc.Node)) {
	if !isFileScope(pointer) {
		x.visitFunction(look)
		return
	}
	for l := x.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		if l.ExternalDeclaration != nil && x.inFile(l.ExternalDeclaration) {
			visit(l.ExternalDeclaration, look)
		}
	}
}

// pointersIn are the arrays and pointers that the value of an expression may lead into: one that a
// function makes, into what its arguments do.
func pointersIn(n cc.ExpressionNode) (list []*cc.Declarator) {
	switch n := unwrap(n).(type) {
	case nil:
	case *cc.PrimaryExpression:
		if d := variableOf(n); d != nil && isPointer(n) {
			list = append(list, d)
		}
	case *cc.CastExpression:
		return pointersIn(n.CastExpression)
	case *cc.AdditiveExpression:
		return append(pointersIn(n.AdditiveExpression), pointersIn(n.MultiplicativeExpression)...)
	case *cc.ConditionalExpression:
		return append(pointersIn(n.ExpressionList), pointersIn(n.ConditionalExpression)...)
	case *cc.AssignmentExpression:
		return pointersIn(n.AssignmentExpression)
	case *cc.UnaryExpression:
		if v, ok := resolve(n.CastExpression); ok && n.Case == cc.UnaryExpressionAddrof {
			list = append(list, v.variable)
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			for _, argument := range argumentsOf(n) {
				list = append(list, pointersIn(argument)...)
			}
		} else if v, ok := resolve(n); ok && isPointer(n) {
			list = append(list, v.variable)
		}
	default:
		return addressesIn(n)
	}
	return list
}

// addressesIn are those that an expression makes numbers of.
func addressesIn(n cc.ExpressionNode) (list []*cc.Declarator) {
	visit(n, func(n cc.Node) {
		if cast, ok := n.(*cc.CastExpression); ok && cast.Case == cc.CastExpressionCast && isPointer(cast.CastExpression) {
			list = append(list, pointersIn(cast.CastExpression)...)
		}
	})
	return list
}

// isAddressTaken says that something may point to a variable that is no array.
func (x *extractor) isAddressTaken(a *arrayInfo) bool {
	return a.declarator.AddressTaken() || a.declarator.StorageDuration() != cc.Automatic && a.declarator.Linkage() == cc.External
}

// mayShareElements says whether C lets one object be accessed as both types:
// the same type but for its sign, or one of both the type of characters.
func mayShareElements(a, b string) bool {
	plain := func(t string) string {
		return strings.TrimPrefix(strings.TrimPrefix(t, "unsigned "), "signed ")
	}
	a, b = plain(a), plain(b)
	return a == b || a == "char" || b == "char" || strings.HasPrefix(a, "struct") || strings.HasPrefix(b, "struct") ||
		strings.HasPrefix(a, "union") || strings.HasPrefix(b, "union")
}

func (x *extractor) isWritten(a *arrayInfo) bool {
	for _, s := range x.statements {
		for _, r := range s.references {
			if r.array == a && r.write {
				return true
			}
		}
	}
	return false
}

// isRestrict says that a declarator has the restrict qualifier.
func isRestrict(d *cc.Declarator) bool {
	for _, t := range tokensOf(d) {
		if strings.Trim(t.SrcStr(), "_") == "restrict" {
			return true
		}
	}
	return false
}
