package integer

import (
	"math"
	"testing"
)

func TestFloorDivide(t *testing.T) {
	for a := int64(-12); a <= 12; a++ {
		for b := int64(-5); b <= 5; b++ {
			if b == 0 {
				continue
			}
			if got, want := FloorDivide(a, b), int64(math.Floor(float64(a)/float64(b))); got != want {
				t.Errorf("floor(%d / %d) is %d, not %d", a, b, want, got)
			}
		}
	}
}

func TestGCD(t *testing.T) {
	for a := int64(-12); a <= 12; a++ {
		for b := int64(-12); b <= 12; b++ {
			want := int64(0)
			for d := int64(1); d <= 12; d++ {
				if (a != 0 || b != 0) && a%d == 0 && b%d == 0 {
					want = d
				}
			}
			if got := GCD(a, b); got != want {
				t.Errorf("the greatest common divisor of %d and %d is %d, not %d", a, b, want, got)
			}
		}
	}
}
