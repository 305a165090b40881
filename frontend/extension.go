package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// What compilers know besides C11, or C11 besides C99: _Generic, statements that are expressions,
// declarations that take the type of a value, parts of complex numbers, builtins that choose when
// the program is compiled. All of it stays in the text of its statement as it is written.

// genericChoice is the expression that _Generic chooses; nil for other expressions, and for types
// that the parser may tell apart otherwise than compilers do.
func genericChoice(n *cc.PrimaryExpression) cc.ExpressionNode {
	if n.Case != cc.PrimaryExpressionGeneric || n.GenericSelection == nil || n.GenericSelection.Associated() == nil || !isPlainType(n.GenericSelection.AssignmentExpression) {
		return nil
	}
	return n.GenericSelection.Associated().AssignmentExpression
}

// unclearGeneric is what is wrong with others.
const unclearGeneric = "_Generic of a type that is not told apart for certain"

// isPlainType says that the parser gives an expression the type that compilers do: one of numbers
// of C99, made of such.
func isPlainType(n cc.ExpressionNode) bool {
	plain := isNumberType(n.Type()) && n.Type().Kind() != cc.Enum && n.Type().BitField() == nil
	visit(n, func(inner cc.Node) {
		if e, ok := inner.(cc.ExpressionNode); ok && e.Type() != nil {
			plain = plain && !isVector(e.Type()) && !isOpaqueNumber(e.Type())
		}
	})
	return plain
}

// checkGenerics refuses _Generic in the region where it is not certain what it chooses: of types
// that have one name here and another there, and of the region's iterators and followed variables,
// in whose place other values stand.
func (x *extractor) checkGenerics(items []*cc.BlockItem) {
	for _, item := range items {
		visit(item, func(n cc.Node) {
			p, ok := n.(*cc.PrimaryExpression)
			if !ok || p.Case != cc.PrimaryExpressionGeneric {
				return
			}
			if genericChoice(p) == nil || x.hasFloatingWords() {
				x.refuse(p, "_Generic", unclearGeneric, "call the function that is meant")
				return
			}
			for _, d := range namedIn(p.GenericSelection.AssignmentExpression) {
				if cc.IsIntegerType(d.Type()) && d.Type().Kind() != cc.Int && (x.facts.isIterator(d) || x.facts.local[d]) {
					x.refuse(p, "_Generic", fmt.Sprintf("_Generic of %s, an integer of the region in whose place others may stand", d.Name()), "call the function that is meant")
					return
				}
			}
		})
	}
}

// hasFloatingWords says that the file, or a macro, names a type such as _Float32, which the parser
// takes for another one.
func (u *unit) hasFloatingWords() bool {
	isWord := func(word string) bool { return slices.Contains(otherTypes, word) }
	for word := range u.identifiers() {
		if isWord(word) {
			return true
		}
	}
	for _, m := range u.ast.Macros {
		words := wordsOf(m)
		if slices.Contains(words, "_Generic") && slices.ContainsFunc(words, isWord) {
			return true
		}
	}
	return false
}

// otherTypes are those that builtins have other names for.
var otherTypes = strings.Fields("_Float32 _Float64 _Float32x _Float64x")

// statementExpression collects from statements in braces and parentheses that are an expression.
// What they declare lives inside the statement around.
func (c *collector) statementExpression(n *cc.PrimaryExpression) {
	if c.inner == nil {
		c.inner = map[*cc.Declarator]bool{}
	}
	first, depth := len(c.references), c.depth
	for _, item := range itemsOf(n.CompoundStatement) {
		c.insideItem(item)
	}
	for k := first; k < len(c.references); k++ {
		c.references[k].may = c.references[k].may || c.maybe || c.references[k].depth > depth
	}
}

// partOf is the vector that an expression is a number of, with the subscript of that, or the
// complex number that it is the real or imaginary part of; nil for others.
func partOf(n cc.ExpressionNode) (whole, index cc.ExpressionNode) {
	switch x := unwrap(n).(type) {
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionIndex && !isPointer(x.PostfixExpression) && isVector(x.PostfixExpression.Type()) {
			return x.PostfixExpression, x.ExpressionList
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionReal || x.Case == cc.UnaryExpressionImag {
			return x.UnaryExpression, nil
		}
	}
	return nil, nil
}

// part collects a reference to a part of an element. A write leaves the others as they are.
func (c *collector) part(whole, index cc.ExpressionNode, write bool) {
	c.expressions(index)
	before := c.maybe
	c.maybe = c.maybe || write
	c.element(whole, true, write)
	c.maybe = before
}

// compoundLiteral collects from a value in braces of a type in parentheses.
func (c *collector) compoundLiteral(n *cc.PostfixExpression) {
	if t := n.Type(); t.Kind() == cc.Array || t.Kind() == cc.Ptr || holdsPointers(t) {
		c.fail(n, "compound literal", "a compound literal with an address inside the region", "assign to a declared variable instead")
		return
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		c.initializer(l.Initializer)
	}
}

// literalElement collects from an element of a compound literal that is an array of numbers; ok is
// false for other expressions.
func (c *collector) literalElement(n *cc.PostfixExpression) (ok bool) {
	literal, ok := unwrap(n.PostfixExpression).(*cc.PostfixExpression)
	if !ok || literal.Case != cc.PostfixExpressionComplit || !isNumberType(n.Type()) {
		return false
	}
	for l := literal.InitializerList; l != nil; l = l.InitializerList {
		c.initializer(l.Initializer)
	}
	c.expression(n.ExpressionList)
	return true
}

// chosenByCompiler collects from what a builtin leaves of its arguments when the program is
// compiled; ok is false for other calls.
func (c *collector) chosenByCompiler(name string, x *cc.PostfixExpression) (ok bool) {
	arguments := argumentsOf(x)
	switch {
	case name == "__builtin_choose_expr" && len(arguments) == 3:
		condition, known := constantValue(arguments[0])
		if !known {
			return false
		}
		if condition != 0 {
			c.expression(arguments[1])
		} else {
			c.expression(arguments[2])
		}
		return true
	case name == sameTypes:
		for _, argument := range arguments {
			if !isPlainLiteral(argument) {
				c.fail(x, "call", "__builtin_types_compatible_p of types that are not told apart for certain", "write 0 or 1")
			}
		}
		return true
	}
	return false
}

// sameTypes is the parser's name of __builtin_types_compatible_p, whose arguments it has as values
// of the types.
const sameTypes = "__ccgo__types_compatible_p"

// isPlainLiteral says that a value of a type is one of a type of C99.
func isPlainLiteral(n cc.ExpressionNode) bool {
	return isNumberType(n.Type()) && !isOpaqueNumber(n.Type())
}

// declaredByValue is the declarator, with its initial value, of a declaration that takes the type
// of that; nil for other declarations.
func declaredByValue(n *cc.Declaration) *cc.InitDeclarator {
	if n.Case != cc.DeclarationAuto || n.Initializer == nil || n.Initializer.AssignmentExpression == nil {
		return nil
	}
	return &cc.InitDeclarator{Case: cc.InitDeclaratorInit, Declarator: n.Declarator, Initializer: n.Initializer}
}

// unclearType is what is wrong with a declaration that takes the type of an expression of unusual
// numbers.
const unclearType = "the type of this expression is not known for certain"

// typeOfUnclear is the expression whose type a declaration takes where compilers may give it
// another one than the parser; nil where there is none.
func typeOfUnclear(n *cc.Declaration) (unclear cc.ExpressionNode) {
	look := func(e cc.ExpressionNode) {
		if _, isElement := resolve(e); !isElement && unclear == nil && !isPlainType(e) {
			unclear = e
		}
	}
	if declared := declaredByValue(n); declared != nil {
		look(declared.Initializer.AssignmentExpression)
		return unclear
	}
	if n.DeclarationSpecifiers == nil {
		return nil
	}
	visit(n.DeclarationSpecifiers, func(inner cc.Node) {
		if t, ok := inner.(*cc.TypeSpecifier); ok && t.Case == cc.TypeSpecifierTypeofExpr {
			look(t.ExpressionList)
		}
	})
	return unclear
}

// isNested says that a function is defined inside of another one.
func (u *unit) isNested(d *cc.Declarator) bool {
	if u.nested == nil {
		u.nested = map[*cc.Declarator]bool{}
		for _, f := range u.functions() {
			visit(f, func(n cc.Node) {
				if item, ok := n.(*cc.BlockItem); ok && item.Case == cc.BlockItemFuncDef {
					u.nested[item.Declarator] = true
				}
			})
		}
	}
	return u.nested[d]
}
