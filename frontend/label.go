package frontend

import "modernc.org/cc/v4"

// label leaves out a label that nothing jumps to, with which some programs name their statements.
// In the generated code it might stand twice.
func (r *rewriter) label(n *cc.LabeledStatement) {
	if n.Case != cc.LabeledStatementLabel || r.x.isJumpTarget(n.Token.SrcStr()) || !r.isToken(n.Token) || !r.isToken(n.Token2) {
		return
	}
	r.replace(n.Token.Position().Offset, n.Token2.Position().Offset+len(":"), "")
}

// isJumpTarget says that a goto of the function names a label, or that its address is taken.
func (x *extractor) isJumpTarget(label string) (found bool) {
	x.visitFunction(func(n cc.Node) {
		switch n := n.(type) {
		case *cc.JumpStatement:
			found = found || n.Case == cc.JumpStatementGoto && n.Token2.SrcStr() == label
		case *cc.UnaryExpression:
			found = found || n.Case == cc.UnaryExpressionLabelAddr && n.Token2.SrcStr() == label
		}
	})
	return found
}
