package transform

import (
	"encoding/binary"
	"math"
	"slices"

	"polytune/internal/integer"
)

// sparseRow is a row of a constraint over numbered unknowns: few of hundreds have
// a coefficient.
type sparseRow struct {
	// terms are those with a coefficient, in the order of the unknowns. They are
	// never changed: rows may share them.
	terms    []term
	constant int64
}

// term is a coefficient, not zero, and the number of its unknown.
type term struct {
	unknown int
	value   int64
}

// sparseOf is the row with these coefficients and, last, the constant.
func sparseOf(row []int64) sparseRow {
	last := len(row) - 1
	count := 0
	for _, v := range row[:last] {
		if v != 0 {
			count++
		}
	}
	s := sparseRow{make([]term, 0, count), row[last]}
	for k, v := range row[:last] {
		if v != 0 {
			s.terms = append(s.terms, term{k, v})
		}
	}
	return s
}

// dense is the row over so many unknowns, with the constant last.
func (s sparseRow) dense(unknowns int) []int64 {
	row := make([]int64, unknowns+1)
	for _, t := range s.terms {
		row[t.unknown] = t.value
	}
	row[unknowns] = s.constant
	return row
}

// scaled is the row times a factor.
func (s sparseRow) scaled(factor int64) sparseRow {
	row := sparseRow{make([]term, len(s.terms)), factor * s.constant}
	for i, t := range s.terms {
		row.terms[i] = term{t.unknown, factor * t.value}
	}
	return row
}

// divided is the row divided by a divisor of its coefficients, with the constant
// rounded down.
func (s sparseRow) divided(divisor int64) sparseRow {
	if divisor == 1 {
		return s
	}
	row := sparseRow{make([]term, len(s.terms)), integer.FloorDivide(s.constant, divisor)}
	for i, t := range s.terms {
		row.terms[i] = term{t.unknown, t.value / divisor}
	}
	return row
}

// divisor is the greatest common divisor of the coefficients, zero when there
// are none.
func (s sparseRow) divisor() (divisor int64) {
	for _, t := range s.terms {
		if divisor = integer.GCD(divisor, t.value); divisor == 1 {
			break
		}
	}
	return divisor
}

// last is the last term.
func (s sparseRow) last() term { return s.terms[len(s.terms)-1] }

// mentions says whether an unknown has a coefficient.
func (s sparseRow) mentions(unknown int) bool {
	return slices.ContainsFunc(s.terms, func(t term) bool { return t.unknown == unknown })
}

// appendKey appends a text that tells the coefficients, times a sign, apart from
// others.
func (s sparseRow) appendKey(key []byte, sign int64) []byte {
	for _, t := range s.terms {
		key = binary.AppendUvarint(key, uint64(t.unknown))
		key = binary.AppendVarint(key, sign*t.value)
	}
	return key
}

// largestEntry bounds the numbers in rows that others are added to.
const largestEntry = 1 << 56

// plus is the row with multiples of others in the place of unknowns: value tells
// which row stands for which, by number; ok is false when numbers become large.
// sum has a zero for each unknown, and does so again afterwards.
func (s sparseRow) plus(value []*sparseRow, sum []int64) (row sparseRow, ok bool) {
	if !slices.ContainsFunc(s.terms, func(t term) bool { return value[t.unknown] != nil }) {
		return s, true
	}
	ok = true
	row.constant = s.constant
	var touched []int
	add := func(place *int64, factor, v int64) {
		if math.Abs(float64(factor)*float64(v))+math.Abs(float64(*place)) > largestEntry {
			ok = false
			return
		}
		*place += factor * v
	}
	for _, t := range s.terms {
		other := value[t.unknown]
		if other == nil {
			other = &sparseRow{terms: []term{{t.unknown, 1}}}
		}
		for _, o := range other.terms {
			touched = append(touched, o.unknown)
			add(&sum[o.unknown], t.value, o.value)
		}
		add(&row.constant, t.value, other.constant)
	}
	slices.Sort(touched)
	for _, k := range slices.Compact(touched) {
		if sum[k] != 0 {
			row.terms = append(row.terms, term{k, sum[k]})
			sum[k] = 0
		}
	}
	return row, ok
}
