package space

import "slices"

// smallRow is a row; loops that its statement does not have count 0 times.
type smallRow [mostLoops]int64

func (r smallRow) at(iterators smallRow) (value int64) {
	for k, c := range r {
		value += c * iterators[k]
	}
	return value
}

// cross is the vector product: 0 for linearly dependent rows, and otherwise
// what is at right angles to both.
func (r smallRow) cross(o smallRow) smallRow {
	return smallRow{r[1]*o[2] - r[2]*o[1], r[2]*o[0] - r[0]*o[2], r[0]*o[1] - r[1]*o[0]}
}

// smallSpan is what some rows span; equal spans of rows with coefficients 0
// and 1 are equal values.
type smallSpan struct {
	rank int
	// inside are the rows with coefficients 0 and 1 that are in it, each as
	// the bit whose number has the coefficients as digits.
	inside uint8
}

// binaryRow is the row whose coefficients are the digits of a number.
func binaryRow(number int) (row smallRow) {
	for k := range row {
		row[k] = int64(number >> k & 1)
	}
	return row
}

func (s smallSpan) rows() (rows []smallRow) {
	for number := range 8 {
		if s.inside>>number&1 == 1 {
			rows = append(rows, binaryRow(number))
		}
	}
	return rows
}

// spanOf is the span of rows with coefficients 0 and 1.
func spanOf(rows []smallRow) smallSpan {
	s := smallSpan{rank: rankOf(rows)}
	for number := range 8 {
		if rankOf(append(slices.Clip(rows), binaryRow(number))) == s.rank {
			s.inside |= 1 << number
		}
	}
	return s
}

func (s smallSpan) with(row smallRow) smallSpan { return spanOf(append(s.rows(), row)) }

// rankOf is the number of linearly independent rows, found by trying volumes,
// areas and lengths.
func rankOf(rows []smallRow) int {
	rank, none := 0, smallRow{}
	for i, a := range rows {
		if a != none {
			rank = max(rank, 1)
		}
		for j, b := range rows[:i] {
			normal := a.cross(b)
			if normal == none {
				continue
			}
			rank = max(rank, 2)
			for _, c := range rows[:j] {
				if normal.at(c) != 0 {
					return 3
				}
			}
		}
	}
	return rank
}

// rowsQuestion asks for the rows of a statement with coefficients up to
// largest that are linearly independent of those that span something.
type rowsQuestion struct {
	depth   int
	span    smallSpan
	largest int64
}

// independentRows answers a rowsQuestion about a statement. When all its loops
// are used up there is the row 0.
func (o *nestOracle) independentRows(statement int, span smallSpan, largest int64) []smallRow {
	question := rowsQuestion{o.depths[statement], span, largest}
	if span.rank == question.depth {
		return []smallRow{{}}
	}
	list, known := o.foundRows[question]
	if !known {
		for _, row := range smallRows(question.depth, largest) {
			padded := smallRow{}
			copy(padded[:], row)
			if rankOf(append(span.rows(), padded)) > span.rank {
				list = append(list, padded)
			}
		}
		o.foundRows[question] = list
	}
	return list
}
