package frontend

import "modernc.org/cc/v4"

// prefetch asks for memory ahead: it has no effect.
const prefetch = builtinPrefix + "prefetch"

// leaveOut leaves out a statement that changes nothing: the call of a function without side effects, whose value nobody wants, or a value that is cast to void. Others are
// mistakes.
func (x *extractor) leaveOut(s *cc.Statement, c *collector) {
	cast, isCast := unwrap(s.ExpressionStatement.ExpressionList).(*cc.CastExpression)
	call, isCall := unwrap(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	if isVoid := isCast && cast.Type().Kind() == cc.Void; !isVoid && !(isCall && call.Case == cc.PostfixExpressionCall) {
		x.refuse(s, "expression", "a statement that assigns nothing", "remove it, or assign its value to a variable")
	}
	x.leftOut = append(x.leftOut, &statementDraft{references: c.references, calls: c.calls})
}

// noStatement is the error of a region whose statements all are left out, or stand for values elsewhere. It is read once more, with all of them kept.
func (x *extractor) noStatement() error {
	x.again = x.again || !x.reading.keepsAll && len(x.leftOut)+len(x.copies) > 0
	x.reading.keepsAll = x.again
	return x.emptyRegion(x.bounds)
}
