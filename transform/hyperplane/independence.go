package hyperplane

import (
	"fmt"
	"math"

	"polytune/scop"
)

// addIndependence demands of a statement a row that is linearly independent of
// those found, and so not zero. A statement that has all its rows may have any.
func (h *hyperplanes) addIndependence(s int, found [][]int64) error {
	depth := len(h.of[s].c)
	basis := scop.Orthogonal(h.overTimes(s, found), depth)
	switch {
	case len(basis) == 0:
		return nil
	case h.model == Pluto:
		h.addNonZero(s)
		h.addOrthant(s, basis)
		return nil
	case len(basis) == depth:
		return h.addZeroAvoidance(s)
	}
	return h.addSignedIndependence(s, basis)
}

// overTimes are the rows over the iterators as rows over the times of a
// statement's loops.
func (h *hyperplanes) overTimes(s int, rows [][]int64) [][]int64 {
	over := make([][]int64, len(rows))
	for i, row := range rows {
		over[i] = make([]int64, len(row))
		for k, c := range row {
			over[i][k] = h.scop.Statements[s].Times[k].Iterators[k] * c
		}
	}
	return over
}

// addNonZero adds (13): Σ c_k >= 1, for non-negative coefficients.
func (h *hyperplanes) addNonZero(s int) {
	row := h.program.newRow()
	for _, unknown := range h.of[s].c {
		row[unknown] = 1
	}
	row[len(row)-1] = -1
	h.program.atLeastZero(h.about("(13)", s), row)
}

// addOrthant adds (16): every row of H⊥ is non-negative on the coefficients, and
// their sum positive.
func (h *hyperplanes) addOrthant(s int, basis [][]int64) {
	sum := h.program.newRow()
	sum[len(sum)-1] = -1
	for _, vector := range basis {
		row := h.program.newRow()
		for k, unknown := range h.of[s].c {
			row[unknown] = vector[k]
			sum[unknown] += vector[k]
		}
		h.program.atLeastZero(h.about("(16)", s), row)
	}
	h.program.atLeastZero(h.about("(16)", s), sum)
}

// addZeroAvoidance adds (14) and (15): the coefficients, read as digits to the
// base b+1, are not the number zero. The digit of the outermost loop counts
// most.
func (h *hyperplanes) addZeroAvoidance(s int) error {
	depth := len(h.of[s].c)
	return h.addNonZeroDigits("(14)", "(15)", s, scop.Orthogonal(nil, depth))
}

// addSignedIndependence adds (17) by the encoding of section 3.2: the values of
// the rows of H⊥, each bounded by b times the sum of its absolute entries,
// are the digits of a number that is not zero. This excludes the zero row too,
// so (14) and (15) are left out.
func (h *hyperplanes) addSignedIndependence(s int, basis [][]int64) error {
	return h.addNonZeroDigits("(17)", "(17)", s, basis)
}

// addNonZeroDigits demands that some vector is not zero on the coefficients of a
// statement. Their values are the digits of a number E, each to a base that is
// one more than the digit can be: |E| < M, the product of the bases, and E is
// zero only if all digits are. One binary variable says which sign it has:
//
//	E >= 1 - δ·M and -E >= 1 - (1 - δ)·M
func (h *hyperplanes) addNonZeroDigits(first, second string, s int, vectors [][]int64) error {
	of := h.of[s]
	positive, negative := h.program.newRow(), h.program.newRow()
	weight := int64(1)
	for i := len(vectors) - 1; i >= 0; i-- {
		largest := int64(0)
		for k, v := range vectors[i] {
			positive[of.c[k]] += weight * v
			negative[of.c[k]] -= weight * v
			largest += max(v, -v)
		}
		base := 1 + largest*h.bound.coefficient
		if weight > math.MaxInt32*int64(math.MaxInt16)/base {
			return fmt.Errorf("the coefficient bound %d is too large for the %d loops of %s; give a smaller one with --coefficient-bound", h.bound.coefficient, len(of.c), h.scop.Statements[s].Name)
		}
		weight *= base
	}
	last := len(positive) - 1
	positive[of.delta], positive[last] = weight, -1
	negative[of.delta], negative[last] = -weight, weight-1
	h.program.atLeastZero(h.about(first, s), positive)
	h.program.atLeastZero(h.about(second, s), negative)
	return nil
}

// addSum adds (18): c_sum >= ±c_1 ± … ± c_m for all choices of signs, so that
// its minimum is the sum of the absolute values.
func (h *hyperplanes) addSum(s int) {
	of := h.of[s]
	for signs := range 1 << len(of.c) {
		row := h.program.newRow()
		row[of.sum] = 1
		for k, unknown := range of.c {
			row[unknown] = int64(2*(signs>>k&1) - 1)
		}
		h.program.atLeastZero(h.about("(18)", s), row)
	}
}

// about is the label of a constraint about a statement.
func (h *hyperplanes) about(equation string, s int) string {
	return equation + " " + h.scop.Statements[s].Name
}
