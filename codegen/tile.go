package codegen

import (
	"maps"
	"slices"

	"polytune/isl"
)

// A full tile is a tile all of whose points are instances. Below a mark
// "tile NAME" the loops over the points of a tile have bounds such as
// max(1, 32*t) and min(N - 1, 32*t + 31); in a full tile they are 32*t and
// 32*t + 31. Where that can be told from the loops outside, the subtree is
// printed twice: with constant trip counts under the condition that the tile
// is full, and as it is otherwise.

// linear is an affine expression: coefficients by variable, the constant
// under "".
type linear map[string]int64

// linearOf is the expression as an affine one; ok is false when it is not.
func linearOf(e *expression) (l linear, ok bool) {
	switch {
	case e.kind == isl.AstID:
		return linear{e.name: 1}, true
	case e.kind == isl.AstInt:
		return linear{"": e.value}, true
	case e.is(isl.OpAdd):
		return combine(e.arguments, 1)
	case e.is(isl.OpSub):
		return combine(e.arguments, -1)
	case e.is(isl.OpMinus):
		inner, ok := linearOf(e.arguments[0])
		return linear{}.plus(inner, -1), ok
	case e.is(isl.OpMul) && e.arguments[0].kind == isl.AstInt:
		inner, ok := linearOf(e.arguments[1])
		return linear{}.plus(inner, e.arguments[0].value), ok
	}
	return nil, false
}

// combine adds the first expression and factor times each of the others.
func combine(arguments []*expression, factor int64) (linear, bool) {
	sum := linear{}
	for k, argument := range arguments {
		l, ok := linearOf(argument)
		if !ok {
			return nil, false
		}
		if k == 0 {
			sum = sum.plus(l, 1)
		} else {
			sum = sum.plus(l, factor)
		}
	}
	return sum, true
}

// plus is l + factor·o.
func (l linear) plus(o linear, factor int64) linear {
	sum := maps.Clone(l)
	for name, c := range o {
		if sum[name] += factor * c; sum[name] == 0 {
			delete(sum, name)
		}
	}
	return sum
}

// isConstant says whether l has no variables.
func (l linear) isConstant() bool {
	return len(l) == 0 || len(l) == 1 && l[""] != 0
}

// expression is l as an expression, variables in alphabetical order.
func (l linear) expression() *expression {
	var sum *expression
	add := func(e *expression) {
		if sum == nil {
			sum = e
		} else {
			sum = operation(isl.OpAdd, sum, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l)) {
		switch {
		case name == "":
		case l[name] == 1:
			add(&expression{kind: isl.AstID, name: name})
		default:
			add(operation(isl.OpMul, integer(l[name]), &expression{kind: isl.AstID, name: name}))
		}
	}
	if l[""] != 0 || sum == nil {
		add(integer(l[""]))
	}
	return sum
}

// interval is the range of a loop variable: both ends belong to it.
type interval struct{ lower, upper linear }

// fullTile is what the full version of a subtree needs.
type fullTile struct {
	// loops are the bounds of the subtree's loops in the order in which they
	// are met from the outside in; nil for a loop that stays as it is.
	loops []*interval
	// conditions must all be non-negative for the tile to be full.
	conditions []linear
	next       int
}

// take returns the bounds for the next loop that is met.
func (t *fullTile) take() *interval {
	if t == nil {
		return nil
	}
	t.next++
	return t.loops[t.next-1]
}

// fullTileOf finds the full version of a subtree; nil when there is none that
// differs, or none that can be told from outside.
func fullTileOf(node *isl.AstNode) *fullTile {
	t := &fullTile{}
	t.collect(node, map[string]interval{})
	if !slices.ContainsFunc(t.loops, func(i *interval) bool { return i != nil }) || len(t.conditions) == 0 {
		return nil
	}
	return t
}

// collect walks the subtree; ranges are those of the loops of the subtree
// around the node, as far as they are known.
func (t *fullTile) collect(node *isl.AstNode, ranges map[string]interval) {
	switch node.Type() {
	case isl.AstFor:
		t.collectLoop(node, ranges)
	case isl.AstMark:
		t.collect(node.MarkNode(), ranges)
	case isl.AstIf:
		t.collect(node.IfThen(), ranges)
		if other := node.IfElse(); other != nil {
			t.collect(other, ranges)
		}
	case isl.AstBlock:
		for _, child := range node.BlockChildren() {
			t.collect(child, ranges)
		}
	}
}

func (t *fullTile) collectLoop(node *isl.AstNode, ranges map[string]interval) {
	variable := node.ForIterator().ID()
	lowers, uppers, ok := boundsOf(node, variable)
	var full *interval
	inner := maps.Clone(ranges)
	inner[variable] = interval{}
	if ok {
		full = t.choose(lowers, uppers, ranges)
		switch {
		case full != nil:
			inner[variable] = *full
		case len(lowers) == 1 && len(uppers) == 1:
			inner[variable] = interval{lowers[0], uppers[0]}
		}
	}
	t.loops = append(t.loops, full)
	t.collect(node.ForBody(), inner)
}

// boundsOf are the arms of the maximum that a loop starts at and of the
// minimum that it ends at, when all are affine.
func boundsOf(node *isl.AstNode, variable string) (lowers, uppers []linear, ok bool) {
	if degenerate, err := node.ForIsDegenerate(); err != nil || degenerate {
		return nil, nil, false
	}
	condition, step := expressionOf(node.ForCond()), expressionOf(node.ForInc())
	inclusive := condition.is(isl.OpLe)
	if !inclusive && !condition.is(isl.OpLt) || condition.arguments[0].name != variable || step.kind != isl.AstInt || step.value != 1 {
		return nil, nil, false
	}
	for _, e := range operandsOf(expressionOf(node.ForInit()), isl.OpMax) {
		l, ok := linearOf(e)
		if !ok {
			return nil, nil, false
		}
		lowers = append(lowers, l)
	}
	for _, e := range operandsOf(condition.arguments[1], isl.OpMin) {
		l, ok := linearOf(e)
		if !ok {
			return nil, nil, false
		}
		if !inclusive {
			l = l.plus(linear{"": 1}, -1)
		}
		uppers = append(uppers, l)
	}
	return lowers, uppers, true
}

// choose picks the pair of arms that are a constant number of iterations
// apart, and adds the conditions under which these arms are the bounds. It
// returns nil for a loop that has only one arm each, or none such pair, or
// whose conditions depend on loops of unknown range.
func (t *fullTile) choose(lowers, uppers []linear, ranges map[string]interval) *interval {
	if len(lowers) == 1 && len(uppers) == 1 {
		return nil
	}
	for _, lower := range lowers {
		for _, upper := range uppers {
			if !upper.plus(lower, -1).isConstant() {
				continue
			}
			conditions, ok := conditionsOf(lower, upper, lowers, uppers, ranges)
			if ok {
				t.addConditions(conditions)
				return &interval{lower, upper}
			}
		}
	}
	return nil
}

// conditionsOf are the conditions, over variables outside the subtree, under
// which lower is the largest of the lowers and upper the smallest of the
// uppers.
func conditionsOf(lower, upper linear, lowers, uppers []linear, ranges map[string]interval) ([]linear, bool) {
	var conditions []linear
	add := func(difference linear) bool {
		worst, ok := smallest(difference, ranges)
		if ok && worst.isConstant() {
			return worst[""] >= 0
		}
		conditions = append(conditions, worst)
		return ok
	}
	for _, other := range lowers {
		if !add(lower.plus(other, -1)) {
			return nil, false
		}
	}
	for _, other := range uppers {
		if !add(other.plus(upper, -1)) {
			return nil, false
		}
	}
	return conditions, true
}

// smallest is a lower bound of l over all values of the subtree's loop
// variables within their ranges; ok is false when a range is not known. The
// ranges of inner loops mention outer ones, hence the repetition.
func smallest(l linear, ranges map[string]interval) (linear, bool) {
	for range len(ranges) + 1 {
		changed := false
		for name, c := range l {
			r, inside := ranges[name]
			if !inside {
				continue
			}
			if r.lower == nil {
				return nil, false
			}
			bound := r.lower
			if c < 0 {
				bound = r.upper
			}
			l = l.plus(linear{name: 1}, -c).plus(bound, c)
			changed = true
			break
		}
		if !changed {
			return l, true
		}
	}
	return nil, false
}

func (t *fullTile) addConditions(conditions []linear) {
	for _, c := range conditions {
		if !slices.ContainsFunc(t.conditions, func(o linear) bool { return maps.Equal(o, c) }) {
			t.conditions = append(t.conditions, c)
		}
	}
}

// guard is the condition that the tile is full, with each inequality written
// as a comparison of sums without negative terms.
func (t *fullTile) guard() *expression {
	var all *expression
	for _, c := range t.conditions {
		left, right := linear{}, linear{}
		for name, v := range c {
			if v < 0 {
				left[name] = -v
			} else {
				right[name] = v
			}
		}
		comparison := operation(isl.OpLe, left.expression(), right.expression())
		if all == nil {
			all = comparison
		} else {
			all = operation(isl.OpAnd, all, comparison)
		}
	}
	return all
}
