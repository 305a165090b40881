package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// block is a list of statements with what stands for variables in it. A return is the end of the
// list, or of an if without else:
//
//	if (c) return; rest  becomes  if (c) { } else { rest }
//
// Where somebody wants its value, it assigns that.
func (s *insertion) block(items []*cc.BlockItem) (text string, ok bool) {
	var b strings.Builder
	for k, item := range items {
		if item.Case == cc.BlockItemStmt {
			n := item.Statement
			if j := onlyReturn(n); j != nil {
				value, ok := s.toTarget(j)
				return b.String() + value, ok && k == len(items)-1
			}
			if j := returnsUnder(n); j != nil {
				value, okValue := s.toTarget(j)
				rest, okRest := s.block(items[k+1:])
				fmt.Fprintf(&b, "if (%s) { %s} else { %s} ", s.text(n.SelectionStatement.ExpressionList), value, rest)
				return b.String(), okValue && okRest
			}
			if returns(n) {
				return "", false
			}
		}
		b.WriteString(s.text(item) + " ")
	}
	return b.String(), s.target == ""
}

// toTarget is the assignment of what a return gives, or "" where nobody wants that.
func (s *insertion) toTarget(j *cc.JumpStatement) (text string, ok bool) {
	switch {
	case s.target == "":
		return "", j.ExpressionList == nil || !s.mayChange(j.ExpressionList)
	case j.ExpressionList == nil:
		return "", false
	}
	value := converted(j.ExpressionList.Type(), s.result(), asOperand(j.ExpressionList, s.text(j.ExpressionList)))
	return fmt.Sprintf("%s = %s; ", s.target, value), true
}

// returnsUnder is the return that all of an if without else is; nil for other statements.
func returnsUnder(n *cc.Statement) *cc.JumpStatement {
	if n.Case != cc.StatementSelection || n.SelectionStatement.Case != cc.SelectionStatementIf {
		return nil
	}
	return onlyReturn(n.SelectionStatement.Statement)
}

// onlyReturn is the return that a statement is, in braces or not; nil for other statements.
func onlyReturn(n *cc.Statement) *cc.JumpStatement {
	if n.Case == cc.StatementCompound {
		items := itemsOf(n.CompoundStatement)
		if len(items) == 1 && items[0].Case == cc.BlockItemStmt {
			return onlyReturn(items[0].Statement)
		}
	}
	if n.Case == cc.StatementJump && n.JumpStatement.Case == cc.JumpStatementReturn {
		return n.JumpStatement
	}
	return nil
}
