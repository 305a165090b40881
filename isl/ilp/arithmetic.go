package ilp

import (
	"math/big"
	"math/bits"

	"polytune/internal/integer"
)

// overflow is what the arithmetic of the simplex method panics with when a number
// does not fit; Simplex.search recovers from it and from nothing else.
type overflow struct{}

// largest bounds the absolute values of all numbers in tableaus, so that the sum
// of two does not overflow.
const largest = int64(1) << 62

// product is a·b in 128 bits, two's complement.
func product(a, b int64) (high int64, low uint64) {
	unsigned, low := bits.Mul64(uint64(a), uint64(b))
	high = int64(unsigned)
	if a < 0 {
		high -= b
	}
	if b < 0 {
		high -= a
	}
	return high, low
}

// times is a·b.
func times(a, b int64) int64 {
	if high, low := product(a, b); high != int64(low)>>63 || int64(low) >= largest || int64(low) <= -largest {
		panic(overflow{})
	}
	return a * b
}

// plus is a+b, for terms below largest.
func plus(a, b int64) int64 {
	sum := a + b
	if sum >= largest || sum <= -largest {
		panic(overflow{})
	}
	return sum
}

// productLess says whether a·b < c·d.
func productLess(a, b, c, d int64) bool {
	leftHigh, leftLow := product(a, b)
	rightHigh, rightLow := product(c, d)
	return leftHigh < rightHigh || leftHigh == rightHigh && leftLow < rightLow
}

// remainder is a modulo d, from 0 to d-1.
func remainder(a, d int64) int64 {
	if a %= d; a < 0 {
		a += d
	}
	return a
}

// size is the number of bits that the numbers of the row need, without the
// sign; one too many for some powers of two.
func size(row []int64) int {
	var together int64
	for _, v := range row {
		together |= v ^ v>>63
	}
	return bits.Len64(uint64(together)) + 1
}

// combine sets row to a·row + b·other.
func combine(row []int64, a int64, other []int64, b int64) {
	sum := max(size(row)+bits.Len64(uint64(max(a, -a))), size(other)+bits.Len64(uint64(max(b, -b)))) + 1
	switch {
	case sum > 61:
		for i, v := range other {
			row[i] = plus(times(a, row[i]), times(b, v))
		}
	case a == 1:
		for i, v := range other {
			row[i] += b * v
		}
	default:
		for i, v := range other {
			row[i] = a*row[i] + b*v
		}
	}
}

// normalised divides the row over a denominator by what they have in common, and
// returns the denominator that is left.
func normalised(row []int64, denominator int64) int64 {
	common := denominator
	for _, v := range row {
		if common == 1 {
			return denominator
		}
		if v != 0 {
			common = integer.GCD(common, v)
		}
	}
	for i := range row {
		row[i] /= common
	}
	return denominator / common
}

func negate(row []int64) {
	for i, v := range row {
		row[i] = -v
	}
}

// entriesPerWide is the number of entries that are computed in the time of one
// of combineWide.
const entriesPerWide = 20

// combineWide sets row to (a·row + b·other) / (a·denominator), divided by what
// they have in common, and returns the denominator that is left. Numbers on the
// way may be larger than those of tableaus.
func combineWide(row []int64, a int64, other []int64, b, denominator int64) int64 {
	sums := make([]big.Int, len(row)+1)
	var term, common big.Int
	left, right := big.NewInt(a), big.NewInt(b)
	for i := range row {
		sums[i].Mul(left, sums[i].SetInt64(row[i]))
		sums[i].Add(&sums[i], term.Mul(right, term.SetInt64(other[i])))
	}
	last := len(row)
	sums[last].Mul(left, sums[last].SetInt64(denominator))
	for i := range sums {
		common.GCD(nil, nil, &common, term.Abs(&sums[i]))
	}
	for i := range sums {
		if sums[i].Quo(&sums[i], &common); sums[i].BitLen() > 61 {
			panic(overflow{})
		}
		if i < last {
			row[i] = sums[i].Int64()
		}
	}
	return sums[last].Int64()
}
