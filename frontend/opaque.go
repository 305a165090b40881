package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// opaque makes one statement of a whole if or for that depends on data, as
// Tiramisu (section V-B of its CGO 2019 paper) and pet do: the accesses of
// everything inside may or may not happen, but for writes that both branches of an if have, and the text stays whole.
func (x *extractor) opaque(s *cc.Statement, at place) {
	c := x.newCollector(at)
	c.inner = map[*cc.Declarator]bool{}
	c.inside(s)
	for k := range c.references {
		c.references[k].may = c.references[k].may || c.references[k].depth > 0
	}
	if x.accept(c) {
		x.emit(s, s, at, c)
	}
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
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			c.insideItem(l.BlockItem)
		}
	case cc.StatementSelection:
		if s.SelectionStatement.Case == cc.SelectionStatementSwitch {
			c.fail(s, "switch", "switch inside the region", "use if and else with affine conditions")
			return
		}
		c.expression(s.SelectionStatement.ExpressionList)
		yes := c.branch(s.SelectionStatement.Statement)
		c.writeInBoth(yes, c.branch(s.SelectionStatement.Statement2))
	case cc.StatementIteration:
		c.insideLoop(s.IterationStatement)
	case cc.StatementJump:
		c.refuseJump(s.JumpStatement)
	case cc.StatementLabeled:
		c.fail(s, "label", "a label inside the region", labelAdvice)
	default:
		c.fail(s, "asm", "inline assembly inside the region", "write the computation in C or move the assembly out of the region")
	}
}

// branch collects from a branch of an if, and returns the places of the references that certainly write there.
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

// writeInBoth notes that elements are written whichever branch of an if is taken: those that each of them writes whatever is decided further inside. No jump
// leads out of a branch.
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
	default:
		c.fail(item, "label", "a label declaration inside the region", labelAdvice)
	}
}

// insideLoop collects from a loop inside an opaque statement. Its iterator is
// the statement's own business: it may be any affine loop or not, but it ends.
func (c *collector) insideLoop(s *cc.IterationStatement) {
	c.unknownWork = true
	if !runsOnce(s) {
		c.serial = scop.AlwaysSerial
	}
	switch s.Case {
	case cc.IterationStatementForDecl:
		c.insideDeclaration(s.Declaration)
		c.expressions(s.ExpressionList)
		c.depth++
		defer func() { c.depth-- }()
		c.expressions(s.ExpressionList2)
	case cc.IterationStatementFor:
		c.expressions(s.ExpressionList, s.ExpressionList2)
		c.depth++
		defer func() { c.depth-- }()
		c.expressions(s.ExpressionList3)
	case cc.IterationStatementWhile:
		c.fail(s, "while", "a while loop inside the region: its number of iterations depends on the data", loopAdvice)
		return
	case cc.IterationStatementDo:
		if runsOnce(s) {
			break
		}
		c.fail(s, "do", "a do loop inside the region: its number of iterations depends on the data", loopAdvice)
		return
	}
	c.inside(s.Statement)
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
	if n.Case != cc.DeclarationDecl || n.InitDeclaratorList == nil {
		c.fail(n, "declaration", "this kind of declaration inside the region", "move it in front of #pragma scop")
		return
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		if construct, message := c.wrongLocal(d); message != "" {
			c.fail(d, construct, message, "move it in front of #pragma scop")
			return
		}
		if c.isHidden(d) {
			c.fail(d, "declaration", fmt.Sprintf("%s, declared under a condition or bound that depends on data, hides another variable of the region", d.Name()),
				"rename one of them")
			return
		}
		c.inner[d] = true
		c.initializer(l.InitDeclarator.Initializer)
	}
}

// isHidden says that the variable has the name of one whose value, or that of
// something else, may take its place in the statement's text.
func (c *collector) isHidden(d *cc.Declarator) bool {
	if b := c.bindingOfName(d.Name()); b != nil && (b.loop >= 0 || b.copy != nil || b.renamed != "") {
		return true
	}
	for other := range c.facts.named[d.Name()] {
		if other != d && !c.facts.local[other] && !c.facts.isIterator(other) {
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
