package codegen

import (
	"maps"
	"polytune/loopir"
	"slices"
	"strings"
)

// withChain adds to loops that have lost bounds those that follow from all loops
// inside the mark.
func (c *copyWriter) withChain(loops []copyLoop) []copyLoop {
	if !slices.ContainsFunc(loops, func(l copyLoop) bool { return !l.isExact() }) {
		return loops
	}
	for _, bound := range c.chainBounds(loops) {
		k, ok := innermostOf(loops, bound)
		if !ok {
			continue
		}
		if isLower := bound[loops[k].variable] > 0; isLower && loops[k].cutLower || !isLower && loops[k].cutUpper {
			loops[k].bound(c, bound)
		}
	}
	return loops
}

// addGuards bounds the loops by the conditions under which the statement runs, as far as they name
// no other loops inside the mark.
func (c *copyWriter) addGuards(loops []copyLoop) {
	inside := c.pointLoops()
	for _, guard := range c.statement.guards {
		k, ok := innermostOf(loops, guard)
		isOther := func(name string) bool {
			return c.block.tile.opaque[name] != nil || slices.Contains(inside, name) && !slices.ContainsFunc(loops, func(l copyLoop) bool { return l.variable == name })
		}
		if ok && !slices.ContainsFunc(slices.Collect(maps.Keys(guard)), isOther) {
			loops[k].bound(c, guard)
		}
	}
}

// bound adds the bound that keeps an expression with the loop's variable from being negative.
func (l *copyLoop) bound(c *copyWriter, atLeastZero linear) {
	rest := atLeastZero.plus(linear{l.variable: 1}, -atLeastZero[l.variable])
	if atLeastZero[l.variable] > 0 {
		l.addLower(c, linear{}.plus(rest, -1))
	} else {
		l.addUpper(c, rest)
	}
}

// addLower and addUpper add a bound that the loop has not.
func (l *copyLoop) addLower(c *copyWriter, bound linear) {
	l.lowers = c.withBound(l.lowers, bound)
}

func (l *copyLoop) addUpper(c *copyWriter, bound linear) {
	l.uppers = c.withBound(l.uppers, bound)
}

func (c *copyWriter) withBound(bounds []*loopir.Expr, bound linear) []*loopir.Expr {
	tile := c.block.tile
	if slices.ContainsFunc(bounds, func(e *loopir.Expr) bool { return len(tile.linearOf(e).plus(bound, -1)) == 0 }) {
		return bounds
	}
	return append(bounds, tile.expressionOf(bound))
}

// innermostOf is the innermost of the loops that a bound names, where it does so
// with the factor one.
func innermostOf(loops []copyLoop, bound linear) (place int, ok bool) {
	for k, l := range slices.Backward(loops) {
		if f := bound[l.variable]; f != 0 {
			return k, f == 1 || f == -1
		}
	}
	return 0, false
}

// chainBounds are expressions over the variables outside and those of some loops that
// are not negative for any instance inside the mark.
func (c *copyWriter) chainBounds(loops []copyLoop) []linear {
	names := c.variablesOutside()
	for _, l := range loops {
		names = append(names, l.variable)
	}
	var others, conditions []string
	for _, node := range c.loopsInside() {
		loop, ok := copyLoopOf(node, func(*loopir.Expr) bool { return true })
		if !ok {
			continue
		}
		conditions = append(conditions, loop.conditions()...)
		if !slices.Contains(names, node.Var) {
			others = append(others, node.Var)
		}
	}
	where := strings.Join(conditions, " and ")
	if len(others) > 0 {
		where = "exists (" + strings.Join(others, ", ") + " : " + where + ")"
	}
	parameters := c.nodes.model.Program.Parameters
	chain := c.nodes.model.Context.ReadSet("[" + strings.Join(parameters, ", ") + "] -> { [" + strings.Join(names, ", ") + "] : " + where + " }")
	_, inequalities, err := chain.RemoveDivs().SimpleHull().RemoveRedundancies().Constraints()
	if err != nil {
		return nil
	}
	names = append(names, parameters...)
	var bounds []linear
	for _, row := range inequalities {
		bound := linear{}.plus(linear{"": 1}, row[len(row)-1])
		for k, name := range names {
			bound = bound.plus(linear{name: 1}, row[k])
		}
		if quantified := row[len(names) : len(row)-1]; !slices.ContainsFunc(quantified, func(f int64) bool { return f != 0 }) {
			bounds = append(bounds, bound)
		}
	}
	return bounds
}
