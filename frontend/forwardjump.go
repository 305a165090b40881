package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// A goto to a label behind it in a block around it says what break, continue or else say, too, and
// these take its place:
//
//	for (…) { … goto next; … } next: …           break, where the label stands right behind the loop
//	for (…) { … goto next; … next: ; }           continue
//	if (c) { …; goto next; } rest next: …        if (c) { … } else { rest } …
//	goto next; next: …                           nothing
//
// One reading does so for one label of each block: then braces cannot cross. The next one leaves
// out the label.

// forwardJumps replaces jumps in all blocks of the region.
func (r *rewriter) forwardJumps() {
	bodies := map[*cc.CompoundStatement]bool{}
	r.jumpsAmong(r.items, false)
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.IterationStatement:
				if n.Statement != nil && n.Statement.Case == cc.StatementCompound {
					bodies[n.Statement.CompoundStatement] = true
				}
			case *cc.CompoundStatement:
				r.jumpsAmong(itemsOf(n), bodies[n])
			}
		})
	}
}

// jumpsAmong replaces the jumps to the first label of a block that all jumps to can be replaced of.
// The block may be the body of a loop.
func (r *rewriter) jumpsAmong(items []*cc.BlockItem, isBody bool) {
	for k, item := range items {
		labels, labelled := unlabelled(item)
		isLast := k == len(items)-1
		isEnd := isBody && isLast && isEmpty(labelled)
		for _, label := range labels {
			if r.jumpsToBecome(jumpsTo(label, r.x.function.CompoundStatement), items[:k+1], isEnd) {
				return
			}
		}
		if isLast && isGoto(labelled) {
			r.jumpsToTheSame(labelled.JumpStatement.Token2.SrcStr(), items)
		}
	}
}

// jumpsToTheSame replaces jumps in a block that ends with one to the same label: to them the end of
// the block is as good.
func (r *rewriter) jumpsToTheSame(label string, items []*cc.BlockItem) {
	for _, item := range items[:len(items)-1] {
		if r.jumpsToBecome(jumpsTo(label, item), items, false) {
			return
		}
	}
}

// unlabelled are the labels in front of an item of a block, and the statement behind them; nil for
// a declaration.
func unlabelled(item *cc.BlockItem) (labels []string, s *cc.Statement) {
	if item.Case != cc.BlockItemStmt {
		return nil, nil
	}
	s = item.Statement
	for s != nil && s.Case == cc.StatementLabeled && s.LabeledStatement.Case == cc.LabeledStatementLabel {
		labels = append(labels, s.LabeledStatement.Token.SrcStr())
		s = s.LabeledStatement.Statement
	}
	return labels, s
}

// isEmpty says that a statement is a semicolon, or that there is none.
func isEmpty(s *cc.Statement) bool {
	return s == nil || s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList == nil
}

func isGoto(s *cc.Statement) bool {
	return s != nil && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementGoto
}

// jumpsTo are the jumps in a node to a label.
func jumpsTo(label string, in cc.Node) (jumps []*cc.JumpStatement) {
	visit(in, func(n cc.Node) {
		if j, ok := n.(*cc.JumpStatement); ok && j.Case == cc.JumpStatementGoto && j.Token2.SrcStr() == label {
			jumps = append(jumps, j)
		}
	})
	return jumps
}

// jumpsToBecome replaces all jumps to the label in front of the last of some items, which may be
// the end of a loop's body; ok is false where there are none or some cannot be replaced.
func (r *rewriter) jumpsToBecome(jumps []*cc.JumpStatement, items []*cc.BlockItem, isEnd bool) (ok bool) {
	before := len(r.list)
	for _, j := range jumps {
		if !r.forwardJump(j, items, isEnd) {
			r.list = r.list[:before]
			return false
		}
	}
	return len(jumps) > 0
}

// forwardJump replaces one of these jumps.
func (r *rewriter) forwardJump(j *cc.JumpStatement, items []*cc.BlockItem, isEnd bool) (ok bool) {
	target, items := items[len(items)-1], items[:len(items)-1]
	from := slices.IndexFunc(items, func(item *cc.BlockItem) bool { return encloses(item, j, nowhere) })
	if from < 0 || !r.standsHere(j) {
		return false
	}
	_, s := unlabelled(items[from])
	between := items[from+1:]
	switch {
	case s == nil:
		return false
	case isEnd && encloses(s, j, isLoop):
		r.jumpBecomes(j, "continue;")
	case s.Case == cc.StatementJump && len(between) == 0:
		r.jumpBecomes(j, ";")
	case s.Case == cc.StatementIteration && len(between) == 0 && encloses(s.IterationStatement.Statement, j, isLoopOrSwitch):
		r.jumpBecomes(j, "break;")
	case s.Case == cc.StatementSelection && !slices.ContainsFunc(between, declares):
		return r.elseUpTo(s.SelectionStatement, j, target)
	default:
		return false
	}
	return true
}

// elseUpTo makes what stands between an if without else, which ends with a jump, and the target of
// that, the else of the if.
func (r *rewriter) elseUpTo(n *cc.SelectionStatement, j *cc.JumpStatement, target *cc.BlockItem) (ok bool) {
	s, ok := spanOf(target)
	last := lastStatement(n.Statement)
	if !ok || !r.isToken(s.tokens[0]) || n.Case != cc.SelectionStatementIf || last == nil || last.Case != cc.StatementJump || last.JumpStatement != j || !r.otherwise(n, j) {
		return false
	}
	r.replace(s.start, s.start, "} ")
	return true
}

// standsHere says that a jump stands in the region's text as such; a macro that has it is noted to
// be written out.
func (r *rewriter) standsHere(j *cc.JumpStatement) bool {
	for _, t := range tokensOf(j) {
		if !r.isToken(t) {
			r.x.writeOut(t.Position().Offset)
			return false
		}
	}
	return true
}

// jumpBecomes puts other text in the place of a jump.
func (r *rewriter) jumpBecomes(j *cc.JumpStatement, text string) {
	start, end := r.placeOfJump(j)
	r.replace(start, end, text)
}

// placeOfJump is where a jump stands, with its semicolon.
func (r *rewriter) placeOfJump(j *cc.JumpStatement) (start, end int) {
	s, _ := spanOf(j)
	return s.start, s.last + len(";")
}

// encloses says that a jump stands somewhere in a node, without anything around it that is out of
// bounds.
func encloses(n cc.Node, j *cc.JumpStatement, isOut func(cc.Node) bool) (found bool) {
	walk(n, func(n cc.Node) bool {
		found = found || n == cc.Node(j)
		return !isOut(n)
	})
	return found
}

func nowhere(cc.Node) bool { return false }

func isLoop(n cc.Node) bool {
	_, is := n.(*cc.IterationStatement)
	return is
}

func isLoopOrSwitch(n cc.Node) bool {
	s, is := n.(*cc.SelectionStatement)
	return isLoop(n) || is && s.Case == cc.SelectionStatementSwitch
}

func declares(item *cc.BlockItem) bool { return item.Case != cc.BlockItemStmt }
