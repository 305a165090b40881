package codegen

import (
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// A full tile is a tile all of whose points are instances. Below a mark
// "tile NAME" the loops over the points of a tile have bounds such as
// max(1, 32*t) and min(N - 1, 32*t + 31); in a full tile they are 32*t and
// 32*t + 31. Where that can be told from the loops outside, the subtree is
// there twice: with constant trip counts under the condition that the tile
// is full, and as it is otherwise.

// linearOf is the expression as an affine one.
func (t *fullTile) linearOf(e *loopir.Expr) linear {
	switch {
	case e.Kind == isl.AstID:
		return linear{e.Name: 1}
	case e.Kind == isl.AstInt:
		return linear{}.plus(linear{"": e.Value}, 1)
	case e.Is(isl.OpAdd):
		return t.linearOf(e.Args[0]).plus(t.linearOf(e.Args[1]), 1)
	case e.Is(isl.OpSub):
		return t.linearOf(e.Args[0]).plus(t.linearOf(e.Args[1]), -1)
	case e.Is(isl.OpMinus):
		return linear{}.plus(t.linearOf(e.Args[0]), -1)
	case e.Is(isl.OpMul) && e.Args[0].Kind == isl.AstInt:
		return linear{}.plus(t.linearOf(e.Args[1]), e.Args[0].Value)
	}
	key := e.Key()
	t.opaque[key] = e
	return linear{key: 1}
}

// expressionOf is l as an expression, variables in alphabetical order.
func (t *fullTile) expressionOf(l linear) *loopir.Expr {
	var sum *loopir.Expr
	add := func(e *loopir.Expr) {
		if sum == nil {
			sum = e
		} else {
			sum = loopir.Operation(isl.OpAdd, sum, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l)) {
		variable := t.opaque[name]
		if variable == nil {
			variable = loopir.Named(name)
		}
		switch {
		case name == "":
		case l[name] == 1:
			add(variable)
		default:
			add(loopir.Operation(isl.OpMul, loopir.Int(l[name]), variable))
		}
	}
	if l[""] != 0 || sum == nil {
		add(loopir.Int(l[""]))
	}
	return sum
}

// interval is the range of a loop variable: both ends belong to it, and are
// nil where they are not known.
type interval struct {
	lower, upper linear
	// depth is the number of the subtree's loops outside.
	depth int
}

// fullTile is what the full version of a subtree needs.
type fullTile struct {
	// loops are the bounds of the subtree's loops in the order in which they
	// are met from the outside in; nil for a loop that stays as it is.
	loops []*interval
	// assumed says, in the same order, which branch of the subtree's conditions a full
	// tile takes.
	assumed []branch
	// conditions must all be non-negative for the tile to be full.
	conditions []linear
	// open are the loops without a constant number of iterations, empty those that have none, by
	// their places.
	open  []openLoopBounds
	empty map[int]openLoopBounds
	// opaque are the expressions that are not affine, by their keys.
	opaque           map[string]*loopir.Expr
	next, nextBranch int
	// visits are the statements' calls; uncertain is the number of conditions
	// around the node of which it is not known whether they hold.
	visits    []visit
	uncertain int
}

// take returns the bounds for the next loop that is met, and whether it has no
// iteration.
func (t *fullTile) take() (bounds *interval, empty bool) {
	place := t.next
	o, empty := t.empty[place]
	t.next += 1 + o.loops
	t.nextBranch += o.branches
	return t.loops[place], empty
}

// assume says which branch of the next condition that is met a full tile takes.
func (t *fullTile) assume() branch {
	t.nextBranch++
	return t.assumed[t.nextBranch-1]
}

// fullTileOf finds the full version of a subtree; nil when there is none that
// differs, or none that can be told from outside.
func fullTileOf(code loopir.Code, parameters []string) *fullTile {
	t := &fullTile{opaque: map[string]*loopir.Expr{}, empty: map[int]openLoopBounds{}}
	t.collect(code, map[string]interval{})
	if !slices.ContainsFunc(t.loops, func(i *interval) bool { return i != nil }) || len(t.conditions) == 0 {
		return nil
	}
	t.settle(parameters)
	return t
}

// collect walks some code; ranges are those of the loops of the subtree
// around it, as far as they are known.
func (t *fullTile) collect(code loopir.Code, ranges map[string]interval) {
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.For:
			t.collectLoop(node, ranges)
		case *loopir.Marked:
			t.collect(node.Body, ranges)
		case *loopir.If:
			t.collectBranch(node, ranges)
		case *loopir.Run:
			if t.uncertain == 0 {
				t.visits = append(t.visits, visit{node, ranges})
			}
		}
	}
}

// assumptions are the conditions under which a conjunction of inequalities
// holds for all values of the subtree's loop variables.
func (t *fullTile) assumptions(e *loopir.Expr, ranges map[string]interval) (all []linear, ok bool) {
	differences, ok := t.differences(e)
	for _, d := range differences {
		if all, ok = t.atLeastZero(all, d, ranges); !ok {
			return nil, false
		}
	}
	return all, ok
}

// differences are those that a conjunction of inequalities says to be at least zero; ok is false
// for other conditions.
func (t *fullTile) differences(e *loopir.Expr) (all []linear, ok bool) {
	if e.Is(isl.OpAnd) || e.Is(isl.OpAndThen) {
		for _, argument := range e.Args {
			differences, ok := t.differences(argument)
			if !ok {
				return nil, false
			}
			all = append(all, differences...)
		}
		return all, true
	}
	larger, smaller, margin := 1, 0, int64(0)
	switch {
	case e.Is(isl.OpLe):
	case e.Is(isl.OpLt):
		margin = 1
	case e.Is(isl.OpGe):
		larger, smaller = 0, 1
	case e.Is(isl.OpGt):
		larger, smaller, margin = 0, 1, 1
	default:
		return nil, false
	}
	return []linear{t.linearOf(e.Args[larger]).plus(t.linearOf(e.Args[smaller]), -1).plus(linear{"": 1}, -margin)}, true
}

// atLeastZero appends the condition under which a difference is never
// negative, if it takes one; ok is false when there is none.
func (t *fullTile) atLeastZero(conditions []linear, difference linear, ranges map[string]interval) (all []linear, ok bool) {
	worst, ok := t.smallest(difference, ranges)
	if !ok && worst != nil {
		if worst = t.withoutFloors(worst, ranges); worst != nil {
			worst, ok = t.smallest(worst, ranges)
		}
	}
	if ok && worst.isConstant() {
		return conditions, worst[""] >= 0
	}
	return append(conditions, worst), ok
}

func (t *fullTile) collectLoop(node *loopir.For, ranges map[string]interval) {
	variable := node.Var
	lowers, uppers, ok := t.boundsOf(node)
	var full *interval
	inner := maps.Clone(ranges)
	inner[variable] = interval{depth: len(ranges)}
	if ok {
		full = t.choose(lowers, uppers, ranges)
		switch {
		case full != nil:
			inner[variable] = interval{full.lower, full.upper, len(ranges)}
		case len(lowers) == 1 && len(uppers) == 1:
			inner[variable] = interval{lowers[0], uppers[0], len(ranges)}
		}
	}
	place, branches := len(t.loops), len(t.assumed)
	t.loops = append(t.loops, full)
	t.collect(node.Body, inner)
	if ok && full == nil {
		t.open = append(t.open, openLoopBounds{place, lowers, uppers, ranges, len(t.loops) - place - 1, len(t.assumed) - branches})
	}
}

// boundsOf are the arms of the maximum that a loop starts at and of the
// minimum that it ends at, when it takes all values between.
func (t *fullTile) boundsOf(node *loopir.For) (lowers, uppers []linear, ok bool) {
	condition := node.While
	inclusive := condition.Is(isl.OpLe)
	if node.Once || !isCanonical(condition, node.Var) || !node.Step.IsInt(1) {
		return nil, nil, false
	}
	for _, e := range operandsOf(node.From, isl.OpMax) {
		lowers = append(lowers, t.linearOf(e))
	}
	for _, e := range operandsOf(condition.Args[1], isl.OpMin) {
		l := t.linearOf(e)
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
// whose conditions depend on loops of unknown range or contradict others.
func (t *fullTile) choose(lowers, uppers []linear, ranges map[string]interval) *interval {
	if len(lowers) == 1 && len(uppers) == 1 {
		return nil
	}
	for _, lower := range lowers {
		for _, upper := range uppers {
			if !upper.plus(lower, -1).isConstant() {
				continue
			}
			conditions, ok := t.conditionsOf(lower, upper, lowers, uppers, ranges)
			if ok && t.addConditions(conditions) {
				return &interval{lower: lower, upper: upper}
			}
		}
	}
	return nil
}

// conditionsOf are the conditions, over variables outside the subtree, under
// which lower is the largest of the lowers and upper the smallest of the
// uppers.
func (t *fullTile) conditionsOf(lower, upper linear, lowers, uppers []linear, ranges map[string]interval) ([]linear, bool) {
	var conditions []linear
	ok := true
	for _, other := range lowers {
		if conditions, ok = t.atLeastZero(conditions, lower.plus(other, -1), ranges); !ok {
			return nil, false
		}
	}
	for _, other := range uppers {
		if conditions, ok = t.atLeastZero(conditions, other.plus(upper, -1), ranges); !ok {
			return nil, false
		}
	}
	return conditions, true
}

// smallest is a lower bound of l over all values of the subtree's loop
// variables within their ranges; ok is false when a range is not known, or parts
// that are not affine are left in it. The
// range of an inner loop mentions outer ones, which therefore come later.
func (t *fullTile) smallest(l linear, ranges map[string]interval) (linear, bool) {
	for {
		name, found := innermost(l, ranges)
		if !found {
			return l, !t.isOpaqueIn(l, ranges)
		}
		bound := ranges[name].lower
		if l[name] < 0 {
			bound = ranges[name].upper
		}
		if bound == nil {
			return nil, false
		}
		l = l.plus(linear{name: 1}, -l[name]).plus(bound, l[name])
	}
}

// innermost is the variable of l whose loop is inside those of all others.
func innermost(l linear, ranges map[string]interval) (variable string, found bool) {
	for name := range l {
		r, inside := ranges[name]
		if inside && (!found || r.depth > ranges[variable].depth) {
			variable, found = name, true
		}
	}
	return variable, found
}

// isOpaqueIn says whether an expression in l that is not affine mentions loop
// variables of the subtree.
func (t *fullTile) isOpaqueIn(l linear, ranges map[string]interval) bool {
	return t.opaqueIn(l, ranges) != ""
}

// addConditions adds conditions, or none when one of them and another can
// never be met together. Of two that differ by a constant the stronger stays.
func (t *fullTile) addConditions(conditions []linear) bool {
	all := slices.Clone(t.conditions)
	for _, c := range conditions {
		if slices.ContainsFunc(all, func(o linear) bool { return contradict(c, o) }) {
			return false
		}
		same := slices.IndexFunc(all, func(o linear) bool { return c.plus(o, -1).isConstant() })
		switch {
		case same < 0:
			all = append(all, c)
		case c[""] < all[same][""]:
			all[same] = c
		}
	}
	t.conditions = all
	return true
}

// contradict says whether a and b are nowhere both non-negative because their
// sum is a negative constant.
func contradict(a, b linear) bool {
	sum := a.plus(b, 1)
	return sum.isConstant() && sum[""] < 0
}

// guard is the condition that the tile is full, with each inequality written
// as a comparison of sums without negative terms.
func (t *fullTile) guard() *loopir.Expr {
	var all *loopir.Expr
	for _, c := range t.conditions {
		left, right := linear{}, linear{}
		for name, v := range c {
			if v < 0 {
				left[name] = -v
			} else {
				right[name] = v
			}
		}
		comparison := loopir.Operation(isl.OpLe, t.expressionOf(left), t.expressionOf(right))
		if all == nil {
			all = comparison
		} else {
			all = loopir.Operation(isl.OpAnd, all, comparison)
		}
	}
	return all
}
