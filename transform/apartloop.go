package transform

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// innerLoop is what becomes of a band's loops in the innermost place.
type innerLoop struct {
	// loop is the one to be sunk, or -1 for none.
	loop int
	// vector says that it is to be vectorised, and apart, that each part of the
	// node has such a loop of its own.
	vector, apart bool
	// block says that each part has the loop around for itself, too, and overlap how the vectors of
	// each part overlap.
	block   bool
	overlap []command.Overlapping
}

// apartLoop is the loop of a tiled band that each part of the node can have for
// itself in the innermost place, to be vectorised there, or -1; the parts go on
// sharing the loops over the tiles. Stencils with several
// statements need it: what they share carries the dependences between them,
//
//	for t for i for j { B[i][j] = f(A, t); A[i-1][j-1] = f(B, t) },
//
// whereas a row of the one and then a row of the other are vector loops, which
// begin and end without conditions. Of several the one with the smallest stride
// is taken, the inner one of equals, as by vectorCandidate.
//
// Measured on an AMD EPYC (Zen 3), gcc 12, PolyBench LARGE with 100 time steps,
// processor time of one thread, as speedups over the original, with the tiles of
// sizes.go against the shared loop in cubic ones: jacobi-2d 2.28 against 0.80,
// heat-3d 1.27 against 0.49, fdtd-2d 2.7 against 0.87, jacobi-1d 1.12 against
// 0.34.
func (p *planner) apartLoop(band *facts.Band, moves []facts.Movement, lengths []int64, place placing) (int, error) {
	best, bestCost := -1, facts.Cost{}
	if !place.innermost || !place.tiled || !p.options.Uses(vectorAxis) || len(place.parts) < 2 || partsShareVariable(p.graph, place.parts) {
		return best, nil
	}
	for k := range slices.Backward(band.Loops) {
		c := facts.CostOf(moves, k)
		if lengths[k] < facts.MinimumLanes || c.Stride > 1 || best >= 0 && !c.Less(bestCost) {
			continue
		}
		movable, err := p.isMovable(band, k, place)
		if err != nil {
			return -1, err
		}
		if !movable {
			continue
		}
		free, err := freeApart(p.graph, band, k, place.parts)
		if err != nil {
			return -1, err
		}
		if free {
			best, bestCost = k, c
		}
	}
	return best, nil
}

// partsShareVariable says whether statements of several parts use an object of a private variable.
func partsShareVariable(g *depend.Graph, parts []*nodePlan) bool {
	return slices.ContainsFunc(g.Model.Program.Privates(), func(private scop.Private) bool {
		users := 0
		for _, part := range parts {
			if slices.ContainsFunc(private.Statements, func(s int) bool { return slices.Contains(part.statements, s) }) {
				users++
			}
		}
		return users > 1
	})
}

// runTogether says whether the statements of a node's parts have the same
// iterations of the band, so that no condition stands inside its loops; or one of
// them stands still along a loop, of which the code has that iteration apart.
func runTogether(g *depend.Graph, band *facts.Band, parts []*nodePlan) (bool, error) {
	for _, rows := range band.Rows {
		for _, row := range rows {
			if row.IsConstant() {
				return true, nil
			}
		}
	}
	var first *isl.Set
	for _, part := range parts {
		for _, s := range part.statements {
			rows := make([]schedule.Row, len(band.Rows))
			for k := range band.Rows {
				rows[k] = band.Rows[k][s]
			}
			iterations := g.Model.Statements[s].Domain.Apply(g.Model.Context.ReadMap(g.Model.Program.RowsText(s, rows...)))
			if first == nil {
				first = iterations
			}
			if same, err := iterations.IsEqual(first); !same || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// freeApart says whether loop k, inside all other loops of the band, carries
// nothing within any of the parts and leads from no part to an earlier one.
func freeApart(g *depend.Graph, band *facts.Band, k int, parts []*nodePlan) (bool, error) {
	inside, forwards, err := withinParts(g, band, []int{k}, parts)
	if !forwards || err != nil {
		return false, err
	}
	return facts.CarriesNone(inside, band.Rows[k])
}

// withinParts are the dependences inside of parts that are left to the loops at these places,
// inside all others of the band; forwards says that none that is left leads from a part to an
// earlier one.
func withinParts(g *depend.Graph, band *facts.Band, places []int, parts []*nodePlan) (inside []*depend.Dependence, forwards bool, err error) {
	var others []map[int]scop.Row
	for k, row := range band.Rows {
		if !slices.Contains(places, k) {
			others = append(others, row)
		}
	}
	rest, err := facts.Unsatisfied(g, band.Active, others)
	if err != nil {
		return nil, false, err
	}
	partOf := map[int]int{}
	for number, part := range parts {
		for _, s := range part.statements {
			partOf[s] = number
		}
	}
	for _, d := range rest {
		source, isSource := partOf[d.Source]
		target, isTarget := partOf[d.Target]
		switch {
		case !isSource || !isTarget:
		case source > target:
			return nil, false, nil
		case source == target:
			inside = append(inside, d)
		}
	}
	return inside, true, nil
}

// canRunInBlocks says whether each part can have the loop around loop k for itself as well, once
// that is innermost: a block of rows of the one and then a block of rows of the other, of which
// processors find more to do at once than in one row and then another, which waits for it.
//
// Measured on an AMD EPYC (Zen 5), gcc 12, two threads, PolyBench LARGE: jacobi-2d 0.296 s in
// single rows and 0.218 in blocks, heat-3d 0.60 and 0.56.
func canRunInBlocks(g *depend.Graph, band *facts.Band, k int, parts []*nodePlan) (bool, error) {
	around := loopAround(band, k)
	if around < 0 {
		return false, nil
	}
	_, forwards, err := withinParts(g, band, []int{around, k}, parts)
	return forwards, err
}

// emitApart gives the parts loops of their own in the place of a band's last loop, perhaps with the
// one around, and vectorises them.
func (p *planner) emitApart(band *facts.Band, inner innerLoop, parts []*nodePlan) {
	loops := slices.Concat(slices.Delete(slices.Clone(band.Loops), inner.loop, inner.loop+1), band.Loops[inner.loop:inner.loop+1])
	own := loops[len(loops)-1:]
	if inner.block {
		own = loops[len(loops)-2:]
	}
	p.emit(command.Distribute{Loops: own})
	for i, part := range parts {
		loop := command.InPart(band.Loops[inner.loop], part.name)
		if inner.overlap[i].Lanes > 0 {
			p.emit(command.Vectorize{Loop: loop})
			p.emit(command.Overlap{Loop: loop, Overlapping: inner.overlap[i]})
			continue
		}
		p.emitVector(loop, nil, part.statements)
	}
}
