// Package ilp solves the small integer linear programs of the scheduling
// algorithms: the lexicographically smallest integer point of a system of
// affine constraints.
package ilp

import (
	"fmt"

	"polytune/isl"
)

// Problem is a system of constraints over named integer unknowns. A row holds
// the coefficients of the unknowns and then the constant; it stands for
// row · (x, 1) = 0 or >= 0. Every unknown must be bounded below.
type Problem struct {
	// Unknowns are in the order of the lexicographic objective.
	Unknowns     []string
	Equalities   [][]int64
	Inequalities [][]int64
}

// NewRow returns a row of zeros for the problem.
func (p *Problem) NewRow() []int64 { return make([]int64, len(p.Unknowns)+1) }

// AtLeast adds the constraint that the unknown is at least the bound.
func (p *Problem) AtLeast(unknown int, bound int64) {
	row := p.NewRow()
	row[unknown], row[len(p.Unknowns)] = 1, -bound
	p.Inequalities = append(p.Inequalities, row)
}

// AtMost adds the constraint that the unknown is at most the bound.
func (p *Problem) AtMost(unknown int, bound int64) {
	row := p.NewRow()
	row[unknown], row[len(p.Unknowns)] = -1, bound
	p.Inequalities = append(p.Inequalities, row)
}

// Constraints is the number of rows.
func (p *Problem) Constraints() int { return len(p.Equalities) + len(p.Inequalities) }

// Lexmin returns the lexicographically smallest solution; ok is false when
// there is none.
func Lexmin(ctx *isl.Context, p *Problem) (solution []int64, ok bool, err error) {
	mark := ctx.Mark()
	defer ctx.Release(mark)
	q := p.reduced()
	solution, ok, err = ctx.BasicSetFromConstraints(len(q.Unknowns), q.Equalities, q.Inequalities).Lexmin()
	if err != nil {
		return nil, false, fmt.Errorf("integer program of %d unknowns and %d constraints: %w", len(p.Unknowns), p.Constraints(), err)
	}
	return solution, ok, nil
}

// LexminWithin is Lexmin with a bound on isl's operations: exceeded says that
// the search was given up, which says nothing about solutions. Constraints
// with large constants can make the cuts of an integer program explode.
func LexminWithin(ctx *isl.Context, operations uint64, p *Problem) (solution []int64, ok, exceeded bool, err error) {
	exceeded = ctx.Within(operations, func() { solution, ok, err = Lexmin(ctx, p) })
	if exceeded {
		return nil, false, true, nil
	}
	return solution, ok, false, err
}
