package transform

import (
	"math"

	"polytune/scop"
)

// contradicts says that the program's equalities alone leave some statement no
// row that is independent of those found: every vector of H⊥ is zero on all
// their solutions. It saves an integer program, mostly where no loop is parallel:
// the relaxation of (14), (15) and (17) has solutions whatever the coefficients
// are, and isl would have to cut them off one by one. False says nothing.
func (h *hyperplanes) contradicts(q question) bool {
	if q.lazy {
		return false
	}
	var e echelon
	for _, c := range h.program.constraints {
		if c.equality && !e.add(c.row) {
			return false
		}
	}
	for _, s := range q.statements {
		of := h.of[s]
		basis := scop.Orthogonal(h.overTimes(s, q.found[s]), len(of.c))
		free := len(basis) == 0
		for _, vector := range basis {
			row := h.program.newRow()
			for k, unknown := range of.c {
				row[unknown] = vector[k]
			}
			rest, ok := e.reduce(row)
			free = free || !ok || !isZeroRow(rest)
		}
		if !free {
			return true
		}
	}
	return false
}

// echelon is a set of independent integer rows, each zero in the pivot columns
// of those before it.
type echelon struct {
	rows   [][]int64
	pivots []int
}

// add adds a row; false says that numbers are too large.
func (e *echelon) add(row []int64) bool {
	rest, ok := e.reduce(row)
	if !ok {
		return false
	}
	for column, v := range rest {
		if v != 0 {
			e.rows, e.pivots = append(e.rows, rest), append(e.pivots, column)
			break
		}
	}
	return true
}

// reduce is a multiple of the row plus multiples of the set's, zero in all pivot
// columns; ok is false when numbers are too large.
func (e *echelon) reduce(row []int64) (rest []int64, ok bool) {
	rest = append([]int64{}, row...)
	for i, pivot := range e.pivots {
		factor := rest[pivot]
		if factor == 0 {
			continue
		}
		other := e.rows[i]
		divisor := int64(0)
		for k := range rest {
			rest[k] = rest[k]*other[pivot] - factor*other[k]
			if max(rest[k], -rest[k]) > math.MaxInt32 {
				return nil, false
			}
			divisor = greatestDivisor(divisor, rest[k])
		}
		for k := range rest {
			if divisor > 1 {
				rest[k] /= divisor
			}
		}
	}
	return rest, true
}

func isZeroRow(row []int64) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// greatestDivisor is the greatest common divisor, not negative.
func greatestDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
