package ilp

import (
	"math"
	"slices"

	"polytune/isl"
)

// Simplex is the lexicographic dual simplex method with integer cuts, in exact
// integer arithmetic: P. Feautrier, Parametric integer programming, RAIRO
// Recherche opérationnelle 22(3), 1988, without parameters. It refuses problems
// with an unknown that has no lower bound of its own, and those in whose
// solution numbers beyond 62 bits occur.
type Simplex struct{}

// Name is "simplex".
func (Simplex) Name() string { return "simplex" }

// entriesPerOperation says how many entries of the tableau are changed in about
// the time of one of isl's operations.
const entriesPerOperation = 1000

func (Simplex) search(_ *isl.Context, operations uint64, p *Problem) (answer Answer, err error) {
	defer func() {
		if cause := recover(); cause == (overflow{}) {
			answer, err = Answer{}, errUnsuitable
		} else if cause != nil {
			panic(cause)
		}
	}()
	t, bounds := newTableau(p)
	switch bounds {
	case unboundedBelow:
		return Answer{}, errUnsuitable
	case contradictory:
		return Answer{}, nil
	}
	t.limit = math.MaxInt
	if operations > 0 && operations < math.MaxInt/entriesPerOperation {
		t.limit = int(operations) * entriesPerOperation
	}
	switch t.minimize() {
	case infeasible:
		return Answer{}, nil
	case exceeded:
		return Answer{Exceeded: true}, nil
	}
	return Answer{Solution: t.solution(), Found: true}, nil
}

// tableau gives each unknown as an affine function of parameters y, which are
// integers and at least zero. As the parameters' columns are lexicographically
// positive, the point at y = 0 is the smallest of all: no solution is smaller.
// A constraint that this point violates takes the place of a parameter, which
// moves the point to a larger one. So the tableau never has more rows than there
// are unknowns, nor more columns: constraints that are not in the way stay
// outside.
type tableau struct {
	// rows[k] · (1, y) / denominators[k] is unknown k less its lower bound.
	// Entries beyond the columns left are void.
	rows         [][]int64
	denominators []int64
	// columns is the number of parameters.
	columns int
	// lower and upper bound the unknowns; upper is that of the unknown less
	// its lower bound, or unbounded.
	lower, upper []int64
	equalities   []constraint
	// inequalities[k] are those whose last unknown is k; those before settled
	// are satisfied, and so are the bounds of the unknowns before it.
	inequalities [][]constraint
	settled      int
	// point is the unknowns less their lower bounds at y = 0, times scale.
	point []int64
	scale int64
	// row is that of the constraint at hand, and support the places of its
	// entries that are not zero.
	row     []int64
	support []int
	// changed counts the entries computed, and limit bounds it.
	changed, limit int
}

// result says how a search ended.
type result int

const (
	found result = iota
	infeasible
	exceeded
)

// minimize moves the point to the smallest solution.
func (t *tableau) minimize() result {
	for k := range t.equalities {
		if !t.satisfyEquality(&t.equalities[k]) {
			return infeasible
		}
	}
	for t.changed <= t.limit {
		t.locate()
		denominator, violated := t.violated()
		if !violated {
			k := t.firstFraction()
			if k < 0 {
				return found
			}
			denominator = t.cut(k)
		}
		column := t.entering()
		if column == 0 {
			return infeasible
		}
		t.replace(column, denominator)
	}
	return exceeded
}

// satisfyEquality replaces a parameter by the equality's value, and then drops
// it, because it is zero.
func (t *tableau) satisfyEquality(c *constraint) bool {
	denominator := t.express(c)
	if t.row[0] > 0 {
		negate(t.row)
	}
	column := t.entering()
	if column == 0 && t.row[0] == 0 {
		negate(t.row)
		column = t.entering()
	}
	if column == 0 {
		return t.row[0] == 0
	}
	t.replace(column, denominator)
	for _, row := range t.rows {
		row[column] = row[t.columns]
	}
	t.columns--
	return true
}

// express computes the row of a constraint and returns its denominator.
func (t *tableau) express(c *constraint) int64 {
	t.row = t.row[:t.columns+1]
	clear(t.row)
	t.row[0] = c.constant
	denominator := int64(1)
	for i, k := range c.unknowns {
		own := t.denominators[k]
		common := gcd(denominator, own)
		combine(t.row, own/common, t.rows[k][:t.columns+1], times(c.coefficients[i], denominator/common))
		denominator = times(denominator, own/common)
	}
	t.changed += len(c.unknowns) * t.columns
	return normalised(t.row, denominator)
}

// entering is the parameter that a constraint with a negative constant may
// replace: of those with a positive coefficient, the one whose column divided by
// it is lexicographically smallest, so that all columns stay positive. It is 0
// when there is none: then the constraint is violated everywhere.
func (t *tableau) entering() int {
	best := 0
	for column := 1; column <= t.columns; column++ {
		if t.row[column] > 0 && (best == 0 || t.columnLess(column, best)) {
			best = column
		}
	}
	return best
}

// columnLess says whether column a is smaller than column b, each divided by its
// entry of the constraint's row.
func (t *tableau) columnLess(a, b int) bool {
	for _, row := range t.rows {
		if row[a] == 0 && row[b] == 0 {
			continue
		}
		if productLess(row[a], t.row[b], row[b], t.row[a]) {
			return true
		}
		if productLess(row[b], t.row[a], row[a], t.row[b]) {
			return false
		}
	}
	return false
}

// replace makes the value s = row · (1, y) / denominator of the constraint the
// parameter of a column, by y = (denominator·s - the rest of the row) / pivot.
func (t *tableau) replace(column int, denominator int64) {
	pivot := t.row[column]
	negate(t.row)
	t.row[column] = denominator
	pivot = normalised(t.row, pivot)
	t.support = t.support[:0]
	for i, v := range t.row {
		if v != 0 {
			t.support = append(t.support, i)
		}
	}
	t.changed += t.columns
	bits := size(t.row)
	for k, row := range t.rows {
		if row[column] != 0 {
			if t.row[0] != 0 {
				t.settled = min(t.settled, k)
			}
			t.denominators[k] = t.substitute(row[:t.columns+1], t.denominators[k], column, pivot, bits)
		}
	}
}

// substitute puts the constraint's row over the pivot in the place of a column,
// and returns the new denominator of the row.
func (t *tableau) substitute(row []int64, denominator int64, column int, pivot int64, bits int) int64 {
	factor := row[column]
	row[column] = 0
	common := gcd(factor, pivot)
	factor, pivot = factor/common, pivot/common
	if pivot == 1 && size([]int64{factor})+bits < 61 && size(row) < 61 {
		for _, i := range t.support {
			row[i] += factor * t.row[i]
		}
		t.changed += len(t.support)
	} else {
		combine(row, pivot, t.row, factor)
		t.changed += t.columns
	}
	return normalised(row, times(denominator, pivot))
}

// firstFraction is the first unknown whose value at the point is no integer, or
// -1.
func (t *tableau) firstFraction() int {
	for k, d := range t.denominators {
		if d != 1 && t.rows[k][0]%d != 0 {
			return k
		}
	}
	return -1
}

// cut puts Gomory's cut for an unknown into the row and returns its
// denominator: where (b + Σ a·y) / d is an integer, so is
// (b mod d - d + Σ (a mod d)·y) / d, and it is larger than -1.
func (t *tableau) cut(k int) int64 {
	d := t.denominators[k]
	t.row = t.row[:t.columns+1]
	for i := range t.row {
		t.row[i] = remainder(t.rows[k][i], d)
	}
	t.row[0] -= d
	return d
}

// solution is the point, which has no fractions.
func (t *tableau) solution() []int64 {
	solution := slices.Clone(t.lower)
	for k, d := range t.denominators {
		solution[k] = plus(solution[k], t.rows[k][0]/d)
	}
	return solution
}
