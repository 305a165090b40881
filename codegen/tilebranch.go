package codegen

import (
	"polytune/isl"
	"polytune/loopir"
)

// branch says which branch of a condition a full tile takes.
type branch int

// The branches: either one, or always the same.
const (
	anyBranch branch = iota
	thenBranch
	elseBranch
)

// collectBranch takes a condition on loops of the subtree for true, or for false, where that
// follows from conditions on the loops outside: of the two the branch of more statements,
// which is the one of most tiles.
func (t *fullTile) collectBranch(node *isl.AstNode, ranges map[string]interval) {
	then, other := node.IfThen(), node.IfElse()
	condition := loopir.FromISL(node.IfCond())
	isOtherFirst := other != nil && len(statementsBelow(other)) > len(statementsBelow(then))
	switch {
	case isOtherFirst && t.suppose(negated(condition), elseBranch, ranges):
		t.collect(other, ranges)
		return
	case t.suppose(condition, thenBranch, ranges):
		t.collect(then, ranges)
		return
	}
	t.assumed = append(t.assumed, anyBranch)
	t.uncertain++
	t.collect(then, ranges)
	if other != nil {
		t.collect(other, ranges)
	}
	t.uncertain--
}

// suppose takes a branch where its condition on loops of the subtree follows from conditions
// on the loops outside.
func (t *fullTile) suppose(condition *loopir.Expr, taken branch, ranges map[string]interval) bool {
	if condition == nil || !loopir.Mentions(condition, ranges) {
		return false
	}
	conditions, ok := t.assumptions(condition, ranges)
	if !ok || !t.addConditions(conditions) {
		return false
	}
	t.assumed = append(t.assumed, taken)
	return true
}
