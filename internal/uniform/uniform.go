// Package uniform draws from sets whose sizes need more than 64 bits.
package uniform

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Below draws a number from 0 to n-1, each with the same probability. n is
// positive.
func Below(random *rand.Rand, n *big.Int) *big.Int {
	words := make([]big.Word, len(n.Bits()))
	unused := uint(len(words)*bits.UintSize - n.BitLen())
	for {
		for i := range words {
			words[i] = big.Word(random.Uint64())
		}
		words[len(words)-1] >>= unused
		if drawn := new(big.Int).SetBits(slices.Clone(words)); drawn.Cmp(n) < 0 {
			return drawn
		}
	}
}

// Index draws an index of counts, each with a probability in proportion to its
// count. Not all are zero.
func Index(random *rand.Rand, counts []*big.Int) int {
	total := new(big.Int)
	for _, count := range counts {
		total.Add(total, count)
	}
	place := Below(random, total)
	for i, count := range counts {
		if place.Sub(place, count); place.Sign() < 0 {
			return i
		}
	}
	return len(counts) - 1
}
