package schedule

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"polytune/scop"
)

const (
	// maxFactor bounds the factors of iterators and parameters in rows, and those of skewing. The models' are up to 1023.
	maxFactor = 1 << 16
	// maxCount bounds sizes of tiles, of blocks and of vectors, and numbers of loops: what code grows with.
	maxCount = 1 << 31
	// maxNumber bounds shifts, bytes, and iterations from which on threads pay.
	maxNumber = 1 << 62
	// SmallFactor is the largest factor of an iterator with which isl is quick. With two rows of larger ones loops have strides
	// that it can need minutes for.
	SmallFactor = 32
)

// numberText is a number that is not part of a name, and the first letter of the name behind it of which it is a factor.
var numberText = regexp.MustCompile(`(?:^|[^\w.])(\d+)\s*\*?\s*([A-Za-z_])?`)

// checkNumbers refuses a command with a number beyond its bound.
func (s *Spec) checkNumbers(rest string) error {
	for _, match := range numberText.FindAllStringSubmatch(rest, -1) {
		limit, what := cmp.Or(s.Most, maxCount), "a number"
		if s.hasRows() && match[2] != "" {
			limit, what = maxFactor, "a factor"
		}
		if number, err := strconv.ParseUint(match[1], 10, 64); err != nil || number > limit {
			return fmt.Errorf("%s is too large: %s here is %d at most", match[1], what, limit)
		}
	}
	return nil
}

// LargeFactors is what to say of the first command whose rows have a factor above SmallFactor, where isl needs too long for why; nil
// when there is none.
func (r Recipe) LargeFactors(p *scop.Program, why error) error {
	isLarge := func(factor int64) bool { return factor > SmallFactor || factor < -SmallFactor }
	for k, command := range r {
		var rows []map[int]Row
		switch c := command.(type) {
		case Band:
			rows = c.Rows
		case Diamond:
			rows = []map[int]Row{c.Rows}
		}
		for _, byStatement := range rows {
			for _, row := range byStatement {
				if slices.ContainsFunc(row.Iterators, isLarge) {
					return &CommandError{Line: k + 1, Text: Text(command, p), Err: fmt.Errorf("with factors above %d: %w", SmallFactor, why)}
				}
			}
		}
	}
	return nil
}
