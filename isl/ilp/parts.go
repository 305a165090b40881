package ilp

import (
	"slices"

	"polytune/isl"
)

// presolver is the name of what solves a problem that has no constraints left
// after presolve, or shows it to have no solution.
const presolver = "presolve"

// lexmin is the smallest solution, put together from those of the parts. It is
// errUnsuitable to simplify the problem when its numbers become large, or when an
// unknown has no smallest value.
func (s *presolved) lexmin(ctx *isl.Context, operations uint64) (Answer, error) {
	if s.large {
		return Answer{}, errUnsuitable
	}
	whole := Answer{Solution: slices.Clone(s.lower), Found: true, Solver: presolver}
	for _, part := range s.parts() {
		solved, err := lexminWhole(ctx, operations, s.problem(part))
		if !solved.Found || err != nil {
			return solved, err
		}
		whole.Solver = solved.Solver
		for i, k := range part.unknowns {
			whole.Solution[k] = solved.Solution[i]
		}
	}
	if !s.complete(whole.Solution) {
		return Answer{}, errUnsuitable
	}
	return whole, nil
}

// complete computes the unknowns that have values in terms of others; false says
// that a value is large, or that an unknown has none.
func (s *presolved) complete(solution []int64) bool {
	for k, value := range s.value {
		if value == nil {
			if solution[k] == -unbounded {
				return false
			}
			continue
		}
		solution[k] = value.Constant
		for _, t := range value.Terms {
			if !addProduct(&solution[k], t.Value, solution[t.Unknown], unbounded) {
				return false
			}
		}
	}
	return true
}

// part are unknowns, in the order of the objective, that constraints connect,
// and these constraints.
type part struct {
	unknowns                 []int
	equalities, inequalities []SparseRow
}

// parts are the parts of the program, without the unknowns that no constraint
// mentions: their smallest values are their bounds.
func (s *presolved) parts() []*part {
	of := make([]*part, len(s.names))
	for _, row := range slices.Concat(s.equalities, s.inequalities) {
		for _, t := range row.Terms {
			joinParts(of, row.Terms[0].Unknown, t.Unknown)
		}
	}
	for _, row := range s.equalities {
		part := of[row.Terms[0].Unknown]
		part.equalities = append(part.equalities, row)
	}
	for _, row := range s.inequalities {
		part := of[row.Terms[0].Unknown]
		part.inequalities = append(part.inequalities, row)
	}
	var list []*part
	for _, part := range of {
		if part != nil && !slices.Contains(list, part) {
			slices.Sort(part.unknowns)
			list = append(list, part)
		}
	}
	return list
}

// joinParts makes one of the parts of two unknowns.
func joinParts(of []*part, i, j int) {
	for _, k := range []int{i, j} {
		if of[k] == nil {
			of[k] = &part{unknowns: []int{k}}
		}
	}
	joined, other := of[i], of[j]
	if joined == other {
		return
	}
	joined.unknowns = append(joined.unknowns, other.unknowns...)
	for _, k := range other.unknowns {
		of[k] = joined
	}
}

// problem is the integer program of a part.
func (s *presolved) problem(p *part) *Problem {
	q := &Problem{}
	place := map[int]int{}
	for i, k := range p.unknowns {
		q.Unknowns = append(q.Unknowns, s.names[k])
		place[k] = i
	}
	for i, k := range p.unknowns {
		if s.lower[k] > -unbounded {
			q.AtLeast(i, s.lower[k])
		}
		if s.upper[k] < unbounded {
			q.AtMost(i, s.upper[k])
		}
	}
	renumbered := func(row SparseRow) []int64 {
		dense := q.NewRow()
		for _, t := range row.Terms {
			dense[place[t.Unknown]] = t.Value
		}
		dense[len(p.unknowns)] = row.Constant
		return dense
	}
	for _, row := range p.equalities {
		q.Equalities = append(q.Equalities, renumbered(row))
	}
	for _, row := range p.inequalities {
		q.Inequalities = append(q.Inequalities, renumbered(row))
	}
	return q
}
