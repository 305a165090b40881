package codegen

import "polytune/loopir"

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
func (t *fullTile) collectBranch(node *loopir.If, ranges map[string]interval) {
	then, other, condition := node.Then, node.Else, node.Cond
	isOtherFirst := other != nil && len(statementsIn(other)) > len(statementsIn(then))
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
	t.collect(other, ranges)
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
