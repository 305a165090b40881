package transform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// emitGrain leaves a parallel loop to one thread where the instances of the statements inside, in
// one iteration of the loops outside, whose rows are given by statement, have few accesses. Their
// number is that in the box around the statements with the most loops left. Nothing is emitted
// where the length of one of these is not known, where all are constants, or where nobody knows the
// work of a statement.
func (p *planner) emitGrain(loop string, statements []int, outer map[int][][]int64) error {
	return p.emitGrainOf(facts.Grain, loop, statements, outer)
}

// emitGrainOf is emitGrain where one thread is as fast with fewer accesses than a number of them.
func (p *planner) emitGrainOf(grain int64, loop string, statements []int, outer map[int][][]int64) error {
	var most []scop.Row
	accesses := int64(0)
	for _, s := range statements {
		extents, ok, err := extents(p.graph, s, outer[s])
		own := p.graph.Model.Statements[s].Statement
		if err != nil || !ok || own.UnknownWork && !updatesSeveral(own) {
			return err
		}
		if len(extents) > len(most) {
			most, accesses = extents, 0
		}
		if len(extents) == len(most) {
			accesses += accessesOf(own)
		}
	}
	of := slices.DeleteFunc(most, func(extent scop.Row) bool {
		if varies(extent) {
			return false
		}
		accesses = min(grain, accesses*min(grain, max(1, extent.Constant)))
		return true
	})
	if len(of) > 0 {
		p.emit(command.Threads{Loop: loop, From: cmp.Or(p.options.Grain, grain/max(1, accesses)), Of: of})
	}
	return nil
}

// updatesSeveral says that a statement with control flow of its own is a reduction: copies of its
// array, which threads have, have to be small beside its work.
func updatesSeveral(s *scop.Statement) bool { return s.Reduction != nil && s.Reduction.Several }

// alignGrains lets nests that run one after the other in each iteration of a loop have several
// threads from the same size on, that of their mean number of accesses. Where one of them is left
// to one thread, what the others' threads have in their caches moves to it and back in each
// iteration: 24 relaxations of 240 x 260 points, each with a nest that copies the result, take 3.4
// ms so on two threads of a virtual AMD Zen 4, and took 7.6; 4.9 on one.
func alignGrains(commands []schedule.Command, parts []*nodePlan) {
	groups := map[string][]int{}
	for k, c := range commands {
		t, is := c.(command.Threads)
		if is && len(t.Of) > 0 && slices.ContainsFunc(parts, func(part *nodePlan) bool { return strings.HasPrefix(t.Loop, part.name+".") }) {
			groups[shapeOf(t.Of)] = append(groups[shapeOf(t.Of)], k)
		}
	}
	for _, group := range groups {
		inverse := 0.0
		for _, k := range group {
			inverse += 1 / float64(max(1, commands[k].(command.Threads).From))
		}
		for _, k := range group {
			t := commands[k].(command.Threads)
			t.From = max(1, int64(math.Round(float64(len(group))/inverse)))
			commands[k] = t
		}
	}
}

// shapeOf is the same for extents that differ in constants alone.
func shapeOf(extents []scop.Row) string {
	text := ""
	for _, extent := range extents {
		text += fmt.Sprint(extent.Parameters)
	}
	return text
}

// extents are the extents of a box around a statement's instances that have equal values in rows
// of those coefficients, those of its iterators that the rows leave open; ok is false where one is
// not known.
func extents(g *depend.Graph, s int, outer [][]int64) (extents []scop.Row, ok bool, err error) {
	statement := &g.Model.Statements[s]
	known := slices.Clone(outer)
	for k := range statement.Depth() {
		unit := make([]int64, statement.Depth())
		unit[k] = 1
		longer := append(slices.Clip(known), unit)
		if scop.Rank(longer, statement.Depth()) == scop.Rank(known, statement.Depth()) {
			continue
		}
		values := statement.Iterations(k)
		bounds, err := g.Model.UpperBounds(values.MapTo(values).Deltas(), 0)
		if err != nil || len(bounds) == 0 {
			return nil, false, err
		}
		same := facts.Outside(g, known, s)
		inside, err := g.Model.UpperBounds(same.ApplyRange(same.Reverse()).Deltas(), k)
		if err != nil {
			return nil, false, err
		}
		known = longer
		extent := tellingOf(bounds, inside)
		extent.Constant++
		extents = append(extents, extent)
	}
	return extents, true, nil
}

// tellingOf is the bound of an extent that tells most: one that only instances with the same values
// outside have, such as the width of a band, or else one with parameters. Bounds that fall as a
// parameter rises come last: pieces of a domain, such as the border of a picture, have some that
// say no more than that nothing is negative.
func tellingOf(everywhere, inside []scop.Row) scop.Row {
	isNew := func(bound scop.Row) bool {
		isSame := func(other scop.Row) bool { return slices.Equal(other.Parameters, bound.Parameters) }
		return rises(bound) && !slices.ContainsFunc(everywhere, isSame)
	}
	if k := slices.IndexFunc(inside, isNew); k >= 0 {
		return inside[k]
	}
	if k := slices.IndexFunc(everywhere, rises); k >= 0 {
		return everywhere[k]
	}
	return everywhere[max(0, slices.IndexFunc(everywhere, varies))]
}

// rises says whether a row has parameters, and falls with none.
func rises(row scop.Row) bool {
	return varies(row) && !slices.ContainsFunc(row.Parameters, func(c int64) bool { return c < 0 })
}

// varies says whether a row has parameters. Arrays of constant extents bound loops too, but where a
// parameter bounds one, it tells how long that is.
func varies(row scop.Row) bool {
	return slices.ContainsFunc(row.Parameters, func(c int64) bool { return c != 0 })
}
