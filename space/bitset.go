package space

import (
	"math/bits"
	"slices"
	"strings"
)

// bitset is a set of small numbers. All sets that meet have the same length.
type bitset []uint64

func newBitset(capacity int, members ...int) bitset {
	s := make(bitset, (capacity+63)/64)
	for _, m := range members {
		s.add(m)
	}
	return s
}

func (s bitset) add(m int)           { s[m/64] |= 1 << (m % 64) }
func (s bitset) remove(m int)        { s[m/64] &^= 1 << (m % 64) }
func (s bitset) contains(m int) bool { return s[m/64]>>(m%64)&1 != 0 }

// with is s and the given members, as a new set.
func (s bitset) with(members ...int) bitset {
	t := slices.Clone(s)
	for _, m := range members {
		t.add(m)
	}
	return t
}

func (s bitset) isEmpty() bool {
	for _, word := range s {
		if word != 0 {
			return false
		}
	}
	return true
}

// size is the number of members.
func (s bitset) size() int {
	count := 0
	for _, word := range s {
		count += bits.OnesCount64(word)
	}
	return count
}

func (s bitset) isSubset(t bitset) bool {
	for i, word := range s {
		if word&^t[i] != 0 {
			return false
		}
	}
	return true
}

func (s bitset) union(t bitset) bitset {
	either := slices.Clone(s)
	for i := range either {
		either[i] |= t[i]
	}
	return either
}

func (s bitset) intersect(t bitset) bitset {
	both := slices.Clone(s)
	for i := range both {
		both[i] &= t[i]
	}
	return both
}

func (s bitset) without(t bitset) bitset {
	rest := slices.Clone(s)
	for i := range rest {
		rest[i] &^= t[i]
	}
	return rest
}

func (s bitset) members() []int {
	var list []int
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(word))
		}
	}
	return list
}

// key is a string that two sets share exactly when they are equal.
func (s bitset) key() string {
	var b strings.Builder
	for _, word := range s {
		for shift := 0; shift < 64; shift += 8 {
			b.WriteByte(byte(word >> shift))
		}
	}
	return b.String()
}
