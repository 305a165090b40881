package transform

import (
	"maps"
	"slices"

	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Lines are the iterations of loops that carry nothing, each of them a chain of
// instances that depend on each other along a further loop of the same band, such as
// the columns of a matrix along which triangular systems are solved. Several lines run beside
// each other, in vectors or as unrolled chains, as long as the band has all loops
// of its statements.

// keepsLines says whether the groups have all their loops in one band together
// where one of them has lines by itself: statements that share the loop over lines
// only, as those of a sweep forwards and of one backwards, run one line after the other.
func (j *joiner) keepsLines(group, component, both []int) (bool, error) {
	for _, alone := range [][]int{group, component} {
		if lines, err := j.haveLines(alone); err != nil {
			return false, err
		} else if lines {
			band, err := j.bandOf(both)
			return band != nil && j.isWhole(band, both), err
		}
	}
	return true, nil
}

// haveLines says whether the statements depend on each other along the last loop of a
// band that has all their loops, and not along another. Lines that share private
// variables cannot run beside each other.
func (j *joiner) haveLines(statements []int) (bool, error) {
	left, least := facts.LoopsLeft(j.graph, statements, j.found)
	if left != least || left < 2 || len(facts.Within(j.active, statements)) == 0 || len(j.graph.Model.Program.Privates()) > 0 {
		return false, nil
	}
	band, err := j.bandOf(statements)
	if band == nil || err != nil {
		return false, err
	}
	last := len(band.Rows) - 1
	return len(band.Rows) == left && !slices.Contains(band.Coincident[:last], false) && !band.Coincident[last], nil
}

// isWhole says whether a band has all loops of the statements.
func (j *joiner) isWhole(band *facts.Band, statements []int) bool {
	all := maps.Clone(j.found)
	for _, rows := range band.Rows {
		facts.AppendRows(all, rows)
	}
	return facts.Complete(j.graph, statements, all)
}

// bandOf is the next band of the statements.
func (j *joiner) bandOf(statements []int) (*facts.Band, error) {
	return j.findBand(statements, j.found, facts.Within(j.active, statements), facts.Unlimited)
}

// joinedApart says whether fusing two groups of statements without loops around them would run
// lines of one of them one after the other that could run beside each other, or have one band
// without the vector loop that both have alone, as sweeps along different dimensions do. Those that
// share strips of a matrix do so inside the strips.
func joinedApart(g *depend.Graph, first, second []int) (bool, error) {
	both := slices.Concat(first, second)
	slices.Sort(both)
	if strips, err := stripsOf(g, both); strips != nil || err != nil {
		return false, err
	}
	p := &planner{graph: g, purpose: hyperplane.ForJoining}
	j := &joiner{planner: p, found: map[int][][]int64{}, active: facts.DependencesOf(p.graph, both), vectors: map[string]bool{}}
	if keeps, err := j.keepsLines(first, second, both); !keeps || err != nil {
		return !keeps, err
	}
	for _, group := range [][]int{first, second} {
		if vector, err := j.vectorises(group); !vector || err != nil {
			return false, err
		}
	}
	band, err := j.bandOf(both)
	if band == nil || err != nil || !j.isWhole(band, both) {
		return false, err
	}
	keeps, err := j.vectorises(both)
	return !keeps, err
}
