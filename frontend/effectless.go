package frontend

import "modernc.org/cc/v4"

// prefetch asks for memory ahead: it has no effect.
const prefetch = builtinPrefix + "prefetch"

// leaveOut leaves out an expression that changes nothing: the call of a function without side
// effects, whose value nobody wants, the plain name of a variable, or a value that is cast to void.
// Others are mistakes.
func (x *extractor) leaveOut(n cc.ExpressionNode, c *collector) {
	cast, isCast := unwrap(n).(*cc.CastExpression)
	call, isCall := unwrap(n).(*cc.PostfixExpression)
	isVoid := isCast && cast.Type().Kind() == cc.Void
	isName := variableOf(n) != nil
	if !isVoid && !isName && !(isCall && call.Case == cc.PostfixExpressionCall) {
		x.refuse(n, "expression", "a statement that assigns nothing", "remove it, or assign its value to a variable")
	}
	x.leftOut = append(x.leftOut, &statementDraft{references: c.references, calls: c.calls})
}

// noStatement is the error of a region whose statements all are left out, or stand for values
// elsewhere. With such values it is read once more, and they are assigned.
func (x *extractor) noStatement() error {
	if !x.reading.keepsCopies && len(x.copies) > 0 {
		x.again, x.reading.keepsCopies = true, true
	}
	if len(x.leftOut) > 0 {
		return ErrorList{{x.bounds.pragma, "#pragma scop", "no statement of the region changes anything", "put the loop nest between #pragma scop and #pragma endscop"}}
	}
	return x.emptyRegion(x.bounds)
}
