package transform

import "polytune/schedule"

// combination is the sum of multiples of two rows of one statement.
func combination(factor int64, row schedule.Row, otherFactor int64, other schedule.Row) schedule.Row {
	sum := schedule.Row{
		Iterators:  make([]int64, len(row.Iterators)),
		Parameters: make([]int64, len(row.Parameters)),
		Constant:   factor*row.Constant + otherFactor*other.Constant,
	}
	addMultiple(sum.Iterators, factor, row.Iterators)
	addMultiple(sum.Iterators, otherFactor, other.Iterators)
	addMultiple(sum.Parameters, factor, row.Parameters)
	addMultiple(sum.Parameters, otherFactor, other.Parameters)
	return sum
}

// addMultiple adds a multiple of a vector to a sum.
func addMultiple(sum []int64, factor int64, vector []int64) {
	for k, v := range vector {
		sum[k] += factor * v
	}
}
