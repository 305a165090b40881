package transform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// step is how an access moves when one loop of a band advances and all others
// stand still.
type step struct {
	// known is false when the step is not the same everywhere.
	known bool
	// subscripts are the changes of the array's subscripts.
	subscripts []int64
	// last is the change of the last subscript where it alone is the same everywhere, as along j in
	// a[index[i]][j]: such a loop is taken for one through the elements of a row that data choose
	// outside.
	last int64
}

// farApart is the stride given to accesses whose next element is in another
// row of the array, or anywhere.
const farApart = 1 << 20

// distance is the number of elements between two consecutive accesses: zero
// for reuse, one for neighbours.
func (s step) distance() int64 {
	if !s.known {
		return cmp.Or(max(s.last, -s.last), farApart)
	}
	for k, v := range s.subscripts {
		if v == 0 {
			continue
		}
		if k < len(s.subscripts)-1 {
			return farApart
		}
		return max(v, -v)
	}
	return 0
}

// movement is the behaviour of all accesses of a statement in a band.
type movement struct {
	statement int
	// loops are the indices, in the band, of the loops that move the
	// statement.
	loops []int
	// steps[a][k] is the step of access a along loops[k].
	steps [][]step
}

// placeOf is the place of a loop of the band among those that move the
// statement, or -1.
func (m movement) placeOf(loop int) int { return slices.Index(m.loops, loop) }

// movements are those of all statements that the band's loops move.
func (p *planner) movements(band *bandPlan) ([]movement, error) {
	var list []movement
	for i := range p.graph.Model.Statements {
		if _, inside := band.rows[0][i]; !inside {
			continue
		}
		m, err := p.movement(band, i)
		if err != nil {
			return nil, err
		}
		if len(m.loops) > 0 {
			list = append(list, m)
		}
	}
	return list, nil
}

func (p *planner) movement(band *bandPlan, s int) (movement, error) {
	statement := &p.graph.Model.Statements[s]
	m := movement{statement: s, steps: make([][]step, len(statement.Accesses))}
	rows := independentRows(band, s, statement.Depth())
	subscripts, err := subscriptsOf(p.graph.Model, s)
	if err != nil {
		return m, err
	}
	for k := range band.rows {
		place, moves := rows.place[k]
		if !moves {
			continue
		}
		along, ok := direction(rows.all, place, statement.Depth())
		if !ok {
			along = band.rows[k][s].Iterators
		}
		m.loops = append(m.loops, k)
		next, err := advanceOf(p.graph.Model, s, along)
		if err != nil {
			return m, err
		}
		for a := range statement.Accesses {
			st := affineStep(subscripts[a], next.step, next.moves)
			if subscripts[a] == nil {
				if st, err = stepOf(p.graph.Model, s, a, next.step); err != nil {
					return m, err
				}
			}
			m.steps[a] = append(m.steps[a], st)
		}
	}
	return m, nil
}

// rowSet is a set of linearly independent rows of a statement, and where
// among them the rows of a band's loops are.
type rowSet struct {
	all   [][]int64
	place map[int]int
}

// independentRows are the rows of the loops around the band and in it, without
// those that depend on earlier ones.
func independentRows(band *bandPlan, s, depth int) rowSet {
	set := rowSet{place: map[int]int{}}
	add := func(row []int64) bool {
		longer := append(set.all[:len(set.all):len(set.all)], row)
		if scop.Rank(longer, depth) < len(longer) {
			return false
		}
		set.all = longer
		return true
	}
	for _, row := range band.outer[s] {
		add(row)
	}
	for k := range band.rows {
		if add(band.rows[k][s].Iterators) {
			set.place[k] = len(set.all) - 1
		}
	}
	return set
}

// subscriptsOf are those of all accesses of a statement, as scop.Subscripts has them.
func subscriptsOf(m *scop.Model, s int) ([][]scop.Row, error) {
	type question struct{ statement int }
	return scop.Known(m, question{s}, func() (list [][]scop.Row, err error) {
		list = make([][]scop.Row, len(m.Statements[s].Accesses))
		for a, access := range m.Statements[s].Accesses {
			if list[a], err = scop.Subscripts(access); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
}

// advance is the step of a statement's iterators from one instance to the next along a loop. moves
// says whether any two instances are apart by it.
type advance struct {
	step  []int64
	moves bool
}

// advanceOf is the advance along a loop in which the iterators' changes are along, or a multiple of
// that for loops with steps.
func advanceOf(m *scop.Model, s int, along []int64) (advance, error) {
	type question struct {
		statement int
		along     string
	}
	return scop.Known(m, question{s, fmt.Sprint(along)}, func() (advance, error) { return findAdvance(&m.Statements[s], along) })
}

func findAdvance(s *scop.StatementModel, along []int64) (advance, error) {
	empty, err := s.Domain.Apply(pointsApart(s, along)).Intersect(s.Domain).IsEmpty()
	if err != nil || !empty {
		return advance{along, !empty}, err
	}
	multiple, ok, err := leastMultiple(s, along)
	if !ok || err != nil {
		return advance{along, false}, err
	}
	step := make([]int64, len(along))
	for k, v := range along {
		step[k] = multiple * v
	}
	return advance{step, true}, nil
}

// pointsApart relates the points x to x + step.
func pointsApart(s *scop.StatementModel, step []int64) *isl.Map {
	from, to := make([]string, len(step)), make([]string, len(step))
	for k, v := range step {
		from[k] = fmt.Sprintf("i%d", k)
		to[k] = fmt.Sprintf("i%d + %d", k, v)
	}
	return s.Domain.Context().ReadMap(fmt.Sprintf("{ %s[%s] -> %s[%s] }", s.Name, strings.Join(from, ", "), s.Name, strings.Join(to, ", ")))
}

// leastMultiple is the least positive number of steps from one instance to another; ok is false
// where there are no two.
func leastMultiple(s *scop.StatementModel, along []int64) (multiple int64, ok bool, err error) {
	names, steps := make([]string, len(along)), make([]string, len(along))
	for k, v := range along {
		names[k] = fmt.Sprintf("i%d", k)
		steps[k] = fmt.Sprintf("i%d = %d * k", k, v)
	}
	count := s.Domain.Context().ReadMap(fmt.Sprintf("{ %s[%s] -> [k] : k >= 1 and %s }", s.Name, strings.Join(names, ", "), strings.Join(steps, " and ")))
	return s.Domain.MapTo(s.Domain).Deltas().Apply(count).Least()
}

// affineStep is how an access with such subscripts moves between x and
// x + along; not at all when there are no two such instances.
func affineStep(subscripts []scop.Row, along []int64, moves bool) step {
	s := step{known: true, subscripts: make([]int64, len(subscripts))}
	for k, row := range subscripts {
		for i, v := range row.Iterators {
			if moves {
				s.subscripts[k] += v * along[i]
			}
		}
	}
	return s
}

// stepOf finds how an access of a statement moves between an instance x and x + along.
func stepOf(m *scop.Model, s, access int, along []int64) (step, error) {
	type question struct {
		statement, access int
		along             string
	}
	return scop.Known(m, question{s, access, fmt.Sprint(along)}, func() (step, error) {
		model := &m.Statements[s]
		return findStep(model.Accesses[access], pointsApart(model, along))
	})
}

// findStep is how an access moves between instances that advance relates.
func findStep(access, advance *isl.Map) (step, error) {
	deltas := access.Reverse().ApplyRange(advance).ApplyRange(access).Deltas()
	empty, err := deltas.IsEmpty()
	if err != nil {
		return step{}, err
	}
	if empty {
		return step{known: true, subscripts: make([]int64, deltas.Dim(isl.DimSet))}, nil
	}
	point, ok := deltas.Point()
	if !ok {
		return step{}, nil
	}
	if known, err := isAlways(deltas, point); known || err != nil || len(point) < 2 {
		return step{known: known, subscripts: point}, err
	}
	change := point[len(point)-1:]
	always, err := isAlways(deltas.ProjectOut(isl.DimSet, 0, len(point)-1), change)
	if !always {
		change = []int64{0}
	}
	return step{subscripts: point, last: change[0]}, err
}

// isAlways says whether distances are always those of a point.
func isAlways(distances *isl.Set, point []int64) (bool, error) {
	single := distances
	for k, v := range point {
		single = single.FixSi(isl.DimSet, k, int(v))
	}
	return distances.IsSubset(single)
}
