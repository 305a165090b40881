package schedule

import (
	"fmt"
	"strconv"

	"polytune/internal/pattern"
)

const (
	// MaxFactor bounds the factors of iterators and parameters in rows, and those of skewing. The
	// models' are up to 1023.
	MaxFactor = 1 << 16
	// MaxCount bounds sizes of tiles, of blocks and of vectors, and numbers of loops: what code
	// grows with.
	MaxCount = 1 << 31
	// MaxNumber bounds shifts, bytes, and iterations from which on threads pay.
	MaxNumber = 1 << 62
)

// numberText is a number that is not part of a name, and the first letter of the name behind it of
// which it is a factor.
var numberText = pattern.New(`(?:^|[^\w.])(\d+)(?:\s*\*?\s*([A-Za-z_]))?`)

// checkNumbers refuses a command with a number beyond its bound.
func (s *Spec) checkNumbers(rest string) error {
	for _, match := range numberText.FindAllStringSubmatch(rest, -1) {
		limit, what := s.most(), "a number"
		if s.HasRows() && match[2] != "" {
			limit, what = MaxFactor, "a factor"
		}
		if number, err := strconv.ParseUint(match[1], 10, 64); err != nil || number > limit {
			return fmt.Errorf("%s is too large: %s here is %d at most", match[1], what, limit)
		}
	}
	return nil
}
