package space

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"polytune/isl"
)

// Encoding is the convex set of all total preorders of n statements: a set of
// affine constraints with exactly one integer point for each way to put the
// statements into ordered classes (SC'10 section IV-B; Pouchet et al.,
// POPL'11).
//
// For every pair i < j there are two variables: p_ij = 1 when the class of i
// comes before that of j, e_ij = 1 when i and j are in one class; when both
// are 0 the class of j comes first. A point lists them pair by pair:
// p_01, e_01, p_02, e_02, …, p_12, e_12, ….
type Encoding struct {
	// Statements is n.
	Statements int
}

// Constraint is an affine constraint on the variables of an Encoding:
// the sum of the terms plus Constant is >= 0 or, with Equality, = 0.
type Constraint struct {
	Terms    []Term
	Constant int
	Equality bool
}

// Term is a coefficient times a variable, given by its place in the point.
type Term struct {
	Coefficient, Variable int
}

// Variables is the number of variables, n(n-1).
func (e Encoding) Variables() int { return e.Statements * (e.Statements - 1) }

// ConstraintCount is the number of constraints: 5 for each pair of statements
// and 7 for each triple.
func (e Encoding) ConstraintCount() int {
	n := e.Statements
	return 5*n*(n-1)/2 + 7*n*(n-1)*(n-2)/6
}

// Precedes is the place of the variable p_ij, i < j.
func (e Encoding) Precedes(i, j int) int {
	return 2 * (i*(2*e.Statements-i-1)/2 + j - i - 1)
}

// Equal is the place of the variable e_ij, i < j.
func (e Encoding) Equal(i, j int) int { return e.Precedes(i, j) + 1 }

// VariableNames are the names of the variables in the order of a point:
// p_0_1, e_0_1, p_0_2, ….
func (e Encoding) VariableNames() []string {
	names := make([]string, 0, e.Variables())
	for i := range e.Statements {
		for j := i + 1; j < e.Statements; j++ {
			names = append(names, fmt.Sprintf("p_%d_%d", i, j), fmt.Sprintf("e_%d_%d", i, j))
		}
	}
	return names
}

// Constraints yields the constraints, pairs first.
func (e Encoding) Constraints() iter.Seq[Constraint] {
	return func(yield func(Constraint) bool) {
		for i := range e.Statements {
			for j := i + 1; j < e.Statements; j++ {
				for _, c := range e.pair(i, j) {
					if !yield(c) {
						return
					}
				}
			}
		}
		for i := range e.Statements {
			for j := i + 1; j < e.Statements; j++ {
				for k := j + 1; k < e.Statements; k++ {
					for _, c := range e.triple(i, j, k) {
						if !yield(c) {
							return
						}
					}
				}
			}
		}
	}
}

// pair bounds both variables by 0 and 1, and excludes that both are 1.
func (e Encoding) pair(i, j int) []Constraint {
	p, q := e.Precedes(i, j), e.Equal(i, j)
	return []Constraint{
		{Terms: []Term{{1, p}}},
		{Terms: []Term{{-1, p}}, Constant: 1},
		{Terms: []Term{{1, q}}},
		{Terms: []Term{{-1, q}}, Constant: 1},
		{Terms: []Term{{-1, p}, {-1, q}}, Constant: 1},
	}
}

// triple makes the relations transitive: equality with equality (2), before
// with before, before with equality (3), and after with not after.
func (e Encoding) triple(i, j, k int) []Constraint {
	eij, eik, ejk := e.Equal(i, j), e.Equal(i, k), e.Equal(j, k)
	pij, pik, pjk := e.Precedes(i, j), e.Precedes(i, k), e.Precedes(j, k)
	return []Constraint{
		implies(eij, eik, ejk),
		implies(eij, ejk, eik),
		implies(pij, pjk, pik),
		implies(eij, pik, pjk),
		implies(eij, pjk, pik),
		implies(ejk, pij, pik),
		{Terms: []Term{{1, pij}, {1, eij}, {1, pjk}, {-1, pik}, {-1, eik}}},
	}
}

// implies is a + b <= 1 + c: where a and b hold, c does.
func implies(a, b, c int) Constraint {
	return Constraint{Terms: []Term{{-1, a}, {-1, b}, {1, c}}, Constant: 1}
}

// Point is the integer point of a normalised partition of the statements.
func (e Encoding) Point(p Partition) []int64 {
	point := make([]int64, e.Variables())
	for i := range e.Statements {
		for j := i + 1; j < e.Statements; j++ {
			switch {
			case p[i] < p[j]:
				point[e.Precedes(i, j)] = 1
			case p[i] == p[j]:
				point[e.Equal(i, j)] = 1
			}
		}
	}
	return point
}

// Partition is the partition of a point. A point that violates a constraint
// is an error.
func (e Encoding) Partition(point []int64) (Partition, error) {
	if len(point) != e.Variables() {
		return nil, fmt.Errorf("a point of %d coordinates, but %d statements have %d", len(point), e.Statements, e.Variables())
	}
	for c := range e.Constraints() {
		if !c.Holds(point) {
			return nil, fmt.Errorf("the point is no partition: it violates %s", c.text(e.VariableNames()))
		}
	}
	before := make(Partition, e.Statements)
	for i := range e.Statements {
		for j := i + 1; j < e.Statements; j++ {
			switch {
			case point[e.Precedes(i, j)] == 1:
				before[j]++
			case point[e.Equal(i, j)] == 0:
				before[i]++
			}
		}
	}
	return before.Normalise(), nil
}

// Set is the encoding as an isl set with one dimension per variable.
func (e Encoding) Set(ctx *isl.Context) *isl.Set { return e.set(ctx, e.Constraints()) }

func (e Encoding) set(ctx *isl.Context, constraints iter.Seq[Constraint]) *isl.Set {
	var equalities, inequalities [][]int64
	for c := range constraints {
		row := make([]int64, e.Variables()+1)
		for _, t := range c.Terms {
			row[t.Variable] += int64(t.Coefficient)
		}
		row[e.Variables()] = int64(c.Constant)
		if c.Equality {
			equalities = append(equalities, row)
		} else {
			inequalities = append(inequalities, row)
		}
	}
	return ctx.BasicSetFromConstraints(e.Variables(), equalities, inequalities).ToSet()
}

// text is the set of the constraints in isl's notation, with names.
func (e Encoding) text(constraints iter.Seq[Constraint]) string {
	names := e.VariableNames()
	var rows []string
	for c := range constraints {
		rows = append(rows, c.text(names))
	}
	if len(rows) == 0 {
		return "{ [" + strings.Join(names, ", ") + "] }"
	}
	return "{ [" + strings.Join(names, ", ") + "] : " + strings.Join(rows, " and ") + " }"
}

// Holds says whether the point satisfies the constraint.
func (c Constraint) Holds(point []int64) bool {
	sum := int64(c.Constant)
	for _, t := range c.Terms {
		sum += int64(t.Coefficient) * point[t.Variable]
	}
	return sum == 0 || sum > 0 && !c.Equality
}

// text is the constraint with all signs positive, as people write it: with a
// number alone on the right, "e_0_1 + e_0_2 <= 1 + e_1_2", "e_0_1 >= 1".
func (c Constraint) text(names []string) string {
	var positive, negative []string
	for _, t := range c.Terms {
		factor := ""
		if size := max(t.Coefficient, -t.Coefficient); size > 1 {
			factor = strconv.Itoa(size)
		}
		if t.Coefficient > 0 {
			positive = append(positive, factor+names[t.Variable])
		} else {
			negative = append(negative, factor+names[t.Variable])
		}
	}
	left, relation, right, constant := negative, " <= ", positive, c.Constant
	if len(left) == 0 && len(right) > 0 {
		left, relation, right, constant = positive, " >= ", negative, -constant
	}
	if c.Equality {
		relation = " = "
	}
	if constant > 0 {
		right = append([]string{strconv.Itoa(constant)}, right...)
	}
	if constant < 0 {
		left = append([]string{strconv.Itoa(-constant)}, left...)
	}
	return sumText(left) + relation + sumText(right)
}

func sumText(terms []string) string {
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, " + ")
}
