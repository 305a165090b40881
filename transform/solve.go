package transform

import (
	"slices"

	"polytune/isl"
	"polytune/isl/ilp"
)

// presolver is the name of what solves a program that has no constraints left
// after presolve, or shows it to have no solution.
const presolver = "presolve"

// lexmin is ilp.Lexmin for a program that is made smaller first, and solved
// in parts that have no unknown in common: the parts' smallest solutions are
// together that of the whole.
func lexmin(ctx *isl.Context, operations uint64, p *ilp.Problem) (ilp.Answer, error) {
	s := presolve(p)
	switch {
	case s.infeasible:
		return ilp.Answer{Solver: presolver}, nil
	case s.large:
		return ilp.Lexmin(ctx, operations, p)
	}
	whole := ilp.Answer{Solution: slices.Clone(s.lower), Found: true, Solver: presolver}
	for _, part := range s.parts() {
		answer, err := ilp.Lexmin(ctx, operations, s.problem(part))
		if !answer.Found || err != nil {
			return answer, err
		}
		whole.Solver = answer.Solver
		for i, k := range part.unknowns {
			whole.Solution[k] = answer.Solution[i]
		}
	}
	s.complete(whole.Solution)
	return whole, nil
}

// complete computes the unknowns that have values in terms of others.
func (s *presolved) complete(solution []int64) {
	for k, value := range s.value {
		if value == nil {
			continue
		}
		solution[k] = value[len(value)-1]
		for i, v := range value[:len(value)-1] {
			if v != 0 {
				solution[k] += v * solution[i]
			}
		}
	}
}

// part are unknowns, in the order of the objective, that constraints connect,
// and these constraints.
type part struct {
	unknowns                 []int
	equalities, inequalities [][]int64
}

// parts are the parts of the program, without the unknowns that no constraint
// mentions: their smallest values are their bounds.
func (s *presolved) parts() []*part {
	of := make([]*part, len(s.names))
	for _, row := range slices.Concat(s.equalities, s.inequalities) {
		var joined *part
		for k, v := range row[:len(s.names)] {
			switch {
			case v == 0 || joined != nil && of[k] == joined:
			case of[k] == nil && joined == nil:
				joined = &part{unknowns: []int{k}}
				of[k] = joined
			case of[k] == nil:
				joined.unknowns = append(joined.unknowns, k)
				of[k] = joined
			case joined == nil:
				joined = of[k]
			default:
				other := of[k]
				joined.unknowns = append(joined.unknowns, other.unknowns...)
				for _, i := range other.unknowns {
					of[i] = joined
				}
			}
		}
	}
	for _, row := range s.equalities {
		of[lastUnknown(row)].equalities = append(of[lastUnknown(row)].equalities, row)
	}
	for _, row := range s.inequalities {
		of[lastUnknown(row)].inequalities = append(of[lastUnknown(row)].inequalities, row)
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

// problem is the integer program of a part.
func (s *presolved) problem(p *part) *ilp.Problem {
	q := &ilp.Problem{}
	for _, k := range p.unknowns {
		q.Unknowns = append(q.Unknowns, s.names[k])
	}
	for i, k := range p.unknowns {
		if s.lower[k] != endless {
			q.AtLeast(i, s.lower[k])
		}
		if s.upper[k] != endless {
			q.AtMost(i, s.upper[k])
		}
	}
	columns := func(row []int64) []int64 {
		short := q.NewRow()
		for i, k := range p.unknowns {
			short[i] = row[k]
		}
		short[len(p.unknowns)] = row[len(row)-1]
		return short
	}
	for _, row := range p.equalities {
		q.Equalities = append(q.Equalities, columns(row))
	}
	for _, row := range p.inequalities {
		q.Inequalities = append(q.Inequalities, columns(row))
	}
	return q
}

// lastUnknown is the last unknown that a row mentions, of those that have a
// coefficient.
func lastUnknown(row []int64) int {
	k := len(row) - 2
	for k > 0 && row[k] == 0 {
		k--
	}
	return k
}

// divisorOf is the greatest common divisor of numbers, zero when all are.
func divisorOf(row []int64) (divisor int64) {
	for _, v := range row {
		divisor = greatestDivisor(divisor, v)
	}
	return divisor
}

// greatestDivisor is the greatest common divisor, not negative.
func greatestDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// floorDivide is a / b rounded down, for positive b.
func floorDivide(a, b int64) int64 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}

func isZeroRow(row []int64) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}
