package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop"
)

// SmallFactor is the largest factor of an iterator with which isl is quick. With two rows of larger
// ones loops have strides that it can need minutes for.
const SmallFactor = 32

// LargeFactors is what to say of the first command whose rows have a factor above SmallFactor,
// where isl needs too long for why; nil when there is none.
func LargeFactors(r schedule.Recipe, p *scop.Program, why error) error {
	isLarge := func(factor int64) bool { return factor > SmallFactor || factor < -SmallFactor }
	for k, command := range r {
		var rows []map[int]schedule.Row
		switch c := command.(type) {
		case Band:
			rows = schedule.RowsOf(c.Rows)
		case Diamond:
			rows = []map[int]schedule.Row{c.Rows}
		}
		for _, byStatement := range rows {
			for _, row := range byStatement {
				if slices.ContainsFunc(row.Iterators, isLarge) {
					return &schedule.CommandError{Line: k + 1, Text: schedule.Text(command, p), Err: fmt.Errorf("with factors above %d: %w", SmallFactor, why)}
				}
			}
		}
	}
	return nil
}
