package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// Slope is a rational number from 0 on, in lowest terms: how far a dependence goes along a loop,
// for each step of time.
type Slope struct{ Over, Under int64 }

// MostSlope bounds both parts of a slope: distances of stencils are small, and products of them
// with sizes stay far from overflowing.
const MostSlope = 1 << 10

// NewSlope is a fraction in lowest terms.
func NewSlope(over, under int64) Slope {
	a, b := over, under
	for b != 0 {
		a, b = b, a%b
	}
	return Slope{over / a, under / a}
}

// Floor is the largest integer that is at most n times the slope, n from 0 on.
func (s Slope) Floor(n int64) int64 { return s.Over * n / s.Under }

// Max is the larger one of two slopes.
func (s Slope) Max(o Slope) Slope {
	if o.Over*s.Under > s.Over*o.Under {
		return o
	}
	return s
}

// least is the smallest integer from s + {s n} - 1 on, with {x} the fractional part of x.
func (s Slope) least(n int64) int64 {
	over := s.Over + s.Over*n%s.Under - s.Under
	return max(0, (over+s.Under-1)/s.Under)
}

func (s Slope) String() string {
	if s.Under == 1 {
		return strconv.FormatInt(s.Over, 10)
	}
	return fmt.Sprintf("%d/%d", s.Over, s.Under)
}

// parseSlopes reads 1 0 3/2.
func parseSlopes(text string) ([]Slope, error) {
	var slopes []Slope
	for _, word := range strings.Fields(text) {
		over, under, isFraction := strings.Cut(word, "/")
		if !isFraction {
			under = "1"
		}
		a, errA := strconv.ParseInt(over, 10, 64)
		b, errB := strconv.ParseInt(under, 10, 64)
		if errA != nil || errB != nil || a < 0 || b < 1 || a > MostSlope || b > MostSlope {
			return nil, fmt.Errorf("%q is no slope: it is a number from 0 to %d, such as 1, or a fraction of such numbers, such as 3/2", word, MostSlope)
		}
		slopes = append(slopes, NewSlope(a, b))
	}
	return slopes, nil
}

func slopesText(slopes []Slope) string {
	return strings.Trim(fmt.Sprint(slopes), "[]")
}
