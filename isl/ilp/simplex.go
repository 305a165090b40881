package ilp

import (
	"math"
	"slices"

	"polytune/internal/integer"
	"polytune/isl"
)

// Simplex is the lexicographic dual simplex method in exact integer arithmetic:
// P. Feautrier, Parametric integer programming, RAIRO Recherche opérationnelle
// 22(3), 1988, without parameters. Fractions are removed by integer cuts, as
// there, or by branching. It refuses problems with an unknown that has no lower
// bound of its own, and those that make numbers beyond 62 bits either way.
type Simplex struct{}

// Name is "simplex".
func (Simplex) Name() string { return "simplex" }

// entriesPerOperation says how many entries of the tableau are changed in about
// the time of one of isl's operations.
const entriesPerOperation = 1000

// firstSteps is the number of steps after which cutting is given up at first,
// and then branching. Nearly all problems take fewer of one of them.
const firstSteps = 100

// search lets cutting and branching take turns, each with four times the budget
// of its last turn: mostly cutting is faster, but where it is not it can be by
// any factor.
func (Simplex) search(ctx *isl.Context, operations uint64, p *Problem) (answer Answer, err error) {
	limit := math.MaxInt
	if operations > 0 && operations < math.MaxInt/entriesPerOperation {
		limit = int(operations) * entriesPerOperation
	}
	n := len(p.Unknowns)
	ways := []func(*tableau) result{(*tableau).minimize, (*tableau).branch}
	for budget, spent := firstSteps*(n+1)*(n+1), 0; ; budget *= 4 {
		unsuitable := 0
		for _, way := range ways {
			w := &work{limit: min(budget, limit-spent), ctx: ctx}
			solution, r := attempt(p, w, way)
			switch r {
			case found:
				return Answer{Solution: solution, Found: true}, nil
			case infeasible:
				return Answer{}, nil
			case unfit:
				unsuitable++
			}
			if err := ctx.Aborted(); err != nil {
				return Answer{}, err
			}
			if spent += w.changed; spent >= limit {
				return Answer{Exceeded: true}, nil
			}
		}
		if unsuitable == len(ways) {
			return Answer{}, errUnsuitable
		}
	}
}

// attempt is one way to find the solution. It is unfit where an unknown has no
// lower bound and where numbers become too large.
func attempt(p *Problem, w *work, way func(*tableau) result) (solution []int64, r result) {
	defer func() {
		if cause := recover(); cause == (overflow{}) {
			r = unfit
		} else if cause != nil {
			panic(cause)
		}
	}()
	t, bounds := newTableau(p, w)
	switch bounds {
	case unboundedBelow:
		return nil, unfit
	case contradictory:
		return nil, infeasible
	}
	for k := range t.equalities {
		if !t.satisfyEquality(&t.equalities[k]) {
			return nil, infeasible
		}
	}
	if r = way(t); r == found {
		solution = t.solution()
	}
	return solution, r
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
	// least are lower bounds from branching, of the unknowns less lower.
	least      []int64
	equalities []constraint
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
	*work
}

// work is what a search has done, in entries of tableaus.
type work struct {
	// changed counts the entries computed, and limit bounds it.
	changed, limit int
	// ctx may be aborted; looked is changed when it was looked at last.
	ctx    *isl.Context
	looked int
}

// entriesBetweenLooks is the number of entries after which a search looks whether
// its context has been aborted: about a millisecond's.
const entriesBetweenLooks = 1 << 20

// isOver says whether the search has to end: at its limit, or because it is
// aborted.
func (w *work) isOver() bool {
	if w.changed-w.looked > entriesBetweenLooks {
		w.looked = w.changed
		if w.ctx.Aborted() != nil {
			w.limit = 0
		}
	}
	return w.changed > w.limit
}

// result says how a search ended.
type result int

const (
	found result = iota
	infeasible
	exceeded
	unfit
)

// minimize moves the point to the smallest solution by cuts.
func (t *tableau) minimize() result {
	for {
		if r := t.relax(); r != found {
			return r
		}
		k := t.firstFraction()
		if k < 0 {
			return found
		}
		if !t.satisfy(t.cut(k)) {
			return infeasible
		}
	}
}

// relax moves the point to the smallest one that satisfies the constraints, with
// fractions.
func (t *tableau) relax() result {
	for !t.isOver() {
		t.locate()
		denominator, violated := t.violated()
		if !violated {
			return found
		}
		if !t.satisfy(denominator) {
			return infeasible
		}
	}
	return exceeded
}

// satisfy moves the point to the smallest one that satisfies the constraint in
// the row; false says that there is none.
func (t *tableau) satisfy(denominator int64) bool {
	column := t.entering()
	if column > 0 {
		t.replace(column, denominator)
	}
	return column > 0
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
		common := integer.GCD(denominator, own)
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
	common := integer.GCD(factor, pivot)
	factor, pivot = factor/common, pivot/common
	if pivot == 1 && size([]int64{factor})+bits < 61 && size(row) < 61 {
		for _, i := range t.support {
			row[i] += factor * t.row[i]
		}
		t.changed += len(t.support)
	} else {
		t.changed += t.columns
		if max(size(row)+size([]int64{pivot}), bits+size([]int64{factor}), size([]int64{denominator, pivot})+size([]int64{pivot})) > 60 {
			t.changed += entriesPerWide * t.columns
			return combineWide(row, pivot, t.row, factor, denominator)
		}
		combine(row, pivot, t.row, factor)
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
