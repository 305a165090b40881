package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// Programs that pack elements count them where they write them: buf[k++] = a[i][j]. In such a
// statement k has its value from before, and one more behind it.

// embedded are the ++ and -- inside an expression on variables that are followed, where each names
// its variable alone and happens whenever the expression is evaluated.
func (x *extractor) embeddedIn(n cc.ExpressionNode, at place) (list []cc.ExpressionNode) {
	named, sometimes := namedIn(n), map[cc.Node]bool{}
	visit(n, func(n cc.Node) {
		var parts []cc.Node
		switch n := n.(type) {
		case *cc.ConditionalExpression:
			parts = []cc.Node{n.ExpressionList, n.ConditionalExpression}
		case *cc.LogicalAndExpression:
			parts = []cc.Node{n.InclusiveOrExpression}
		case *cc.LogicalOrExpression:
			parts = []cc.Node{n.LogicalAndExpression}
		}
		for _, part := range parts {
			visit(part, func(n cc.Node) { sometimes[n] = true })
		}
	})
	visit(n, func(n cc.Node) {
		e, ok := n.(cc.ExpressionNode)
		if _, isAssignment := n.(*cc.AssignmentExpression); !ok || isAssignment || sometimes[n] || !assigns(n) {
			return
		}
		d, _ := assignmentOf(e)
		isSame := func(o *cc.Declarator) bool { return o == d }
		if d != nil && x.isFollowed(d) && at.bindingOf(d) != nil && len(slices.DeleteFunc(slices.Clone(named), func(o *cc.Declarator) bool { return !isSame(o) })) == 1 {
			list = append(list, e)
		}
	})
	return list
}

// noteEmbedded puts the value of an embedded ++ or -- in its place.
func (c *collector) noteEmbedded(n cc.ExpressionNode) {
	d, _ := assignmentOf(n)
	extent, ok := spanOf(n)
	written, isWritten := c.x.phraseOf(embeddedAs(n), c.place)
	if c.x.resolved(c.bindingOf(d)) == nil || !ok || !isWritten || !c.x.standsAlone(extent) {
		c.x.giveUp(d)
		return
	}
	written = written.inParentheses()
	c.known = append(c.known, knownText{span: extent, text: written.source, end: c.x.endOf(extent), uses: written.uses})
}

// noteEmbeddedIn puts the values of embedded ++ and -- into subscripts, but for those that are read
// by themselves.
func (c *collector) noteEmbeddedIn(subscripts, read []cc.ExpressionNode) {
	for _, s := range subscripts {
		if s == nil || slices.Contains(read, s) {
			continue
		}
		visit(s, func(n cc.Node) {
			if e, ok := n.(cc.ExpressionNode); ok && slices.Contains(c.embedded, e) {
				c.noteEmbedded(e)
			}
		})
	}
}

// embeddedValue is the value of an embedded ++ or --.
func (e *evaluator) embeddedValue(n cc.ExpressionNode) (affine, error) {
	return e.affine(embeddedAs(n))
}

// embeddedAs is an expression with the value of an embedded ++ or --.
func embeddedAs(n cc.ExpressionNode) cc.ExpressionNode {
	if _, isPostfix := n.(*cc.PostfixExpression); isPostfix {
		return targetOf(n)
	}
	_, value := assignmentOf(n)
	return value
}

// inParts extracts expressions that commas separate, where some are assignments to variables that
// are followed, one after the other.
func (x *extractor) inParts(n cc.ExpressionNode, at place) (after place, ok bool) {
	parts := commaParts(n)
	isAssignment := func(part cc.ExpressionNode) bool {
		d, _ := assignmentOf(part)
		return d != nil && x.isFollowed(d) && at.bindingOf(d) != nil
	}
	if len(parts) < 2 || !slices.ContainsFunc(parts, isAssignment) {
		return at, false
	}
	for _, part := range parts {
		at = x.inHeader(part, at)
	}
	return at, true
}
