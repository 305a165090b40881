package transform

import (
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// sumTiles and sumThreads are, for loops that add up, the models' tiles and threads, by the number
// of loops: a thread has 32 points, so that there is more to add than to put together.
var (
	sumTiles   = map[int][]int64{1: {8192}, 2: {64, 128}, 3: {8, 16, 64}}
	sumThreads = map[int][]int64{1: {256}, 2: {8, 32}, 3: {2, 4, 32}}
)

// sums makes the loops of the outermost band that carry nothing but updates in any order blocks and
// threads with accumulators of their own; it says whether there are such loops. What they update is
// one element in each iteration of the host's loops around.
func (m *deviceMapper) sums(n *devicePlan, active []*depend.Dependence) (bool, error) {
	if m.onHost(n.statements) {
		return false, nil
	}
	band := n.bands[0]
	var loops []int
	var clauses []scop.Clause
	for k, rows := range band.rows {
		is, err := facts.Coincident(facts.Constraining(active), rows)
		if err != nil {
			return false, err
		}
		if is && moves(rows) {
			carried, err := facts.Carried(m.relaxedOf(rows), rows)
			if err != nil {
				return false, err
			}
			loops = append(loops, k)
			clauses = append(clauses, slices.DeleteFunc(carried, func(c scop.Clause) bool { return slices.Contains(clauses, c) })...)
		} else if !band.permutable {
			break
		}
	}
	if len(loops) == 0 || !m.oneElementEach(n, clauses) {
		return false, nil
	}
	slices.SortFunc(clauses, scop.Clause.Compare)
	return true, m.kernel(n, loops, clauses)
}

// oneElementEach says whether each clause is of one statement of a plan, or of a variable, whose
// element is the same in all iterations of the host's loops around, in memory of the device's that
// has atomic operations.
func (m *deviceMapper) oneElementEach(n *devicePlan, clauses []scop.Clause) bool {
	for _, c := range clauses {
		array := m.graph.Model.Program.Array(c.Array)
		isPrivate := slices.ContainsFunc(m.graph.Model.Program.Privates(), func(p scop.Private) bool { return p.Name == c.Array })
		if array.Size != 4 && array.Size != 8 || isPrivate {
			return false
		}
		updating := 0
		for _, s := range n.statements {
			statement := m.graph.Model.Statements[s].Statement
			if !statement.OnlyUpdates(c) {
				return false
			}
			if r := statement.Reduction.Under(c); r != nil {
				if updating++; r.Several || updating > 1 && len(array.Extents) > 0 || !m.isFixed(n, s, r.Accesses[0]) {
					return false
				}
			}
		}
	}
	return true
}

// isFixed says whether the loops of the host around a plan tell which element an access of a
// statement touches.
func (m *deviceMapper) isFixed(n *devicePlan, statement, access int) bool {
	s := &m.graph.Model.Statements[statement]
	subscripts, err := s.Subscripts(access)
	if err != nil || len(subscripts) != s.Accesses[access].Dim(isl.DimOut) {
		return false
	}
	var around [][]int64
	for _, rows := range n.host {
		around = append(around, rows[statement].Iterators)
	}
	rank := scop.Rank(around, s.Depth())
	return !slices.ContainsFunc(subscripts, func(row scop.Row) bool {
		return scop.Rank(append(slices.Clip(around), row.Iterators), s.Depth()) > rank
	})
}
