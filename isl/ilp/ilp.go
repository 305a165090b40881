// Package ilp solves the small integer linear programs of the scheduling
// algorithms: the lexicographically smallest integer point of a system of
// affine constraints.
//
// # Where to find what
//
//   - made smaller and parted: presolve.go, parts.go; the simplex: simplex.go, constraint.go; by
//     isl: isl.go, reduce.go; by GLPK: glpk.go
//   - why so: docs/decisions/0030-own-simplex.md, 0031-made-smaller.md
package ilp

import (
	"errors"
	"fmt"
	"math/bits"

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
	// Leading is how many of the equalities Lexmin looks at, with all
	// inequalities, before the others; see Answer.Early. It changes no solution.
	Leading int
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

// Answer is the outcome of a search for the smallest solution. Where neither
// Found nor Exceeded holds, there is no solution.
type Answer struct {
	// Solution has a value for each unknown; nil when none was found.
	Solution []int64
	Found    bool
	// Exceeded says that the search was given up at its limit, which says
	// nothing about solutions.
	Exceeded bool
	// Early says that there is no solution for the problem's leading equalities
	// and its inequalities alone, without the other equalities. It is true only
	// where simplifying the problem shows that: false says nothing.
	Early bool
	// Solver is the name of the solver that gave the answer, the last of those
	// that did, or "presolve" where simplifying the problem did.
	Solver string
}

// Solver finds lexicographically smallest solutions. All solvers give the same
// solution; they differ in how long they take and in when they give up.
type Solver interface {
	// Name is what reports call the solver.
	Name() string
	// search is Lexmin without the check of its answer. Its error is
	// errUnsuitable when another solver should be asked.
	search(ctx *isl.Context, operations uint64, p *Problem) (Answer, error)
}

// errUnsuitable says that a problem is not one for the solver: its numbers are
// too large, or an unknown has no lower bound.
var errUnsuitable = errors.New("not a problem for this solver")

// Solvers are all solvers there are, in the order in which Lexmin asks them for
// the solution of a part.
func Solvers() []Solver { return solvers }

var solvers = []Solver{Simplex{}, ISL{}}

// Lexmin is the lexicographically smallest solution. The problem is simplified
// first, and falls into parts that have no unknown in common: their smallest
// solutions are together that of the whole. Each part is solved by the first
// solver that it suits. The search in a part is given up after about so many of
// isl's operations (isl.Context.SetMaxOperations); 0 is no limit but the
// context's.
func Lexmin(ctx *isl.Context, operations uint64, p *Problem) (Answer, error) {
	s := presolve(p)
	if s.infeasible {
		return Answer{Solver: presolver, Early: s.early}, nil
	}
	answer, err := s.lexmin(ctx, operations)
	if errors.Is(err, errUnsuitable) {
		return lexminWhole(ctx, operations, p)
	}
	if err == nil {
		err = p.check(answer)
	}
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// lexminWhole is Lexmin for a problem as it is.
func lexminWhole(ctx *isl.Context, operations uint64, p *Problem) (Answer, error) {
	for _, solver := range solvers {
		answer, err := LexminBy(solver, ctx, operations, p)
		if !errors.Is(err, errUnsuitable) {
			return answer, err
		}
	}
	return Answer{}, p.failure(errUnsuitable)
}

// LexminBy is Lexmin by one solver, which gets the problem as it is and may refuse
// it. What it finds is checked.
func LexminBy(s Solver, ctx *isl.Context, operations uint64, p *Problem) (Answer, error) {
	answer, err := s.search(ctx, operations, p)
	if err != nil {
		return Answer{}, p.failure(err)
	}
	answer.Solver = s.Name()
	if err := p.check(answer); err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// check is an error when the answer has a solution that is none.
func (p *Problem) check(answer Answer) error {
	if answer.Found && !p.satisfiedBy(answer.Solution) {
		return p.failure(fmt.Errorf("the solver %s found %v, which is no solution; please report it", answer.Solver, answer.Solution))
	}
	return nil
}

func (p *Problem) failure(err error) error {
	return fmt.Errorf("integer program of %d unknowns and %d constraints: %w", len(p.Unknowns), p.Constraints(), err)
}

// satisfiedBy says whether the point satisfies all constraints.
func (p *Problem) satisfiedBy(point []int64) bool {
	for _, row := range p.Equalities {
		if valueSign(row, point) != 0 {
			return false
		}
	}
	for _, row := range p.Inequalities {
		if valueSign(row, point) < 0 {
			return false
		}
	}
	return true
}

// valueSign is the sign of row · (point, 1), summed up in 128 bits.
func valueSign(row, point []int64) int {
	high, low := int64(0), uint64(0)
	for k, v := range row {
		factor := int64(1)
		if k < len(point) {
			factor = point[k]
		}
		if v == 0 || factor == 0 {
			continue
		}
		productHigh, productLow := product(v, factor)
		var carry uint64
		low, carry = bits.Add64(low, productLow, 0)
		high += productHigh + int64(carry)
	}
	switch {
	case high < 0:
		return -1
	case high == 0 && low == 0:
		return 0
	}
	return 1
}
