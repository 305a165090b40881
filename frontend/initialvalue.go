package frontend

import (
	"modernc.org/cc/v4"
)

// initialValues are the first values of the integer variables of the file and of the function: those
// of their declarations, or those of the assignments in front of the region that are the only ones
// there, of variables without a value before:
//
//	int across, down;
//	across = 1;
//	down = width;
//
// C gives no meaning to a program that reads such a variable before it is assigned.
type initialValues struct {
	values map[*cc.Declarator]cc.ExpressionNode
	// settings are the assignments, nil where there are several.
	settings map[*cc.Declarator]*cc.AssignmentExpression
}

// initialOf is the first value of a variable of the file, or of one that is declared in front of
// the region in a block around it; nil for others.
func (x *extractor) initialOf(d *cc.Declarator) cc.ExpressionNode {
	if x.firsts == nil {
		x.firsts = &initialValues{map[*cc.Declarator]cc.ExpressionNode{}, map[*cc.Declarator]*cc.AssignmentExpression{}}
		for l := x.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
			if e := l.ExternalDeclaration; e != nil && e.Case == cc.ExternalDeclarationDecl {
				x.firsts.declare(e.Declaration)
			}
		}
		x.visitFunction(x.noteFirst)
	}
	if setting := x.firsts.settings[d]; setting != nil {
		return setting.AssignmentExpression
	}
	return x.firsts.values[d]
}

// noteFirst notes what a node of the function says of first values.
func (x *extractor) noteFirst(n cc.Node) {
	switch n := n.(type) {
	case *cc.Declaration:
		x.firsts.declare(n)
	case *cc.AssignmentExpression:
		d := variableOf(n.UnaryExpression)
		if n.Case == cc.AssignmentExpressionCond || d == nil || !x.beginsWithout(d) || !x.inFile(n) || n.Position().Offset >= x.bounds.start {
			return
		}
		if _, isSecond := x.firsts.settings[d]; isSecond || n.Case != cc.AssignmentExpressionAssign {
			n = nil
		}
		x.firsts.settings[d] = n
	}
}

// beginsWithout says that a variable is an integer of the function without a value where it is
// declared.
func (x *extractor) beginsWithout(d *cc.Declarator) bool {
	return !d.IsParam() && !isFileScope(d) && d.StorageDuration() == cc.Automatic && !d.HasInitializer() && !d.AddressTaken() && cc.IsIntegerType(d.Type())
}

func (f *initialValues) declare(n *cc.Declaration) {
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if i := l.InitDeclarator; i.Initializer != nil && i.Initializer.AssignmentExpression != nil && cc.IsIntegerType(i.Declarator.Type()) {
			f.values[i.Declarator] = i.Initializer.AssignmentExpression
		}
	}
}

// isFirstSetting says that a node is the assignment that gives a variable its first value.
func (x *extractor) isFirstSetting(n cc.Node, d *cc.Declarator) bool {
	x.initialOf(d)
	setting, isAssignment := n.(*cc.AssignmentExpression)
	return isAssignment && x.firsts.settings[d] == setting
}

// changesLater says that the function gives a variable another value than its first one.
func (x *extractor) changesLater(d *cc.Declarator) (found bool) {
	x.visitFunction(func(n cc.Node) { found = found || isChange(n, d) && !x.isFirstSetting(n, d) })
	return found
}
