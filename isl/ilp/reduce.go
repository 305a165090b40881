package ilp

import (
	"slices"

	"polytune/internal/integer"
)

// reduced is the problem without constraints that others imply, as far as
// that can be seen from two constraints at a time. Farkas' lemma yields one
// constraint per vertex of a cone: most of them are multiples of each other or
// weaker than another for non-negative unknowns, and integer cuts are made
// from all that are left.
func (p *Problem) reduced() *Problem {
	lower, upper := p.box()
	bounds := &Problem{Unknowns: p.Unknowns}
	for k := range p.Unknowns {
		if lower[k] > -unbounded {
			bounds.AtLeast(k, lower[k])
		}
		if upper[k] < unbounded {
			bounds.AtMost(k, upper[k])
		}
	}
	var rows [][]int64
	for _, row := range p.Inequalities {
		if row = tightened(row); !isBound(row) && minimum(row, lower, upper) < 0 {
			rows = append(rows, row)
		}
	}
	return &Problem{Unknowns: p.Unknowns, Equalities: p.Equalities,
		Inequalities: append(bounds.Inequalities, undominated(rows, lower)...)}
}

// unbounded stands for the missing end of an unknown's interval.
const unbounded = int64(1) << 62

// box is the interval of each unknown, as far as constraints on that unknown
// alone give one.
func (p *Problem) box() (lower, upper []int64) {
	lower = slices.Repeat([]int64{-unbounded}, len(p.Unknowns))
	upper = slices.Repeat([]int64{unbounded}, len(p.Unknowns))
	for _, row := range p.Inequalities {
		if row = tightened(row); !isBound(row) {
			continue
		}
		k := slices.IndexFunc(row, func(v int64) bool { return v != 0 })
		if constant := row[len(row)-1]; row[k] > 0 {
			lower[k] = max(lower[k], -constant)
		} else {
			upper[k] = min(upper[k], constant)
		}
	}
	return lower, upper
}

// tightened is the row divided by the greatest common divisor of its
// coefficients, with the constant rounded down: the same integer points.
func tightened(row []int64) []int64 {
	last := len(row) - 1
	divisor := int64(0)
	for _, v := range row[:last] {
		divisor = integer.GCD(divisor, v)
	}
	if divisor <= 1 {
		return row
	}
	smaller := make([]int64, len(row))
	for k, v := range row[:last] {
		smaller[k] = v / divisor
	}
	smaller[last] = integer.FloorDivide(row[last], divisor)
	return smaller
}

// isBound says whether the row, divided by its divisor, constrains one
// unknown alone.
func isBound(row []int64) bool {
	unknowns := 0
	for _, v := range row[:len(row)-1] {
		if v != 0 {
			unknowns++
		}
	}
	return unknowns == 1
}

// minimum is the smallest value of the row in the box, or -unbounded where
// the box has no end in the direction that counts, or numbers are large.
func minimum(row, lower, upper []int64) int64 {
	last := len(row) - 1
	sum := row[last]
	for k, v := range row[:last] {
		end := lower[k]
		if v < 0 {
			end = upper[k]
		}
		if v != 0 && (end == unbounded || end == -unbounded || !addProduct(&sum, v, end, unbounded)) {
			return -unbounded
		}
	}
	return sum
}

// undominated are the rows that no other row implies by a difference with
// non-negative coefficients of unknowns that are themselves at least zero. Of
// equal rows the first stays.
func undominated(rows [][]int64, lower []int64) [][]int64 {
	var kept [][]int64
	for _, row := range rows {
		if slices.ContainsFunc(kept, func(other []int64) bool { return implies(other, row, lower) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(other []int64) bool { return implies(row, other, lower) })
		kept = append(kept, row)
	}
	return kept
}

// implies says whether weaker - row is non-negative for all unknowns that are
// at least their lower bounds, none of which is negative.
func implies(row, weaker, lower []int64) bool {
	last := len(row) - 1
	for k := range row {
		if weaker[k] < row[k] || weaker[k] > row[k] && k < last && lower[k] < 0 {
			return false
		}
	}
	return true
}
