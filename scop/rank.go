package scop

import "math/big"

// Rank is the number of linearly independent rows.
func Rank(rows [][]int64, n int) int {
	_, pivots := RowEchelon(rows, n)
	return len(pivots)
}

// RowEchelon is the reduced row echelon form and, by column, the row of each
// pivot.
func RowEchelon(rows [][]int64, n int) ([][]*big.Rat, map[int]int) {
	m := make([][]*big.Rat, len(rows))
	for i, row := range rows {
		m[i] = make([]*big.Rat, n)
		for k := range n {
			m[i][k] = new(big.Rat).SetInt64(row[k])
		}
	}
	pivots := map[int]int{}
	next := 0
	for column := 0; column < n && next < len(m); column++ {
		pivot := -1
		for i := next; i < len(m); i++ {
			if m[i][column].Sign() != 0 {
				pivot = i
				break
			}
		}
		if pivot < 0 {
			continue
		}
		m[next], m[pivot] = m[pivot], m[next]
		eliminate(m, next, column)
		pivots[column] = next
		next++
	}
	return m, pivots
}

// eliminate scales row r so that its entry in the column is one, and clears
// the column in all other rows.
func eliminate(m [][]*big.Rat, r, column int) {
	inverse := new(big.Rat).Inv(m[r][column])
	for k := range m[r] {
		m[r][k].Mul(m[r][k], inverse)
	}
	for i := range m {
		if i == r || m[i][column].Sign() == 0 {
			continue
		}
		factor := new(big.Rat).Set(m[i][column])
		for k := range m[i] {
			m[i][k].Sub(m[i][k], new(big.Rat).Mul(factor, m[r][k]))
		}
	}
}

// Determines says whether rows over the n iterators of a statement determine
// the values of the outermost ones, count of them.
func Determines(rows [][]int64, n, count int) bool {
	all := Rank(rows, n)
	for k := range count {
		unit := make([]int64, n)
		unit[k] = 1
		if Rank(append(rows[:len(rows):len(rows)], unit), n) > all {
			return false
		}
	}
	return true
}
