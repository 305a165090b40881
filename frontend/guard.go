package frontend

import "modernc.org/cc/v4"

// guards replaces continue at the ends of conditions in a loop's body:
//
//	if (c) continue;           becomes  if (!(c)) { … }
//	if (c) { …; continue; } …  becomes  if (c) { … } else { … }
//
// with what follows in the body between the braces.
func (r *rewriter) guards(loop *cc.IterationStatement) {
	if loop.Statement == nil || loop.Statement.Case != cc.StatementCompound || !r.isToken(loop.Statement.CompoundStatement.Token2) {
		return
	}
	body := loop.Statement.CompoundStatement
	for l := body.BlockItemList; l != nil; l = l.BlockItemList {
		if s := l.BlockItem.Statement; l.BlockItem.Case == cc.BlockItemStmt && s.Case == cc.StatementSelection && r.guard(s.SelectionStatement) {
			end := body.Token2.Position().Offset
			r.replace(end, end, "} ")
		}
	}
}

// guard replaces the continue at the end of an if without else, and leaves a brace open behind it;
// ok is false where there is none.
func (r *rewriter) guard(n *cc.SelectionStatement) (ok bool) {
	if n.Case != cc.SelectionStatementIf {
		return false
	}
	jump := lastStatement(n.Statement)
	return jump != nil && jump.Case == cc.StatementJump && jump.JumpStatement.Case == cc.JumpStatementContinue && r.otherwise(n, jump.JumpStatement)
}

// otherwise takes out the jump at the end of an if without else, and leaves a brace open behind it,
// for what is to run where the condition does not hold.
func (r *rewriter) otherwise(n *cc.SelectionStatement, jump *cc.JumpStatement) (ok bool) {
	for _, t := range []cc.Token{n.Token2, n.Token3} {
		if !r.isToken(t) {
			r.x.writeOut(t.Position().Offset)
			return false
		}
	}
	if !r.standsHere(jump) {
		return false
	}
	branch := n.Statement
	start, end := r.placeOfJump(jump)
	if isOnly := branch.Case != cc.StatementCompound || branch.CompoundStatement.BlockItemList.BlockItemList == nil; isOnly {
		r.negate(n)
		if branch.Case != cc.StatementCompound {
			r.replace(start, end, "{")
			return true
		}
		r.replace(start, end, "")
		r.drop(branch.CompoundStatement.Token2)
		return true
	}
	closing := branch.CompoundStatement.Token2
	r.replace(start, end, "")
	r.replace(closing.Position().Offset, closing.Position().Offset+len("}"), "} else {")
	return true
}

// lastStatement is a statement, or the last one of a block, nil where that ends with a declaration
// or has no braces of its own.
func lastStatement(s *cc.Statement) *cc.Statement {
	if s.Case != cc.StatementCompound {
		return s
	}
	var last *cc.Statement
	for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		last = nil
		if l.BlockItem.Case == cc.BlockItemStmt {
			last = l.BlockItem.Statement
		}
	}
	if last != nil && last.Case == cc.StatementCompound {
		return nil
	}
	return last
}

// negate puts a condition into the opposite.
func (r *rewriter) negate(n *cc.SelectionStatement) {
	open, closing := n.Token2.Position().Offset+len("("), n.Token3.Position().Offset
	r.replace(open, open, "!(")
	r.replace(closing, closing, ")")
}

// drop leaves out a token.
func (r *rewriter) drop(t cc.Token) {
	offset := t.Position().Offset
	r.replace(offset, offset+len(t.SrcStr()), "")
}
