package transform

import (
	"maps"
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// A tiny nest is what compilers unroll, such as the loops over the points of a filter:
//
//	for (y = 0; y < 3; y++)
//	  for (x = 0; x < 3; x++)
//	    s += in[2 * i + y][2 * j + x] * f[y][x];
//
// It is not to be skewed so that it could be tiled, and the loops around it are not to be cut into
// short pieces for the sake of the few elements that it uses again. A convolution as above with
// steps of two, 1000 x 1000 floats, takes 2.6 ms without both on one thread of an Intel Xeon with
// AVX-512, as its original, and took 10.

// isTiny says whether all loops that a statement has left are known to have few iterations
// together.
func (p *planner) isTiny(s int, found map[int][][]int64) (bool, error) {
	return p.hasIterations(s, found, facts.MostTiny)
}

// hasIterations says whether all loops that a statement has left are known to have that many
// iterations together at most.
func (p *planner) hasIterations(s int, found map[int][][]int64, most int64) (bool, error) {
	product := int64(1)
	for _, row := range rowsLeft(p.graph, s, found) {
		lengths, err := p.lengths(&facts.Band{Rows: []map[int]scop.Row{{s: row}}, Outer: found})
		if err != nil || lengths[0] > most {
			return false, err
		}
		if product *= lengths[0]; product > most {
			return false, nil
		}
	}
	return true, nil
}

// areTiny says whether loops of these lengths have few iterations together.
func areTiny(lengths []int64) bool {
	product := int64(1)
	for _, length := range lengths {
		if length > facts.MostTiny {
			return false
		}
		if product *= length; product > facts.MostTiny {
			return false
		}
	}
	return true
}

// rowsLeft are the rows of the iterators that the loops around a statement do not determine, in the
// order of the source.
func rowsLeft(g *depend.Graph, s int, found map[int][][]int64) (rows []scop.Row) {
	depth, known := g.Model.Statements[s].Depth(), slices.Clone(found[s])
	for loop := range depth {
		row := facts.IteratorRows(g, []int{s}, loop)[s]
		if rank := scop.Rank(known, depth); scop.Rank(append(known, row.Iterators), depth) > rank {
			rows, known = append(rows, row), append(known, row.Iterators)
		}
	}
	return rows
}

// asWritten plans a tiny nest in the order of the source, in place of a band with a skewed loop: the
// order must be legal for those dependences that the loops around leave.
func (v View) asWritten() (*Plan, Reason, error) {
	plan, found := v.node, v.start.found
	switch {
	case v.outermost:
		return nil, "a class of several statements shares it", nil
	case !slices.ContainsFunc(v.shared.Rows, facts.IsSkewed):
		return nil, "it skews nothing", nil
	case len(plan.statements) > 1:
		if tiny, err := v.isTinyNest(plan.statements, found); !tiny || err != nil {
			return nil, "what is left is no nest of few iterations of the source", err
		}
		return &Plan{}, "", v.original(plan, found, v.start.active, v.start.depth, len(found[plan.statements[0]]))
	}
	if tiny, err := v.isTiny(plan.statements[0], found); !tiny || err != nil {
		return nil, "its statement has more iterations left than compilers unroll", err
	}
	rows := rowsLeft(v.graph, plan.statements[0], found)
	if legal, err := mayRunAsWritten(v.graph, plan.statements[0], rows, v.start.active); !legal || err != nil {
		return nil, "the order of the source is not legal here", err
	}
	return &Plan{}, "", v.emitAsWritten(plan, rows, v.start)
}

// mayRunAsWritten says whether loops with these rows of a statement may run one inside the other.
func mayRunAsWritten(g *depend.Graph, s int, rows []scop.Row, rest []*depend.Dependence) (legal bool, err error) {
	for _, row := range rows {
		if legal, err := facts.Forward(facts.Constraining(rest), map[int]scop.Row{s: row}); !legal || err != nil {
			return false, err
		}
		if rest, err = facts.Unsatisfied(g, rest, []map[int]scop.Row{{s: row}}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// emitAsWritten emits a loop for each of some rows of a node's statement, one inside the other.
func (p *planner) emitAsWritten(plan *nodePlan, rows []scop.Row, s setting) (err error) {
	for _, row := range rows {
		band := &facts.Band{Active: s.active}
		if err := addLoop(p.graph, &p.options, band, map[int]scop.Row{plan.statements[0]: row}, s.found); err != nil {
			return err
		}
		if s.active, err = p.appendBand(plan, band, s.found, s.depth); err != nil {
			return err
		}
		s.depth++
	}
	return nil
}

// isTinyNest says whether all that some statements have left is a tiny nest of the source, with
// nothing else in it: the loops around are those of the source, so that its order is legal inside.
func (p *planner) isTinyNest(statements []int, found map[int][][]int64) (bool, error) {
	model := p.graph.Model
	first := &model.Statements[statements[0]]
	level := len(found[statements[0]])
	for _, s := range statements {
		statement := &model.Statements[s]
		depth := statement.Depth()
		if level >= depth || statement.Statement.Position[level] != first.Statement.Position[level] {
			return false, nil
		}
		around := slices.Clone(found[s])
		for k := range level {
			around = append(around, facts.IteratorRows(p.graph, []int{s}, k)[s].Iterators)
		}
		if scop.Rank(found[s], depth) != level || scop.Rank(around, depth) != level {
			return false, nil
		}
		if tiny, err := p.isTiny(s, found); !tiny || err != nil {
			return false, err
		}
	}
	return true, nil
}

// tinyApart parts statements where a band skews loops of statements that have few iterations left
// each: they are not worth a loop in common.
func (v View) tinyApart() (*Plan, Reason, error) {
	if !slices.ContainsFunc(v.shared.Rows, facts.IsSkewed) {
		return nil, "it skews nothing", nil
	}
	for _, s := range slices.Concat(v.components...) {
		if tiny, err := v.isTiny(s, v.found); !tiny || err != nil {
			return nil, "not all of them have few iterations left", err
		}
	}
	return &Plan{}, "it skews nests of few iterations", nil
}

// usesRowsAlone says whether a band inside of other loops, which leave it no threads, goes through
// rows alone, as one of the binomial trees of a batch of options does, or a band along whose
// outermost loop each iteration does: they stay in the second cache without tiles, as long as
// nobody knows that they are longer. Trees of 800 steps take 0.8 of the time so (AMD EPYC (Zen 4),
// gcc 12, one thread).
func usesRowsAlone(g *depend.Graph, o *Options, d *decision) (bool, error) {
	if len(o.Tile.Sizes) > 0 {
		return false, nil
	}
	first := 0
	if !d.parallel || len(d.band.Outer[d.band.Statements()[0]]) == 0 {
		if first = 1; !d.band.Coincident[0] || len(d.band.Loops) < 3 {
			return false, nil
		}
		if alone, err := vectorisesAlone(g, d.band, d.moves); !alone || err != nil {
			return false, err
		}
	}
	inside := slices.Clone(d.lengths)
	for k, length := range inside {
		switch {
		case k < first:
			inside[k] = 1
		case length == facts.Unlimited:
			inside[k] = facts.LongTile
		}
	}
	for _, m := range d.moves {
		for _, steps := range m.Steps {
			if facts.AccessRank(facts.StepsFrom(m, steps, first)) > 1 {
				return false, nil
			}
		}
	}
	return facts.Footprint(g, d.moves, inside) <= float64(o.secondCache())/2, nil
}

// vectorisesAlone says whether compilers make vectors along a band's last loop without being told
// that it carries nothing: elements lie behind each other, and an iteration reads at most what a
// later one writes, in the same statement or one behind it.
func vectorisesAlone(g *depend.Graph, band *facts.Band, moves []facts.Movement) (bool, error) {
	last := len(band.Rows) - 1
	if facts.CostOf(moves, last).Stride > 1 {
		return false, nil
	}
	rest, err := facts.Unsatisfied(g, band.Active, band.Rows[:last])
	if err != nil {
		return false, err
	}
	carries := slices.DeleteFunc(rest, func(d *depend.Dependence) bool { return d.Kind == depend.WAR && d.Source <= d.Target })
	return facts.Coincident(facts.Constraining(carries), band.Rows[last])
}

// isNarrow says whether a long band without a loop for several threads goes from one small square
// to the next, as the factorization of a matrix of few diagonals: all that an iteration of its
// outermost loop does stays in the first cache, and is too little for threads. 60 diagonals of
// 16,000 rows take 6.9 ms as they are written on an AMD EPYC, in tiles 8.1, and in phases 7.4.
func (p *planner) isNarrow(d *decision) (bool, error) {
	if !needsWavefront(&p.options, d.band, false) || d.lengths[0] <= facts.MostTiny || len(p.options.Tile.Sizes) > 0 {
		return false, nil
	}
	square, err := p.insideOutermost(d.band)
	return square <= facts.MostTiny*facts.MostTiny, err
}

// insideOutermost is the product of the lengths of a band's loops inside one iteration of the
// outermost one, or unlimited.
func (p *planner) insideOutermost(band *facts.Band) (int64, error) {
	outer := maps.Clone(band.Outer)
	facts.AppendRows(outer, band.Rows[0])
	lengths, err := p.lengths(&facts.Band{Rows: band.Rows[1:], Outer: outer})
	if err != nil {
		return facts.Unlimited, err
	}
	product := int64(1)
	for _, length := range lengths {
		if length > facts.MostTiny {
			return facts.Unlimited, nil
		}
		product *= length
	}
	return product, nil
}

// haveTinyNests says whether the parts have loops, of which each nest is tiny.
func (p *planner) haveTinyNests(parts []*nodePlan) (bool, error) {
	return p.haveNestsOf(parts, facts.MostTiny)
}

// haveNestsOf says whether the parts have loops, of which each nest has that many iterations at
// most.
func (p *planner) haveNestsOf(parts []*nodePlan, most int64) (bool, error) {
	if !anyLoops(parts) {
		return false, nil
	}
	for _, part := range parts {
		if len(part.bands) == 0 {
			continue
		}
		for _, s := range part.statements {
			if few, err := p.hasIterations(s, part.bands[0].Outer, most); !few || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// aroundUnrolled is the vector loop of an untiled band around nests that compilers unroll, or none.
// In functions with several threads gcc makes no vector code of it by itself, as it no longer knows
// that arrays do not overlap there: an acoustic stencil with a loop over four radii takes 9.2 ms so
// on two threads of an AMD EPYC with AVX-512, 15 without (original 6.2 to 8).
func (p *planner) aroundUnrolled(d *decision) (innerLoop, error) {
	none := innerLoop{loop: -1}
	if d.innermost || !d.last || d.tiled || p.options.Order == OrderScore {
		return none, nil
	}
	if tiny, err := p.haveNestsOf(d.parts, facts.MostUnrolled); !tiny || err != nil {
		return none, err
	}
	place := d.placing
	place.innermost = true
	loop, err := p.vectorCandidate(d.band, d.moves, d.lengths, place)
	if loop < 0 || err != nil {
		return none, err
	}
	together, err := runTogether(p.graph, d.band, d.parts)
	if !together || err != nil || len(d.band.Lanes[loop]) > 0 {
		return none, err
	}
	return innerLoop{loop: loop, vector: true}, nil
}
