package transform

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Fusion says which statements share a loop inside loops that they share
// already, where they cannot all share one: Pluto's modes, for the parts of a
// node. Whatever the mode, only statements with a parallel loop in common share
// it, so that a part is one parallel region: fewer of them, each with more work
// for its barrier.
type Fusion int

const (
	// FuseSmart fuses statements with equally many loops left that have data
	// in common, where these loops have the same range and no vector loop is
	// lost. Where one loop is left, the work of a part is little for a barrier
	// of its own, and data need not be in common. Where statements with the
	// most work lose their vector code so, the loops of the source stay.
	FuseSmart Fusion = iota
	// FuseMax fuses whatever has a parallel loop in common.
	FuseMax
	// FuseNone fuses no more than dependences demand.
	FuseNone
)

// fusions are the modes by the names that they have in points.
var fusions = []string{FuseSmart: "smart", FuseMax: "max", FuseNone: "none"}

// String is the mode's name.
func (f Fusion) String() string { return fusions[f] }

// joined gathers the components of a node's statements, which come in a legal
// order, in the groups that are to share a loop.
func (p *planner) joined(components [][]int, found map[int][][]int64, active []*depend.Dependence) ([][]int, error) {
	if p.options.Fusion == FuseNone {
		return components, nil
	}
	j := &joiner{planner: p, found: found, active: active, vectors: map[string]bool{}}
	groups := components
	var err error
	if len(p.graph.Model.Program.Cuts) > 0 {
		j.besides = true
		groups, err = j.gather(groups, j.join)
		j.besides = false
	}
	if err == nil {
		groups, err = j.gather(groups, j.join)
	}
	if err != nil || len(groups) == 1 {
		return components, err
	}
	return groups, nil
}

// chained gathers only what has nothing for threads and waits for its additions in the same loops
// of the source.
func (p *planner) chained(components [][]int, s setting) ([][]int, error) {
	if p.options.Fusion != FuseSmart {
		return components, nil
	}
	j := &joiner{planner: p, found: s.found, active: s.active, vectors: map[string]bool{}}
	return j.gather(components, func(group, component []int) (bool, error) {
		if !wantJoined(j.graph, &j.options, group, component, s.found) {
			return false, nil
		}
		if rows, err := j.parallelRows(slices.Sorted(slices.Values(slices.Concat(group, component))), s.found, s.active); rows != nil || err != nil {
			return false, err
		}
		return j.areChains(group, component)
	})
}

// gather places components in groups in an order that the dependences allow.
func (j *joiner) gather(components [][]int, join func(group, component []int) (bool, error)) ([][]int, error) {
	defer func(before hyperplane.Purpose) { j.purpose = before }(j.purpose)
	j.purpose = hyperplane.ForJoining
	ordered := func(a, b int) bool {
		return slices.ContainsFunc(j.active, func(d *depend.Dependence) bool { return d.Source == a && d.Target == b })
	}
	return gather(components, ordered, join)
}

// joiner decides which groups of a node's statements are to share a loop.
type joiner struct {
	*planner
	found  map[int][][]int64
	active []*depend.Dependence
	// vectors has the answers of vectorises, by the statements.
	vectors map[string]bool
	// besides says that only loops are shared that leave each statement the loop along
	// consecutive elements.
	besides bool
}

// join says whether two groups are to share a loop.
func (j *joiner) join(group, component []int) (bool, error) {
	if !wantJoined(j.graph, &j.options, group, component, j.found) {
		return false, nil
	}
	both := slices.Concat(group, component)
	slices.Sort(both)
	rows, err := j.parallelRows(both, j.found, j.active)
	if err != nil || rows != nil && j.options.Fusion == FuseMax {
		return err == nil, err
	}
	if rows == nil {
		return j.areChains(group, component)
	}
	if same, err := facts.SameRange(j.graph, rows); !same || err != nil {
		return false, err
	}
	if j.besides {
		return j.isAcross(rows), nil
	}
	for _, keeps := range []func(group, component, both []int) (bool, error){j.keepsVector, j.keepsLines} {
		if kept, err := keeps(group, component, both); !kept || err != nil {
			return false, err
		}
	}
	return true, nil
}

// areChains says whether two groups of the same loops of the source have nothing in them for
// threads each, as sums in order: together they wait for their additions at the same time, and go
// through what they read once.
func (j *joiner) areChains(group, component []int) (bool, error) {
	left, least := facts.LoopsLeft(j.graph, slices.Concat(group, component), j.found)
	if left != least || j.options.Fusion != FuseSmart || !shareSourceLoop(j.graph, slices.Concat(group, component)) {
		return false, nil
	}
	for _, alone := range [][]int{group, component} {
		if rows, err := j.parallelRows(alone, j.found, j.active); rows != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// shareSourceLoop says whether statements are in the body of one loop of the source.
func shareSourceLoop(g *depend.Graph, statements []int) bool {
	all := g.Model.Program.Statements
	depth := all[statements[0]].Depth()
	return !slices.ContainsFunc(statements, func(s int) bool {
		return all[s].Depth() != depth || !slices.Equal(all[s].Position[:depth], all[statements[0]].Position[:depth])
	})
}

// isAcross says whether a loop with these rows leaves each statement the loop along
// consecutive elements of its target.
func (j *joiner) isAcross(rows map[int]schedule.Row) bool {
	for s, row := range rows {
		subscripts, err := scop.Subscripts(j.graph.Model.Statements[s].Accesses[0])
		if err != nil || len(subscripts) == 0 {
			continue // as where a piece stands still along a loop
		}
		for k, c := range subscripts[len(subscripts)-1].Iterators {
			if c != 0 && row.Iterators[k] != 0 {
				return false
			}
		}
	}
	return true
}

// keepsVector says whether the groups have a vector loop together where one of
// them has one by itself.
func (j *joiner) keepsVector(group, component, both []int) (bool, error) {
	for _, alone := range [][]int{group, component} {
		if vector, err := j.vectorises(alone); err != nil {
			return false, err
		} else if vector {
			return j.vectorises(both)
		}
	}
	return true, nil
}

// vectorises says whether the next band of the statements, when it is all of
// their loops, has a loop to be vectorised besides the one that several threads
// share.
func (j *joiner) vectorises(statements []int) (bool, error) {
	key := fmt.Sprint(statements)
	if answer, known := j.vectors[key]; known {
		return answer, nil
	}
	band, err := j.bandOf(statements)
	if band == nil || err != nil {
		return false, err
	}
	all := maps.Clone(j.found)
	for _, rows := range band.Rows {
		band.Loops = append(band.Loops, "")
		facts.AppendRows(all, rows)
	}
	band.Outer = j.found
	moves, err := facts.Movements(j.graph, band)
	if err != nil {
		return false, err
	}
	lengths, err := j.lengths(band)
	if err != nil {
		return false, err
	}
	complete := facts.Complete(j.graph, statements, all)
	vector, err := j.vectorCandidate(band, moves, lengths,
		placing{innermost: complete, tiled: len(band.Rows) > 1 && facts.Reuse(moves, lengths, complete)})
	j.vectors[key] = vector >= 0
	return vector >= 0, err
}

// wantJoined says whether the mode asks for two groups to be fused.
func wantJoined(g *depend.Graph, o *Options, group, component []int, found map[int][][]int64) bool {
	left, least := facts.LoopsLeft(g, group, found)
	otherLeft, otherLeast := facts.LoopsLeft(g, component, found)
	switch {
	case least == 0 || otherLeast == 0:
		return false
	case o.Fusion == FuseMax:
		return true
	}
	return left == otherLeft && (left == 1 || shareData(g, group, component))
}

// parallelRows are the rows of a hyperplane for all the statements along which
// no dependence between them has a distance; nil when there is none.
func (p *planner) parallelRows(statements []int, found map[int][][]int64, active []*depend.Dependence) (map[int]schedule.Row, error) {
	return p.finder().Parallel(p.question(statements, found, facts.Within(active, statements)))
}
