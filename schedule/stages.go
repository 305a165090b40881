package schedule

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// MarkTiles is the name of the only statement in the loops over tiles of a
// schedule in two stages.
const MarkTiles = "tiles"

// manyStatements is the least number of statements that share the loops over
// tiles for which code is made in two stages.
//
// isl finds the bounds of tile loops by projecting every statement's instances,
// in integers, and comparing the results: that takes tens of seconds for the
// eighty pieces of shallow-water equations on a torus. For few statements its
// code is better, because full tiles are told from partial ones.
var manyStatements = 48

// Stages is a schedule in two stages, the loops over tiles and those over the
// points of one tile. They run the same instances in the same order as the
// schedule that they are made of.
type Stages struct {
	// Tiles runs tiles[c0, c1, ...], the values of the loops over tiles: all
	// tiles that have points, and some that have none.
	Tiles mark.Schedule
	// Points runs the points of one tile, whose loop values are parameters. Its
	// conditions are exact.
	Points mark.Schedule
	// Signs are parameters, by index, that must not be negative: elsewhere Tiles
	// lacks tiles, and the region has to run otherwise.
	Signs []int
	// Context are the parameters for which the schedules are made.
	Context *isl.Set
	// Depth is the number of loops over tiles.
	Depth int
}

// Stages is the schedule in two stages, where it is better made so: one class
// of very many statements in tiles. Otherwise it is nil. The loops over tiles
// will have the names of the variables. A failure is the context's.
func (t *Tree) Stages(m *scop.Model, variables []string) *Stages {
	if len(t.Classes) != 1 || len(t.Classes[0].Statements) < manyStatements {
		return nil
	}
	n := t.Classes[0]
	depth := tileLoops(n)
	if depth == 0 || len(n.Marks) > 0 {
		return nil
	}
	l := lowering{tree: t, model: m, marks: &mark.Table{}, tiles: t.tileTerms(), declared: map[string]bool{}, atomic: true}
	s := &Stages{Signs: signs(m), Depth: depth, Context: m.Parameters}
	for _, p := range s.Signs {
		s.Context = s.Context.Intersect(m.Context.ReadSet(t.Program.ParametersText() + "{ : " + t.Program.Parameters[p] + " >= 0 }"))
	}
	hull := l.hull(n, n.Loops[:depth], s.Context)
	if !isBounded(hull, depth) {
		return nil
	}
	s.Tiles = l.tileSchedule(n, n.Loops[:depth], hull, variables[:depth])
	s.Points = l.pointSchedule(n, depth, variables[:depth])
	return s
}

// tileLoops is the number of the node's loops over tiles, which stand outside
// all others, or 0: where there are more of them inside, and where they carry
// reductions, for which the code of a loop has to be known as a whole.
func tileLoops(n *Node) int {
	depth, simple := 0, true
	for k, loop := range n.Loops {
		if loop.Level > 0 {
			simple = simple && k == depth && len(loop.Reductions()) == 0
			depth++
		}
	}
	for _, part := range n.Parts {
		(&Tree{Classes: []*Node{part}}).Walk(func(inner *Node) bool {
			for _, loop := range inner.Loops {
				simple = simple && loop.Level == 0
			}
			return simple
		})
	}
	if !simple {
		return 0
	}
	return depth
}

// signs are the parameters of which some statement implies that they are not
// negative when it has instances.
func signs(m *scop.Model) []int {
	var list []int
	for k, name := range m.Program.Parameters {
		positive := m.Context.ReadSet(m.Program.ParametersText() + "{ : " + name + " >= 0 }")
		for s := range m.Statements {
			if implied, err := m.Statements[s].Domain.Params().IsSubset(positive); err == nil && implied {
				list = append(list, k)
				break
			}
		}
	}
	return list
}

// hull are the values of the loops over tiles that have points, and others as
// far as it takes to need few conditions: those that hold for all statements.
// Conditions on the outer loops alone are looked for as well, because they can
// follow from different ones for each statement.
func (l *lowering) hull(n *Node, loops []*Loop, context *isl.Set) *isl.Set {
	var whole *isl.Set
	tiles := make([]*isl.Set, len(n.Statements))
	for i, s := range n.Statements {
		tiles[i] = l.tilesOf(s, loops).IntersectParams(context)
	}
	for outer := 1; outer <= len(loops); outer++ {
		union := tiles[0].Eliminate(outer, len(loops)-outer).RemoveDivs()
		for _, set := range tiles[1:] {
			union = union.Union(set.Eliminate(outer, len(loops)-outer).RemoveDivs())
		}
		hull := union.SimpleHull().ToSet()
		if whole != nil {
			hull = hull.Intersect(whole)
		}
		whole = hull
	}
	return whole.RemoveRedundancies()
}

// tilesOf are the values of the loops over tiles for which a statement has
// rational points.
func (l *lowering) tilesOf(s int, loops []*Loop) *isl.Set {
	inner := append(l.tileNames(s), l.tree.Program.IteratorNames(s)...)
	values := make([]string, len(loops))
	for k, loop := range loops {
		values[k] = l.value(s, loop)
	}
	expanded := l.inAllTiles(s)
	all := expanded.Apply(l.model.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] }",
		l.tree.Program.ParametersText(), l.expanded(s), strings.Join(append(values, inner...), ", "))))
	return all.Eliminate(len(loops), len(inner)).ProjectOut(isl.DimSet, len(loops), len(inner)).RemoveDivs()
}

// isBounded says whether all dimensions of the set are.
func isBounded(set *isl.Set, dimensions int) bool {
	for k := range dimensions {
		above, err := set.HasUpperBound(k)
		if err != nil || !above {
			return false
		}
		below, err := set.HasLowerBound(k)
		if err != nil || !below {
			return false
		}
	}
	return true
}

// tileSchedule runs the tiles of the set in the order of the loops.
func (l *lowering) tileSchedule(n *Node, loops []*Loop, tiles *isl.Set, variables []string) mark.Schedule {
	w := lowering{tree: l.tree, marks: l.marks}
	w.line(0, "domain: %q", tiles.SetTupleName(MarkTiles).String())
	indent := 0
	for k := range loops {
		indent = w.child(indent)
		threads := standingAt(loops[k], func(s Standing) bool { return s == AboveThreads })
		for _, m := range append(w.marksOf(threads, n, n.Loops[k:]), w.loopMarks(loops[k])...) {
			w.mark(indent, m)
			indent = w.child(indent)
		}
		w.line(indent, "schedule: %q", fmt.Sprintf("[{ %s[%s] -> [(%s)] }]", MarkTiles, strings.Join(variables, ", "), variables[k]))
		w.line(indent, "options: %q", "{ atomic[0] }")
	}
	return mark.Schedule{Tree: l.model.Context.ReadSchedule(w.text.String()), Marks: l.marks}
}

// pointSchedule runs the points of the tile for which the loops over tiles have
// the values of the parameters with the names of the variables.
func (l *lowering) pointSchedule(n *Node, depth int, variables []string) mark.Schedule {
	parameters := append(append([]string{}, l.tree.Program.Parameters...), variables...)
	var inTile strings.Builder
	fmt.Fprintf(&inTile, "[%s] -> { ", strings.Join(parameters, ", "))
	for i, s := range n.Statements {
		equal := make([]string, depth)
		for k, loop := range n.Loops[:depth] {
			equal[k] = variables[k] + " = " + l.value(s, loop)
		}
		if i > 0 {
			inTile.WriteString("; ")
		}
		fmt.Fprintf(&inTile, "%s : %s", l.expanded(s), strings.Join(equal, " and "))
	}
	inTile.WriteString(" }")
	l.line(0, "domain: %q", l.domain().Intersect(l.model.Context.ReadUnionSet(inTile.String())).String())
	l.chain(0, n, n.Loops[depth:])
	return mark.Schedule{Tree: l.model.Context.ReadSchedule(l.text.String()), Marks: l.marks}
}
