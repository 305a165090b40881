package transform

import "polytune/schedule"

// combination is the sum of multiples of two rows of one statement.
func combination(factor int64, row schedule.Row, otherFactor int64, other schedule.Row) schedule.Row {
	zero := schedule.Row{Iterators: make([]int64, len(row.Iterators)), Parameters: make([]int64, len(row.Parameters))}
	return zero.Plus(row, factor).Plus(other, otherFactor)
}
