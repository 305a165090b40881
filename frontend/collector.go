package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// collector gathers the references of one statement in the order of its
// text.
type collector struct {
	x *extractor
	place
	references []reference
	problems   ErrorList
	// branches hold wherever the expression at hand is evaluated.
	branches []formula
	// maybe says that the expression at hand is not always evaluated.
	maybe bool
	// depth is the number of conditions and loops of an opaque statement around the one at hand.
	depth int
	// around are the loops and switches of an opaque statement around the one at hand.
	around jumpTargets
	// labels are those that blocks of the opaque statement around the place at hand have to
	// themselves.
	labels []string
	// known are the subscripts whose value the model has, and elements in rows.
	known []knownText
	// embedded are the ++ and -- in it on variables that are followed.
	embedded []cc.ExpressionNode
	// inner are the variables that live inside the statement only; nil for a
	// statement that is not opaque.
	inner map[*cc.Declarator]bool
	// whole is the opaque statement, and setInside says of variables whether it sets them in front of
	// each use that it makes of them.
	whole     *cc.Statement
	setInside map[*cc.Declarator]bool
	// own are the variables of loops of the opaque statement around the place at hand.
	own []*cc.Declarator
	// unknownWork says that there is a call or a loop, and calls are the functions called.
	unknownWork bool
	calls       []string
	// serial says what keeps the statement out of vectors.
	serial scop.Serial
}

func (x *extractor) newCollector(at place) *collector { return &collector{x: x, place: at} }

func (c *collector) fail(at cc.Node, construct, message, advice string) {
	c.problems = append(c.problems, c.x.errorAt(at, construct, message, advice))
}

// evaluator is one for subscripts and conditions at the present point.
func (c *collector) evaluator() *evaluator {
	e := c.x.evaluatorAt(c.place, c.branches...)
	e.embedded = c.embedded
	return e
}

// statement collects from an expression that is a statement.
func (c *collector) statement(s *cc.Statement) {
	if first := c.x.lexemeAt(s.Position().Offset); first >= 0 && c.x.isMacro("assert") && c.x.of(c.x.lexemes[first]) == "assert" && hasEffect(s) {
		c.fail(s, "assert", "an assert inside the region, which may end the program", "move it in front of #pragma scop, or behind #pragma endscop")
		return
	}
	c.expression(s.ExpressionStatement.ExpressionList)
}

// expression collects the references of an expression whose value is used or
// dropped.
func (c *collector) expression(n cc.ExpressionNode) {
	switch x := unwrap(n).(type) {
	case *cc.ExpressionList:
		for l := x; l != nil; l = l.ExpressionList {
			c.expression(l.AssignmentExpression)
		}
	case *cc.AssignmentExpression:
		c.assignment(x)
	case *cc.ConditionalExpression:
		c.conditional(x)
	case *cc.LogicalOrExpression:
		c.expression(x.LogicalOrExpression)
		c.perhaps(x.LogicalAndExpression)
	case *cc.LogicalAndExpression:
		c.expression(x.LogicalAndExpression)
		c.perhaps(x.InclusiveOrExpression)
	case *cc.UnaryExpression:
		c.unary(x)
	case *cc.PostfixExpression:
		c.postfix(x)
	case *cc.PrimaryExpression:
		c.primary(x)
	case *indexSum:
		c.expressions(x.ExpressionNode, x.Second)
	default:
		c.operands(unwrap(n))
	}
}

// operands collects from both sides of an arithmetic operator.
func (c *collector) operands(n cc.ExpressionNode) {
	var sides []cc.ExpressionNode
	switch x := n.(type) {
	case *cc.InclusiveOrExpression:
		sides = []cc.ExpressionNode{x.InclusiveOrExpression, x.ExclusiveOrExpression}
	case *cc.ExclusiveOrExpression:
		sides = []cc.ExpressionNode{x.ExclusiveOrExpression, x.AndExpression}
	case *cc.AndExpression:
		sides = []cc.ExpressionNode{x.AndExpression, x.EqualityExpression}
	case *cc.EqualityExpression:
		sides = []cc.ExpressionNode{x.EqualityExpression, x.RelationalExpression}
	case *cc.RelationalExpression:
		sides = []cc.ExpressionNode{x.RelationalExpression, x.ShiftExpression}
	case *cc.ShiftExpression:
		sides = []cc.ExpressionNode{x.ShiftExpression, x.AdditiveExpression}
	case *cc.AdditiveExpression:
		sides = []cc.ExpressionNode{x.AdditiveExpression, x.MultiplicativeExpression}
	case *cc.MultiplicativeExpression:
		sides = []cc.ExpressionNode{x.MultiplicativeExpression, x.CastExpression}
	case *cc.CastExpression:
		sides = []cc.ExpressionNode{x.CastExpression}
	default:
		c.fail(n, "expression", "this kind of expression is not understood inside a region", "use arithmetic on scalars and array elements")
		return
	}
	for _, side := range sides {
		if side.Type().Kind() == cc.Ptr {
			c.fail(side, "pointer", "pointer arithmetic inside the region", "use an array element with affine subscripts, such as p[i]")
			return
		}
		c.expression(side)
	}
}

// perhaps collects from an expression that is evaluated only sometimes.
func (c *collector) perhaps(n cc.ExpressionNode) {
	before := c.maybe
	c.maybe = true
	c.expression(n)
	c.maybe = before
}

// swapAdvice is what to do where loops exchange two pointers, as those over the sweeps of a
// stencil.
const swapAdvice = "put #pragma scop and #pragma endscop around the loops of one sweep, and exchange the pointers behind it; or make one array of both, as double u[2][n], and index it as u[t % 2][i]; " +
	"exchanges in every iteration, by a pointer that is declared in front of the region, w = u; u = v; v = w;, are read as such"

// isExchange says that a pointer variable gets the value of another one.
func isExchange(x *cc.AssignmentExpression) bool {
	d := variableOf(x.AssignmentExpression)
	return x.Case == cc.AssignmentExpressionAssign && d != nil && d.Type().Kind() == cc.Ptr && variableOf(x.UnaryExpression) != nil
}

func (c *collector) assignment(x *cc.AssignmentExpression) {
	if x.UnaryExpression.Type().Kind() == cc.Ptr {
		advice := "set it in front of #pragma scop, and index it from a fixed start: p[i] instead of *p++"
		if isExchange(x) {
			advice = swapAdvice
		}
		c.fail(x, "pointer", "a pointer is assigned inside the region", advice)
		return
	}
	update := x.Case != cc.AssignmentExpressionAssign
	c.element(x.UnaryExpression, update, true)
	c.expression(x.AssignmentExpression)
}

// conditional collects from c ? a : b; with an affine condition each branch
// counts only where it is taken.
func (c *collector) conditional(x *cc.ConditionalExpression) {
	if x.ExpressionList == nil {
		c.expression(x.LogicalOrExpression)
		c.perhaps(x.ConditionalExpression)
		return
	}
	condition, err := c.evaluator().condition(x.LogicalOrExpression)
	if err != nil {
		c.expression(x.LogicalOrExpression)
		c.perhaps(x.ExpressionList)
		c.perhaps(x.ConditionalExpression)
		return
	}
	before := c.branches
	c.branches = append(append([]formula{}, before...), condition)
	c.expression(x.ExpressionList)
	c.branches = append(append([]formula{}, before...), condition.negated())
	c.expression(x.ConditionalExpression)
	c.branches = before
}

func (c *collector) unary(x *cc.UnaryExpression) {
	if slices.Contains(c.embedded, cc.ExpressionNode(x)) {
		c.noteEmbedded(x)
		return
	}
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		c.element(x.UnaryExpression, true, true)
	case cc.UnaryExpressionDeref:
		c.element(x, true, false)
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		c.expression(x.CastExpression)
	case cc.UnaryExpressionReal, cc.UnaryExpressionImag:
		c.expression(x.UnaryExpression)
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if hasAssignment(x) {
			c.fail(x, "sizeof", "sizeof of what would change a variable", "take the size of the type, as in sizeof(int)")
		}
	case cc.UnaryExpressionAddrof:
		c.fail(x, "address-of", "the address of a variable is taken inside the region, so it may be accessed unseen", "pass values instead of pointers")
	default:
		c.fail(x, "expression", "this operator is not understood inside a region", "use arithmetic on scalars and array elements")
	}
}

func (c *collector) postfix(x *cc.PostfixExpression) {
	if slices.Contains(c.embedded, cc.ExpressionNode(x)) {
		c.noteEmbedded(x)
		return
	}
	switch x.Case {
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		c.element(x.PostfixExpression, true, true)
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if x.Case != cc.PostfixExpressionIndex || !c.literalElement(x) {
			c.element(x, true, false)
		}
	case cc.PostfixExpressionCall:
		c.call(x)
	case cc.PostfixExpressionComplit:
		c.compoundLiteral(x)
	default:
		c.fail(x, "expression", "this kind of expression is not understood inside a region", "use arithmetic on scalars and array elements")
	}
}

func (c *collector) primary(x *cc.PrimaryExpression) {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		c.element(x, true, false)
	case cc.PrimaryExpressionStmt:
		c.statementExpression(x)
	case cc.PrimaryExpressionGeneric:
		c.fail(x, "_Generic", unclearGeneric, "call the function that is meant")
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		c.fail(x, "string", "a string inside the region", "move input and output out of the region")
	}
}

// element collects a reference to a scalar or an array element.
func (c *collector) element(n cc.ExpressionNode, read, write bool) {
	if p, ok := unwrap(n).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		if _, enumerator := p.ResolvedTo().(*cc.Enumerator); enumerator {
			return
		}
	}
	if whole, index := partOf(n); whole != nil {
		c.part(whole, index, write)
		return
	}
	v, ok := resolve(n)
	if !ok {
		c.failAccess(n)
		return
	}
	if c.inner[v.variable] {
		for _, s := range v.subscripts {
			if s != nil {
				c.expression(s)
			}
		}
		return
	}
	if c.isLoopIterator(v.variable) {
		if write {
			c.fail(n, "iterator", fmt.Sprintf("the iterator %s is changed inside its loop", v.variable.Name()),
				"only the for itself may change its iterator; use another variable")
		}
		return
	}
	switch b := c.bindingOf(v.variable); {
	case b == nil || b.copy == nil && !b.unknown && !b.incoming:
	case write || b.unknown:
		c.x.giveUp(v.variable)
		return
	case b.incoming:
		c.x.resolved(b)
		return
	default:
		return
	}
	if read && (c.isSetInside(variableOf(n)) || slices.Contains(c.own, variableOf(n))) {
		if read = false; !write {
			return
		}
	}
	if c.x.facts.isIterator(v.variable) && c.isUsedOutside(n, v.variable) {
		return
	}
	c.reference(n, v, read, write)
}

// failAccess says why an expression is no reference to a named variable.
func (c *collector) failAccess(n cc.ExpressionNode) {
	const advice = "use an array element with affine subscripts, such as A[i][j]"
	message := "this access is neither a scalar nor an element of a named array"
	visit(n, func(inner cc.Node) {
		switch x := inner.(type) {
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionAddrof:
				message = "the address of a variable is taken inside the region, so it may be accessed unseen"
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				message = "a pointer moves inside the region"
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
				message = "a pointer moves inside the region"
			}
		}
	})
	c.fail(n, "access", message, advice)
}

func (c *collector) isLoopIterator(d *cc.Declarator) bool {
	b := c.bindingOf(d)
	return b != nil && b.loop >= 0
}

func (c *collector) reference(n cc.Node, v lvalue, read, write bool) {
	c.refer(n, v, reference{read: read, write: write}, len(v.subscripts))
}

// refer adds the reference r to the element v, of which the first exact
// subscripts are those in the text and the others may be anything.
func (c *collector) refer(n cc.Node, v lvalue, r reference, exact int) {
	array, steps, err := c.x.arrayOf(v)
	if err != nil {
		c.problems.add(err)
		return
	}
	if err := c.giveRows(array); err != nil {
		c.problems.add(err)
		return
	}
	subscripts := v.subscriptsOf(steps)
	dimensions := len(array.Extents) - len(array.rows)
	if exact >= len(v.subscripts) && len(subscripts) != dimensions || len(subscripts) > dimensions {
		c.fail(n, "array", fmt.Sprintf("%s has %d dimensions but is used with %d subscripts", array.Spelling(), dimensions, len(subscripts)),
			"name one element, with all subscripts")
		return
	}
	partial := steps < len(v.members)
	r.array, r.conditions, r.where, r.depth = array, c.branches, c.x.positionOf(v.name), c.depth
	r.may = r.may || c.maybe || r.write && partial
	reads := v.subscripts[len(subscripts):]
	for k := range dimensions {
		var values []subscript
		switch isExact := k < len(subscripts) && k < exact; {
		case isExact:
			values, err = c.exactly(array, v, subscripts[k], k, n)
		case array.rows != nil && k == array.LinearAt:
			values = make([]subscript, len(array.rows)+1)
		default:
			values = make([]subscript, 1)
		}
		if err != nil {
			c.problems.add(err)
			return
		}
		if slices.ContainsFunc(values, func(s subscript) bool { return !s.known }) {
			r.may = true
			r.datum = c.datumWith(r, array, subscripts, k)
			if k < len(subscripts) {
				reads = append(reads[:len(reads):len(reads)], subscripts[k])
			}
		} else if k < len(subscripts) && c.namesLocal(subscripts[k]) {
			reads = append(reads[:len(reads):len(reads)], subscripts[k])
		}
		r.subscripts = append(r.subscripts, values...)
	}
	if v.flat {
		c.countOff(&r, v)
	}
	if r.bytes > int64(array.Size) && !c.spread(&r) {
		c.fail(n, "call", fmt.Sprintf("%d bytes at a member of a struct, or at a single variable, are accessed as a vector", r.bytes), "pass an element of an array of numbers, such as &a[i]")
		return
	}
	c.references = append(c.references, r)
	c.noteEmbeddedIn(subscripts, reads)
	for _, s := range reads {
		if s != nil {
			c.expression(s)
		}
	}
}
