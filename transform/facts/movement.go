package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Direction is the step in the iteration space of a statement that leaves all
// its schedule rows but one unchanged and advances that one: the column of
// the inverse of the rows. ok is false when the rows do not determine it.
func Direction(rows [][]int64, advance, n int) (step []int64, ok bool) {
	others := make([][]int64, 0, len(rows))
	for k, row := range rows {
		if k != advance {
			others = append(others, row)
		}
	}
	candidates := scop.Orthogonal(others, n)
	if len(candidates) != 1 {
		return nil, false
	}
	step = candidates[0]
	progress := int64(0)
	for k, c := range rows[advance] {
		progress += c * step[k]
	}
	if progress < 0 {
		for k := range step {
			step[k] = -step[k]
		}
	}
	return step, progress != 0
}

// IsNext says whether an access moves to the next element.
func (s Step) IsNext() bool { return s.Distance() == 1 && s.Subscripts[len(s.Subscripts)-1] == 1 }

// Step is how an access moves when one loop of a band advances and all others
// stand still.
type Step struct {
	// Known is false when the step is not the same everywhere.
	Known bool
	// Subscripts are the changes of the array's subscripts.
	Subscripts []int64
	// last is the change of the last subscript where it alone is the same everywhere, as along j in
	// a[index[i]][j]: such a loop is taken for one through the elements of a row that data choose
	// outside.
	last int64
}

// Distance is the number of elements between two consecutive accesses: zero
// for reuse, one for neighbours.
func (s Step) Distance() int64 {
	if !s.Known {
		return cmp.Or(max(s.last, -s.last), FarApart)
	}
	for k, v := range s.Subscripts {
		if v == 0 {
			continue
		}
		if k < len(s.Subscripts)-1 {
			return FarApart
		}
		return max(v, -v)
	}
	return 0
}

// Movement is the behaviour of all accesses of a statement in a band.
type Movement struct {
	Statement int
	// Loops are the indices, in the band, of the loops that move the
	// statement.
	Loops []int
	// Steps[a][k] is the step of access a along loops[k].
	Steps [][]Step
}

// PlaceOf is the place of a loop of the band among those that move the
// statement, or -1.
func (m Movement) PlaceOf(loop int) int { return slices.Index(m.Loops, loop) }

// SubscriptsOf are those of all accesses of a statement, as scop.Subscripts has them.
func SubscriptsOf(m *scop.Model, s int) ([][]scop.Row, error) {
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
	Step  []int64
	Moves bool
}

// AdvanceOf is the advance along a loop in which the iterators' changes are along, or a multiple of
// that for loops with steps.
func AdvanceOf(m *scop.Model, s int, along []int64) (advance, error) {
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

// AffineStep is how an access with such subscripts moves between x and
// x + along; not at all when there are no two such instances.
func AffineStep(subscripts []scop.Row, along []int64, moves bool) Step {
	s := Step{Known: true, Subscripts: make([]int64, len(subscripts))}
	for k, row := range subscripts {
		for i, v := range row.Iterators {
			if moves {
				s.Subscripts[k] += v * along[i]
			}
		}
	}
	return s
}

// StepOf finds how an access of a statement moves between an instance x and x + along.
func StepOf(m *scop.Model, s, access int, along []int64) (Step, error) {
	type question struct {
		statement, access int
		along             string
	}
	return scop.Known(m, question{s, access, fmt.Sprint(along)}, func() (Step, error) {
		model := &m.Statements[s]
		return findStep(model.Accesses[access], pointsApart(model, along))
	})
}

// findStep is how an access moves between instances that advance relates.
func findStep(access, advance *isl.Map) (Step, error) {
	deltas := access.Reverse().ApplyRange(advance).ApplyRange(access).Deltas()
	empty, err := deltas.IsEmpty()
	if err != nil {
		return Step{}, err
	}
	if empty {
		return Step{Known: true, Subscripts: make([]int64, deltas.Dim(isl.DimSet))}, nil
	}
	point, ok := deltas.Point()
	if !ok {
		return Step{}, nil
	}
	if known, err := isAlways(deltas, point); known || err != nil || len(point) < 2 {
		return Step{Known: known, Subscripts: point}, err
	}
	change := point[len(point)-1:]
	always, err := isAlways(deltas.ProjectOut(isl.DimSet, 0, len(point)-1), change)
	if !always {
		change = []int64{0}
	}
	return Step{Subscripts: point, last: change[0]}, err
}

// isAlways says whether distances are always those of a point.
func isAlways(distances *isl.Set, point []int64) (bool, error) {
	single := distances
	for k, v := range point {
		single = single.FixSi(isl.DimSet, k, int(v))
	}
	return distances.IsSubset(single)
}
