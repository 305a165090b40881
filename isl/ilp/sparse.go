package ilp

import (
	"encoding/binary"
	"math"
	"slices"

	"polytune/internal/integer"
)

// SparseRow is a row of a constraint over numbered unknowns: few of hundreds have
// a coefficient.
type SparseRow struct {
	// Terms are those with a coefficient, in the order of the unknowns. They are
	// never changed: rows may share them.
	Terms    []Term
	Constant int64
}

// Term is a coefficient, not zero, and the number of its unknown.
type Term struct {
	Unknown int
	Value   int64
}

// Sparse is the row with these coefficients and, last, the constant.
func Sparse(row []int64) SparseRow {
	last := len(row) - 1
	count := 0
	for _, v := range row[:last] {
		if v != 0 {
			count++
		}
	}
	s := SparseRow{make([]Term, 0, count), row[last]}
	for k, v := range row[:last] {
		if v != 0 {
			s.Terms = append(s.Terms, Term{k, v})
		}
	}
	return s
}

// Dense is the row over so many unknowns, with the constant last.
func (s SparseRow) Dense(unknowns int) []int64 {
	row := make([]int64, unknowns+1)
	for _, t := range s.Terms {
		row[t.Unknown] = t.Value
	}
	row[unknowns] = s.Constant
	return row
}

// scaled is the row times a factor.
func (s SparseRow) scaled(factor int64) SparseRow {
	row := SparseRow{make([]Term, len(s.Terms)), factor * s.Constant}
	for i, t := range s.Terms {
		row.Terms[i] = Term{t.Unknown, factor * t.Value}
	}
	return row
}

// divided is the row divided by a divisor of its coefficients, with the constant
// rounded down.
func (s SparseRow) divided(divisor int64) SparseRow {
	if divisor == 1 {
		return s
	}
	row := SparseRow{make([]Term, len(s.Terms)), integer.FloorDivide(s.Constant, divisor)}
	for i, t := range s.Terms {
		row.Terms[i] = Term{t.Unknown, t.Value / divisor}
	}
	return row
}

// divisor is the greatest common divisor of the coefficients, zero when there
// are none.
func (s SparseRow) divisor() (divisor int64) {
	for _, t := range s.Terms {
		if divisor = integer.GCD(divisor, t.Value); divisor == 1 {
			break
		}
	}
	return divisor
}

// last is the last term.
func (s SparseRow) last() Term { return s.Terms[len(s.Terms)-1] }

// mentions says whether an unknown has a coefficient.
func (s SparseRow) mentions(unknown int) bool {
	return slices.ContainsFunc(s.Terms, func(t Term) bool { return t.Unknown == unknown })
}

// AppendKey appends a text that tells the coefficients, times a sign, apart from
// others.
func (s SparseRow) AppendKey(key []byte, sign int64) []byte {
	for _, t := range s.Terms {
		key = binary.AppendUvarint(key, uint64(t.Unknown))
		key = binary.AppendVarint(key, sign*t.Value)
	}
	return key
}

// largestEntry bounds the numbers in rows that others are added to.
const largestEntry = 1 << 56

func isLarge(v int64) bool { return v > largestEntry || v < -largestEntry }

// plus is the row with multiples of others in the place of unknowns: value tells
// which row stands for which, by number; ok is false when numbers become large.
// sum has a zero for each unknown, and does so again afterwards.
func (s SparseRow) plus(value []*SparseRow, sum []int64) (row SparseRow, ok bool) {
	if !slices.ContainsFunc(s.Terms, func(t Term) bool { return value[t.Unknown] != nil }) {
		return s, true
	}
	ok = true
	row.Constant = s.Constant
	var touched []int
	for _, t := range s.Terms {
		other := value[t.Unknown]
		if other == nil {
			other = &SparseRow{Terms: []Term{{t.Unknown, 1}}}
		}
		for _, o := range other.Terms {
			touched = append(touched, o.Unknown)
			ok = addProduct(&sum[o.Unknown], t.Value, o.Value, largestEntry) && ok
		}
		ok = addProduct(&row.Constant, t.Value, other.Constant, largestEntry) && ok
	}
	slices.Sort(touched)
	for _, k := range slices.Compact(touched) {
		if sum[k] != 0 {
			row.Terms = append(row.Terms, Term{k, sum[k]})
			sum[k] = 0
		}
	}
	return row, ok
}

// addProduct adds a·b to a sum; false says that the numbers are larger than the
// limit, at most 1 << 62, and nothing was added.
func addProduct(sum *int64, a, b, limit int64) bool {
	if math.Abs(float64(a)*float64(b))+math.Abs(float64(*sum)) > float64(limit) {
		return false
	}
	*sum += a * b
	return true
}
