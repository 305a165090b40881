package ilp

import (
	"math"
	"math/bits"
	"slices"

	"polytune/internal/integer"
)

// constraint is a row without its zeros, over unknowns less their lower bounds.
type constraint struct {
	unknowns     []int
	coefficients []int64
	constant     int64
	// bits bounds the size of the sum of all entries' absolute values.
	bits int
	// weight is one over the Euclidean norm of the coefficients, so that the
	// value times the weight is the distance of a point.
	weight float64
}

// newConstraint is the row over the unknowns less their lower bounds.
func newConstraint(row, lower []int64) constraint {
	last := len(row) - 1
	c := constraint{constant: row[last]}
	square, sum := 0.0, 0.0
	for k, v := range row[:last] {
		if v != 0 {
			c.unknowns = append(c.unknowns, k)
			c.coefficients = append(c.coefficients, plus(v, 0))
			c.constant = plus(c.constant, times(v, lower[k]))
			square += float64(v) * float64(v)
			sum += math.Abs(float64(v))
		}
	}
	_, c.bits = math.Frexp(sum + math.Abs(float64(c.constant)))
	c.bits++
	c.weight = 1 / math.Sqrt(square)
	return c
}

// boundsResult says what the bounds of the unknowns are like.
type boundsResult int

const (
	bounded boundsResult = iota
	unboundedBelow
	contradictory
)

// newTableau is the tableau whose parameters are the unknowns less their lower
// bounds.
func newTableau(p *Problem, w *work) (*tableau, boundsResult) {
	n := len(p.Unknowns)
	t := &tableau{work: w, columns: n, inequalities: make([][]constraint, n), least: make([]int64, n), point: make([]int64, n),
		row: make([]int64, n+1), denominators: slices.Repeat([]int64{1}, n)}
	t.lower, t.upper = p.box()
	if slices.Contains(t.lower, -unbounded) {
		return nil, unboundedBelow
	}
	entries := make([]int64, n*(n+1))
	for k := range n {
		t.rows = append(t.rows, entries[k*(n+1):(k+1)*(n+1)])
		t.rows[k][k+1] = 1
		if t.upper[k] < unbounded {
			t.upper[k] = plus(t.upper[k], -t.lower[k])
		}
		if t.upper[k] < 0 {
			return nil, contradictory
		}
	}
	for _, row := range p.Equalities {
		t.equalities = append(t.equalities, newConstraint(row, t.lower))
	}
	for _, row := range p.Inequalities {
		c := newConstraint(tightened(row), t.lower)
		if len(c.unknowns) == 0 && c.constant < 0 {
			return nil, contradictory
		}
		if len(c.unknowns) > 1 {
			last := c.unknowns[len(c.unknowns)-1]
			t.inequalities[last] = append(t.inequalities[last], c)
		}
	}
	return t, bounded
}

// locate computes the point, over the common denominator of all unknowns.
func (t *tableau) locate() {
	t.scale = 1
	for k, d := range t.denominators {
		if d != 1 {
			d /= integer.GCD(d, t.rows[k][0])
			t.scale = times(t.scale, d/integer.GCD(d, t.scale))
		}
	}
	for k, d := range t.denominators {
		common := integer.GCD(d, t.rows[k][0])
		t.point[k] = times(t.rows[k][0]/common, t.scale/(d/common))
	}
}

// violated puts the row of a constraint that the point violates into t.row, and
// returns its denominator; ok is false when the point satisfies all constraints.
// Of the violated ones it takes those about the fewest unknowns from the first
// on: so the first unknowns, which count most, have their final values early.
// Among these it takes the one that is furthest from the point.
func (t *tableau) violated() (denominator int64, ok bool) {
	size := size(t.point) + bits.Len64(uint64(t.scale))
	for ; t.settled < len(t.rows); t.settled++ {
		distance := t.beyondBound(t.settled)
		c := t.furthest(t.inequalities[t.settled], distance, size)
		switch {
		case c != nil:
			return t.tighten(t.express(c)), true
		case distance < 0:
			return t.tighten(t.expressBound(t.settled)), true
		}
	}
	return 0, false
}

// beyondBound is how far the point is beyond a bound of an unknown, negative and
// times the scale; 0 when it is not.
func (t *tableau) beyondBound(unknown int) float64 {
	value := plus(t.point[unknown], -times(t.least[unknown], t.scale))
	if value > 0 && t.upper[unknown] < unbounded {
		value = plus(times(t.upper[unknown], t.scale), -t.point[unknown])
	}
	return float64(min(value, 0))
}

// furthest is the inequality that is furthest from the point, of the given size,
// if it is further than the distance, or nil.
func (t *tableau) furthest(inequalities []constraint, distance float64, size int) *constraint {
	var worst *constraint
	for i := range inequalities {
		c := &inequalities[i]
		if value := t.value(c, c.bits+size < 63); value < 0 && float64(value)*c.weight < distance {
			worst, distance = c, float64(value)*c.weight
		}
	}
	return worst
}

// value is the value of a constraint at the point, times the scale; small says
// that it cannot overflow.
func (t *tableau) value(c *constraint, small bool) int64 {
	if small {
		sum := c.constant * t.scale
		for i, k := range c.unknowns {
			sum += c.coefficients[i] * t.point[k]
		}
		return sum
	}
	sum := times(c.constant, t.scale)
	for i, k := range c.unknowns {
		sum = plus(sum, times(c.coefficients[i], t.point[k]))
	}
	return sum
}

// expressBound computes the row of the bound that an unknown is beyond, and
// returns its denominator.
func (t *tableau) expressBound(k int) int64 {
	t.row = t.row[:t.columns+1]
	copy(t.row, t.rows[k])
	if t.row[0] > times(t.least[k], t.denominators[k]) {
		negate(t.row)
		t.row[0] = plus(t.row[0], times(t.upper[k], t.denominators[k]))
	} else {
		t.row[0] = plus(t.row[0], -times(t.least[k], t.denominators[k]))
	}
	return t.denominators[k]
}

// tighten divides a row without a denominator by the greatest common divisor of
// its coefficients and rounds the constant down.
func (t *tableau) tighten(denominator int64) int64 {
	if denominator != 1 {
		return denominator
	}
	divisor := int64(0)
	for _, v := range t.row[1:] {
		if divisor = integer.GCD(divisor, v); divisor == 1 {
			return 1
		}
	}
	if divisor > 1 {
		t.row[0] = integer.FloorDivide(t.row[0], divisor)
		for i, v := range t.row[1:] {
			t.row[i+1] = v / divisor
		}
	}
	return 1
}
