package transform

import (
	"maps"
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// placing says where a band is and what becomes of it: whether it is innermost,
// whether its loops are tiled, whether it needs no parallel loop, and the parts
// of its node.
type placing struct {
	innermost, tiled, parallel bool
	// last says that no other band of the node is inside, parts are what is.
	last  bool
	parts []*nodePlan
}

// sink moves a loop to the innermost place, and marks it, or those that the parts
// have instead, when it is to be vectorised.
func (p *planner) sink(band *facts.Band, inner innerLoop, parts []*nodePlan) {
	k := inner.loop
	if k < 0 {
		return
	}
	if k != len(band.Loops)-1 {
		p.emit(command.Sink{Loop: band.Loops[k]})
	}
	switch {
	case inner.apart:
		p.emitApart(band, inner, parts)
	case inner.vector:
		p.emitVector(band.Loops[k], band.Lanes[k], band.Statements())
	}
}

// wholeVector is that number for some statements: those of a whole vector of what they write. Of
// rows of 8 ints compilers make vectors of half the width from the unrolled loops, and none from
// those that they are to run in lanes: a cosine transform of blocks of 8 x 8 takes 0.58 of the time
// so (AMD Zen 4, gcc 12).
func wholeVector(g *depend.Graph, o *Options, moves []facts.Movement) int64 {
	largest := 1
	for _, m := range moves {
		largest = max(largest, g.Model.Program.Array(g.Model.Statements[m.Statement].Statement.Accesses[0].Array).Size)
	}
	return max(facts.ShortLoop, o.Vector.lanesOf(int64(largest)))
}

// vectorCandidate is the index of the band's loop to be vectorised, by the algorithm of section V-B
// of the SC'10 paper, or -1. Candidates are the loops that carry no dependence in the innermost
// place and that can be sunk there. The one with the smallest stride wins, the inner one of equals.
// Loops with a stride above one or with few iterations gain nothing from vector code and are left
// alone, and so are those shorter than a vector, which compilers unroll: as vector loops they do
// not. Windows of 5 x 5 doubles around each of 700 x 700 points take half of the time so, and
// Kalman filters with six states 0.7 (AMD Zen 4, gcc 12).
func (p *planner) vectorCandidate(band *facts.Band, moves []facts.Movement, lengths []int64, place placing) (int, error) {
	best, bestCost := -1, facts.Cost{}
	if !place.innermost || !p.options.Uses(vectorAxis) {
		return best, nil
	}
	for k := range slices.Backward(band.Loops) {
		if lengths[k] < facts.MinimumLanes || lengths[k] < wholeVector(p.graph, &p.options, moves) {
			continue
		}
		movable, err := p.isMovable(band, k, place)
		if err != nil {
			return -1, err
		}
		if !movable {
			continue
		}
		free, err := freeInnermost(p.graph, band, moves, k)
		if err != nil {
			return -1, err
		}
		c := facts.CostOf(moves, k)
		if !free || c.Stride > 1 || best >= 0 && !c.Less(bestCost) {
			continue
		}
		inside, err := p.lengthInside(band, k, others(band, k))
		if err != nil {
			return -1, err
		}
		if inside >= facts.MinimumLanes {
			best, bestCost = k, c
		}
	}
	return best, nil
}

// others are the rows of a band's loops but for one.
func others(band *facts.Band, k int) []map[int]scop.Row {
	return slices.Delete(slices.Clone(band.Rows), k, k+1)
}

// lengthInside is an upper bound of the number of iterations that loop k of a band has in one of
// some loops around it, which may be fewer than it has in all of them together: the two colours of
// a red-black scheme are two iterations inside each sweep, although the loop runs along both, as t
// + c. Loops along one iterator of each statement are as long there as anywhere.
func (p *planner) lengthInside(band *facts.Band, k int, around []map[int]scop.Row) (int64, error) {
	if !facts.IsSkewed(band.Rows[k]) {
		return facts.Unlimited, nil
	}
	outer := maps.Clone(band.Outer)
	for _, rows := range around {
		facts.AppendRows(outer, rows)
	}
	lengths, err := p.lengths(&facts.Band{Rows: band.Rows[k : k+1], Outer: outer})
	if err != nil {
		return 0, err
	}
	return lengths[0], nil
}

// isMovable says whether loop k can and may be sunk, or is innermost already and
// may be.
func (p *planner) isMovable(band *facts.Band, k int, place placing) (bool, error) {
	if k != len(band.Loops)-1 && (!band.Permutable || band.InOrder) {
		return false, nil
	}
	stays, err := p.mustStay(band, k, place.tiled, place.parallel)
	return !stays, err
}

// mustStay says whether a loop without tiles, which leaves its place when it is
// sunk, is needed there: to run the band on several threads, as its only
// loop without dependences; or, outermost of all, to fuse the statements of
// the class, when they do not share the next loop. One that stands still there
// would run as a whole in one iteration, one that does not meet another before
// or after it.
func (p *planner) mustStay(band *facts.Band, k int, tiled, parallel bool) (bool, error) {
	if tiled {
		return false, nil
	}
	if !parallel && facts.OnlyTrue(band.Coincident, k) {
		return true, nil
	}
	if k > 0 || len(band.Rows) == 1 || len(band.Rows[0]) == 1 {
		return false, nil
	}
	for s, row := range band.Rows[0] {
		if len(band.Outer[s]) > 0 {
			return false, nil
		}
		if !row.IsConstant() && band.Rows[1][s].IsConstant() {
			return true, nil
		}
	}
	meet, err := p.meet(band.Rows[1])
	return !meet, err
}

// freeInnermost says whether loop k carries no dependence when all other
// loops of the band are outside it, or relaxed ones alone for which lanes can
// have accumulators.
func freeInnermost(g *depend.Graph, band *facts.Band, moves []facts.Movement, k int) (bool, error) {
	if band.Coincident[k] && len(band.Reductions[k]) == 0 {
		return true, nil
	}
	rest, err := facts.Unsatisfied(g, band.Active, others(band, k))
	if err != nil {
		return false, err
	}
	free, err := facts.Coincident(facts.Constraining(rest), band.Rows[k])
	if err != nil || !free {
		return false, err
	}
	clauses, err := facts.Carried(rest, band.Rows[k])
	if err != nil || !mayHaveLanes(g, band, moves, k, clauses) {
		return false, err
	}
	if band.Lanes == nil {
		band.Lanes = map[int][]scop.Clause{}
	}
	band.Lanes[k] = clauses
	return true, nil
}
