package scop

import "math/big"

// Orthogonal returns an integer basis of the rows orthogonal to all given
// rows of n columns: H⊥ of section 3.2 of the Pluto+ paper. For rows (1, 1, 0)
// it is (1, -1, 0), (0, 0, 1). The first non-zero entry of each is positive.
func Orthogonal(rows [][]int64, n int) [][]int64 {
	reduced, pivots := RowEchelon(rows, n)
	var basis [][]int64
	for free := range n {
		if _, isPivot := pivots[free]; isPivot {
			continue
		}
		vector := make([]*big.Rat, n)
		for k := range vector {
			vector[k] = new(big.Rat)
		}
		vector[free].SetInt64(1)
		for column, r := range pivots {
			vector[column].Neg(reduced[r][free])
		}
		basis = append(basis, firstPositive(integral(vector)))
	}
	return basis
}

// integral scales a rational vector to the shortest integer one.
func integral(vector []*big.Rat) []int64 {
	denominator := big.NewInt(1)
	for _, v := range vector {
		gcd := new(big.Int).GCD(nil, nil, denominator, v.Denom())
		denominator.Mul(denominator, new(big.Int).Quo(v.Denom(), gcd))
	}
	result := make([]int64, len(vector))
	for k, v := range vector {
		scaled := new(big.Int).Mul(v.Num(), new(big.Int).Quo(denominator, v.Denom()))
		result[k] = scaled.Int64()
	}
	return result
}

// firstPositive negates the vector when its first non-zero entry is negative.
func firstPositive(vector []int64) []int64 {
	for _, v := range vector {
		if v > 0 {
			return vector
		}
		if v < 0 {
			break
		}
	}
	for k := range vector {
		vector[k] = -vector[k]
	}
	return vector
}
