package isl

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSmallNumbers are numbers of all sizes around those that fit into one limb: what is done with
// them here is what GMP does, which stands behind.
func TestSmallNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() *big.Int {
		bits := []uint{0, 1, 2, 8, 31, 32, 33, 62, 63, 64, 65, 128, 200}[random.IntN(13)]
		n := new(big.Int).Lsh(big.NewInt(1), bits)
		if random.IntN(2) == 0 {
			n.Mul(big.NewInt(random.Int64N(1<<31)), big.NewInt(random.Int64N(1<<31)))
			n.Rsh(n, bits%63)
		}
		n.Add(n, big.NewInt(random.Int64N(5)-2))
		if random.IntN(2) == 0 {
			n.Neg(n)
		}
		return n
	}
	const divexact, floor = 5, 6
	for range 20000 {
		r, a, b := number(), number(), number()
		for operation := 0; ; operation++ {
			first := a
			if b.Sign() == 0 && (operation == divexact || operation == floor) {
				continue
			}
			if operation == divexact {
				first = new(big.Int).Mul(a, b)
			}
			agrees, isOne := agreesWithGMP(operation, r.String(), first.String(), b.String())
			if !isOne {
				break
			}
			if !agrees {
				t.Errorf("operation %d of %v and %v into %v is not GMP's", operation, first, b, r)
			}
		}
	}
}
