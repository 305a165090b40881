package space

import (
	"iter"
	"math/big"
)

// binomials are Pascal's triangle.
type binomials [][]*big.Int

func binomialsUpTo(n int) binomials {
	rows := make(binomials, n+1)
	for m := range rows {
		rows[m] = make([]*big.Int, m+1)
		for k := range rows[m] {
			rows[m][k] = big.NewInt(1)
			if 0 < k && k < m {
				rows[m][k].Add(rows[m-1][k-1], rows[m-1][k])
			}
		}
	}
	return rows
}

// merging is a way to make classes of those of two independent groups of
// statements: a class of the first group and one of the second may become one.
type merging struct {
	// first and second are the numbers of classes of the groups, together
	// the number that they become; the larger is at most, and their sum at
	// least, that number.
	first, second, together int
	// count is the number of partitions that are merged so.
	count *big.Int
}

// merges yields all numbers of classes that two groups with the given counts
// can be merged with. Weak orders with a and b classes merge into m classes in
// C(m, a)·C(a, a+b-m) ways: a of the m places have a class of the first
// group; the m-a others have one of the second, and so have a+b-m of the a.
func (c *counter) merges(first, second []*big.Int) iter.Seq[merging] {
	return func(yield func(merging) bool) {
		for a := range first {
			for b := range second {
				pairs := new(big.Int).Mul(first[a], second[b])
				if pairs.Sign() == 0 {
					continue
				}
				for m := max(a, b); m <= a+b; m++ {
					ways := new(big.Int).Mul(c.binomials[m][a], c.binomials[a][a+b-m])
					if !yield(merging{a, b, m, ways.Mul(ways, pairs)}) {
						return
					}
				}
			}
		}
	}
}
