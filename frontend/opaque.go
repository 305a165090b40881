package frontend

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// opaque makes one statement of a whole if or for that depends on data, as Tiramisu (section V-B of
// its CGO 2019 paper) and pet do: the accesses of everything inside may or may not happen, but for
// writes that both branches of an if have, and the text stays whole.
func (x *extractor) opaque(s *cc.Statement, at place) {
	c := x.newCollector(at)
	c.inner, c.whole, c.setInside = map[*cc.Declarator]bool{}, s, map[*cc.Declarator]bool{}
	c.inside(s)
	for k := range c.references {
		c.references[k].may = c.references[k].may || c.references[k].depth > 0
	}
	switch {
	case !x.accept(c):
	case !writesAnything(c.references):
		x.leftOut = append(x.leftOut, &statementDraft{references: c.references, calls: c.calls})
	default:
		x.emit(s, s, at, c)
	}
}

// asOne makes one statement of what has control flow of its own, all of it inside one iteration of
// the loops around. What can be rewritten as loops and conditions of the model is that first: so
// the first readings of a region refuse it, and only when nothing is left to rewrite it is taken as
// it is.
func (x *extractor) asOne(s *cc.Statement, at place, refusal error) {
	if !x.coarse[x.bounds.number] {
		x.problems.add(refusal)
		x.coarser[x.bounds.number] = true
		return
	}
	x.opaque(s, at)
	var why *Error
	if errors.As(refusal, &why) && len(at.loops) == 0 && hasLoop(s) {
		x.warnings = append(x.warnings, &Error{why.Position, why.Construct,
			why.Message + ", so this is one statement with everything inside it: no loop of the region is around it, and nothing of it runs in parallel",
			"put #pragma scop and #pragma endscop around the loops inside it, or " + why.Advice})
	}
}

// asOneOr is asOne for what is another form of C than the model has, such as for (s = 1; s < n; s
// *= 2), where there are loops around it, or others in the region, to be transformed; the user
// learns of it. Else it is refused.
func (x *extractor) asOneOr(s *cc.Statement, at place, refusal error) {
	if len(at.loops) == 0 && !x.hasOtherLoop(s) {
		x.problems.add(refusal)
		return
	}
	x.asOne(s, at, refusal)
	var why *Error
	if len(at.loops) == 0 {
		x.withoutOthers.add(refusal)
	} else if errors.As(refusal, &why) && x.coarse[x.bounds.number] {
		x.warnings = append(x.warnings, &Error{why.Position, why.Construct, why.Message + ", so this is one statement with everything inside it", why.Advice})
	}
}

// refuseWithoutOthers refuses loops in another form of C where no other loop of the region is one
// of the model.
func (x *extractor) refuseWithoutOthers() {
	if !slices.ContainsFunc(x.statements, func(s *statementDraft) bool { return s.Depth() > 0 }) {
		x.problems = append(x.problems, x.withoutOthers...)
	}
}

// hasOtherLoop says that the region has a loop that is neither a statement nor inside it.
func (x *extractor) hasOtherLoop(s *cc.Statement) (found bool) {
	for _, item := range x.items {
		walk(item, func(n cc.Node) bool {
			loop, isLoop := n.(*cc.IterationStatement)
			found = found || isLoop && loop != s.IterationStatement
			return !isLoop
		})
	}
	return found
}

// hasLoop says that there is a loop in a statement, itself included.
func hasLoop(s *cc.Statement) (found bool) {
	visit(s, func(n cc.Node) {
		_, isLoop := n.(*cc.IterationStatement)
		found = found || isLoop
	})
	return found
}

// inside collects from a statement inside an opaque one.
func (c *collector) inside(s *cc.Statement) {
	if s == nil {
		return
	}
	switch s.Case {
	case cc.StatementExpr:
		if s.ExpressionStatement.ExpressionList != nil {
			c.statement(s)
		}
	case cc.StatementCompound:
		c.insideBlock(s)
	case cc.StatementSelection:
		c.expression(s.SelectionStatement.ExpressionList)
		if s.SelectionStatement.Case == cc.SelectionStatementSwitch {
			c.insideSwitch(s.SelectionStatement.Statement)
			return
		}
		yes := c.branch(s.SelectionStatement.Statement)
		c.writeInBoth(yes, c.branch(s.SelectionStatement.Statement2))
	case cc.StatementIteration:
		c.insideLoop(s.IterationStatement)
	case cc.StatementJump:
		c.insideJump(s.JumpStatement)
	case cc.StatementLabeled:
		if label := s.LabeledStatement; label.Case == cc.LabeledStatementLabel && !slices.Contains(c.labels, label.Token.SrcStr()) || label.Case != cc.LabeledStatementLabel && c.around.switches == 0 {
			c.fail(s, "label", "a label inside the region", labelAdvice)
		}
		c.inside(s.LabeledStatement.Statement)
	default:
		c.fail(s, "asm", "inline assembly inside the region", "write the computation in C or move the assembly out of the region")
	}
}

// branch collects from a branch of an if, and returns the places of the references that certainly
// write there.
func (c *collector) branch(s *cc.Statement) (writes []int) {
	first := len(c.references)
	c.depth++
	c.inside(s)
	for k := first; k < len(c.references); k++ {
		if r := &c.references[k]; r.write && !r.may && r.depth == c.depth {
			writes = append(writes, k)
		}
	}
	c.depth--
	return writes
}

// writeInBoth notes that elements are written whichever branch of an if is taken: those that each
// of them writes whatever is decided further inside. A jump out of a branch leads to the end of a
// loop or a switch, whose depth all in it has.
func (c *collector) writeInBoth(yes, no []int) {
	for _, k := range yes {
		for _, l := range no {
			if a, b := &c.references[k], &c.references[l]; a.isSameElement(b) {
				a.depth, b.depth = c.depth, c.depth
			}
		}
	}
}

func (c *collector) insideItem(item *cc.BlockItem) {
	switch item.Case {
	case cc.BlockItemStmt:
		c.inside(item.Statement)
	case cc.BlockItemDecl:
		c.insideDeclaration(item.Declaration)
	case cc.BlockItemLabel:
	default:
		c.fail(item, "nested function", "a function is defined inside the region", "define it at file scope")
	}
}

// jumpTargets count the loops and switches of an opaque statement around the place at hand, which
// break and continue may lead out of.
type jumpTargets struct{ loops, switches int }

// insideSwitch collects from the body of a switch. It has what it declares to itself, and any part
// of it may be left out.
func (c *collector) insideSwitch(body *cc.Statement) {
	c.serial = scop.AlwaysSerial
	c.around.switches++
	c.depth++
	c.inside(body)
	c.depth--
	c.around.switches--
}

// insideJump refuses a jump that leaves the opaque statement.
func (c *collector) insideJump(j *cc.JumpStatement) {
	isInside := j.Case == cc.JumpStatementBreak && c.around != jumpTargets{} || j.Case == cc.JumpStatementContinue && c.around.loops > 0 ||
		j.Case == cc.JumpStatementGoto && slices.Contains(c.labels, j.Token2.SrcStr())
	if isInside {
		return
	}
	if c.exits != nil && c.exits.loop != nil && c.x.coarse[c.x.bounds.number] {
		c.x.reading.jumps[c.exits.loop], c.x.again = j, true
	}
	c.x.refuseJump(j)
}

// insideLoop collects from a loop inside an opaque statement. Its iterator is
// the statement's own business: it may be any affine loop or not. That it ends is the user's.
func (c *collector) insideLoop(s *cc.IterationStatement) {
	c.unknownWork = true
	c.around.loops++
	defer func() { c.around.loops-- }()
	if runsOnce(s) {
		c.insideOnce(s)
		return
	}
	c.serial = scop.AlwaysSerial
	before := c.own
	defer func() { c.own = before }()
	c.noteOwnIterator(s)
	switch s.Case {
	case cc.IterationStatementForDecl:
		c.insideDeclaration(s.Declaration)
		c.expressions(s.ExpressionList)
		c.repeated(s.Statement, s.ExpressionList2)
	case cc.IterationStatementFor:
		c.expressions(s.ExpressionList, s.ExpressionList2)
		c.repeated(s.Statement, s.ExpressionList3)
	case cc.IterationStatementWhile:
		c.expressions(s.ExpressionList)
		c.repeated(s.Statement, nil)
	case cc.IterationStatementDo:
		c.repeated(s.Statement, s.ExpressionList)
	}
}

// noteOwnIterator notes the variable that a loop inside an opaque statement counts with, if that is
// declared elsewhere: it is a variable like others unless other loops of the region make an
// iterator of it.
func (c *collector) noteOwnIterator(s *cc.IterationStatement) {
	if s.Case != cc.IterationStatementFor || len(labelsIn(s)) > 0 {
		return
	}
	own := newFacts()
	own.lookAtLoop(s)
	for d := range own.iterators {
		c.x.counted[d] = true
		if first := firstValueOf(s, d); first != nil && !slices.Contains(namedIn(first), d) {
			c.own = append(slices.Clip(c.own), d)
		}
	}
}

// repeated collects from the body of a loop, and from what comes after each run of it.
func (c *collector) repeated(body *cc.Statement, after cc.ExpressionNode) {
	c.depth++
	c.inside(body)
	c.expressions(after)
	c.depth--
}

// insideOnce collects from do … while (0). All of its body runs, unless a jump leads to its end.
func (c *collector) insideOnce(s *cc.IterationStatement) {
	if jumpIn(s.Statement) != nil {
		c.repeated(s.Statement, nil)
		return
	}
	c.inside(s.Statement)
}

// jumpIn is the first of the jumps of a loop's body; nil where there is none.
func jumpIn(body *cc.Statement) *cc.JumpStatement {
	if jumps := jumpsOf(body); len(jumps) > 0 {
		return jumps[0]
	}
	return nil
}

// jumpsOf are the breaks and continues in a loop's body that lead to the end of the loop, or to its
// next iteration.
func jumpsOf(body *cc.Statement) (jumps []*cc.JumpStatement) {
	var look func(inSwitch bool) func(cc.Node) bool
	look = func(inSwitch bool) func(cc.Node) bool {
		return func(n cc.Node) bool {
			switch n := n.(type) {
			case *cc.IterationStatement:
				return false
			case *cc.SelectionStatement:
				if n.Case == cc.SelectionStatementSwitch && !inSwitch {
					walk(n.Statement, look(true))
					return false
				}
			case *cc.JumpStatement:
				leads := n.Case == cc.JumpStatementContinue || n.Case == cc.JumpStatementBreak && !inSwitch
				if leads {
					jumps = append(jumps, n)
				}
			}
			return true
		}
	}
	walk(body, look(false))
	return jumps
}

func (c *collector) expressions(list ...cc.ExpressionNode) {
	for _, n := range list {
		if n != nil {
			c.expression(n)
		}
	}
}

// insideDeclaration notes the variables that live inside an opaque statement
// only; what they hold is unknown.
func (c *collector) insideDeclaration(n *cc.Declaration) {
	if n.Case == cc.DeclarationAssert {
		return
	}
	if declared := declaredByValue(n); declared != nil {
		c.insideDeclarator(declared)
		return
	}
	if n.Case != cc.DeclarationDecl || n.InitDeclaratorList == nil {
		c.fail(n, "declaration", "this kind of declaration inside the region", "move it in front of #pragma scop")
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		c.insideDeclarator(l.InitDeclarator)
	}
}

// insideDeclarator notes one such variable.
func (c *collector) insideDeclarator(n *cc.InitDeclarator) {
	d := n.Declarator
	if construct, message := c.x.wrongLocal(d); message != "" {
		c.fail(d, construct, message, "move it in front of #pragma scop")
		return
	}
	if c.isHidden(d) {
		c.x.isAboutHiding = true
		c.fail(d, "declaration", fmt.Sprintf("%s, declared under a condition or bound that depends on data, hides another variable of the region", d.Name()),
			"rename one of them")
		return
	}
	c.inner[d] = true
	c.initializer(n.Initializer)
}

// isHidden says that the variable has the name of one whose value, or that of
// something else, may take its place in the statement's text.
func (c *collector) isHidden(d *cc.Declarator) bool {
	if b := c.bindingOfName(d.Name()); b != nil && (b.loop >= 0 || b.copy != nil || b.renamed != "") {
		return true
	}
	for other := range c.x.facts.named[d.Name()] {
		if other != d && !c.x.facts.local[other] && (!c.x.facts.isIterator(other) || c.x.isFollowed(other)) && !c.x.reading.scalars[other] {
			return true
		}
	}
	return false
}

// initializer collects from the initial values of a variable.
func (c *collector) initializer(n *cc.Initializer) {
	if n == nil {
		return
	}
	if n.AssignmentExpression != nil {
		c.expression(n.AssignmentExpression)
		return
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		c.initializer(l.Initializer)
	}
}
