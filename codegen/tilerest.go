package codegen

import "slices"

// openLoopBounds are the arms of the bounds of a loop of a subtree that has no constant
// number of iterations in a full tile.
type openLoopBounds struct {
	// place is the loop's in fullTile.loops.
	place          int
	lowers, uppers []linear
	ranges         map[string]interval
	// loops and branches count those inside.
	loops, branches int
}

// settle finds, for loops without a constant number of iterations, what the conditions of
// the full tile say of them: that they have no iteration, as where isl has cut the points
// of a tile at the end of another statement's range, or which arms their bounds are, as
// in a triangle. Conditions on parameters alone are added for that: they hold at all
// sizes but small ones.
func (t *fullTile) settle(parameters []string) {
	for _, o := range t.open {
		switch lower, upper, ok := t.arms(o, parameters); {
		case t.isEmpty(o):
			t.empty[o.place] = o
		case ok && len(o.lowers)+len(o.uppers) > 2:
			t.loops[o.place] = &interval{lower: lower, upper: upper}
		}
	}
}

// isEmpty says whether a loop has no iteration in a full tile.
func (t *fullTile) isEmpty(o openLoopBounds) bool {
	for _, lower := range o.lowers {
		for _, upper := range o.uppers {
			gap := lower.plus(upper, -1).plus(linear{"": 1}, -1)
			if needed, ok := t.atLeastZero(nil, gap, o.ranges); ok && t.areImplied(needed) {
				return true
			}
		}
	}
	return false
}

// arms are those that are the bounds of a loop in all full tiles.
func (t *fullTile) arms(o openLoopBounds, parameters []string) (lower, upper linear, ok bool) {
	for _, lower := range o.lowers {
		for _, upper := range o.uppers {
			needed, ok := t.conditionsOf(lower, upper, o.lowers, o.uppers, o.ranges)
			if !ok {
				continue
			}
			open := slices.DeleteFunc(needed, func(c linear) bool { return t.areImplied([]linear{c}) })
			isOfParameters := func(c linear) bool {
				for name := range c {
					if name != "" && !slices.Contains(parameters, name) {
						return false
					}
				}
				return true
			}
			if !slices.ContainsFunc(open, func(c linear) bool { return !isOfParameters(c) }) && t.addConditions(open) {
				return lower, upper, true
			}
		}
	}
	return nil, nil, false
}

// areImplied says whether each of some conditions follows from one of the tile's.
func (t *fullTile) areImplied(conditions []linear) bool {
	return !slices.ContainsFunc(conditions, func(c linear) bool {
		return !slices.ContainsFunc(t.conditions, func(o linear) bool {
			rest := c.plus(o, -1)
			return rest.isConstant() && rest[""] >= 0
		})
	})
}
