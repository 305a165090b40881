package transform

import (
	"slices"

	"polytune/isl"
	"polytune/isl/ilp"
)

// presolver is the name of what solves a program that has no constraints left
// after presolve, or shows it to have no solution.
const presolver = "presolve"

// answer is the solver's, and whether the leading equalities suffice for there
// being no solution.
type answer struct {
	ilp.Answer
	early bool
}

// lexmin is ilp.Lexmin for a program that is made smaller first, by so many
// leading equalities and then by the others, and solved in parts that have no
// unknown in common: the parts' smallest solutions are together that of the
// whole.
func lexmin(ctx *isl.Context, operations uint64, p *ilp.Problem, leading int) (answer, error) {
	s := presolve(p, leading)
	switch {
	case s.infeasible:
		return answer{ilp.Answer{Solver: presolver}, s.early}, nil
	case s.large:
		whole, err := ilp.Lexmin(ctx, operations, p)
		return answer{Answer: whole}, err
	}
	whole := ilp.Answer{Solution: slices.Clone(s.lower), Found: true, Solver: presolver}
	for _, part := range s.parts() {
		solved, err := ilp.Lexmin(ctx, operations, s.problem(part))
		if !solved.Found || err != nil {
			return answer{Answer: solved}, err
		}
		whole.Solver = solved.Solver
		for i, k := range part.unknowns {
			whole.Solution[k] = solved.Solution[i]
		}
	}
	s.complete(whole.Solution)
	return answer{Answer: whole}, nil
}

// complete computes the unknowns that have values in terms of others.
func (s *presolved) complete(solution []int64) {
	for k, value := range s.value {
		if value == nil {
			continue
		}
		solution[k] = value.constant
		for _, t := range value.terms {
			solution[k] += t.value * solution[t.unknown]
		}
	}
}

// part are unknowns, in the order of the objective, that constraints connect,
// and these constraints.
type part struct {
	unknowns                 []int
	equalities, inequalities []sparseRow
}

// parts are the parts of the program, without the unknowns that no constraint
// mentions: their smallest values are their bounds.
func (s *presolved) parts() []*part {
	of := make([]*part, len(s.names))
	for _, row := range slices.Concat(s.equalities, s.inequalities) {
		for _, t := range row.terms {
			joinParts(of, row.terms[0].unknown, t.unknown)
		}
	}
	for _, row := range s.equalities {
		part := of[row.terms[0].unknown]
		part.equalities = append(part.equalities, row)
	}
	for _, row := range s.inequalities {
		part := of[row.terms[0].unknown]
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
func (s *presolved) problem(p *part) *ilp.Problem {
	q := &ilp.Problem{}
	place := map[int]int{}
	for i, k := range p.unknowns {
		q.Unknowns = append(q.Unknowns, s.names[k])
		place[k] = i
	}
	for i, k := range p.unknowns {
		if s.lower[k] != endless {
			q.AtLeast(i, s.lower[k])
		}
		if s.upper[k] != endless {
			q.AtMost(i, s.upper[k])
		}
	}
	renumbered := func(row sparseRow) []int64 {
		dense := q.NewRow()
		for _, t := range row.terms {
			dense[place[t.unknown]] = t.value
		}
		dense[len(p.unknowns)] = row.constant
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
