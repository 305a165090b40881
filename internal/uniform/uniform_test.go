package uniform

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Every number below n, and none else, comes about as often as the others:
// within 5 standard deviations.
func TestBelow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int64{1, 2, 3, 7, 8, 9} {
		const draws = 9000
		counts := make([]int, n)
		for range draws {
			counts[Below(random, big.NewInt(n)).Int64()]++
		}
		checkCounts(t, counts, func(int) float64 { return draws / float64(n) })
	}
}

// Numbers of more than one word are spread over the whole range.
func TestBelowLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	n := new(big.Int).Lsh(big.NewInt(5), 130)
	fifth := new(big.Int).Lsh(big.NewInt(1), 130)
	counts := make([]int, 5)
	for range 5000 {
		counts[new(big.Int).Div(Below(random, n), fifth).Int64()]++
	}
	checkCounts(t, counts, func(int) float64 { return 1000 })
}

func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	weights := []*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(5), big.NewInt(0), big.NewInt(2)}
	counts := make([]int, len(weights))
	for range 8000 {
		counts[Index(random, weights)]++
	}
	checkCounts(t, counts, func(k int) float64 { return 1000 * float64(weights[k].Int64()) })
}

func checkCounts(t *testing.T, counts []int, expected func(k int) float64) {
	t.Helper()
	for k, n := range counts {
		want := expected(k)
		if difference := float64(n) - want; difference*difference > 25*want {
			t.Errorf("%d was drawn %d times; about %.0f were expected: %v", k, n, want, counts)
		}
	}
}
