package byhand

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/schedule"
	variants "polytune/space/variant"
)

// modelWord is the value of a hole that the models fill, or a proof.
const modelWord = "model"

// Axes are the recipe's holes as axes of a search: hole.1, hole.2, in the order in which they stand
// there. Those of a command that is one of several are there where it is chosen. Those that choices
// fix have one value.
func (r *Recipe) Axes(fixed Choices) (axes []variants.Axis) {
	add := func(number int, about string, values []int64, when variants.Condition) {
		axis := variants.Axis{Name: holeName(number), About: about, When: when}
		chosen, isFixed := fixed[number]
		switch {
		case isFixed:
			axis.Values, axis.Default = variants.Ladder(chosen), variants.Integer(chosen)
		case len(values) == 0:
			axis.Values, axis.Default = variants.Words(modelWord), variants.Word(modelWord)
		default:
			ascending := slices.Sorted(slices.Values(values))
			axis.Values, axis.Default = variants.Ladder(ascending...), variants.Integer(values[0])
		}
		axes = append(axes, axis)
	}
	for _, line := range r.Script.Lines {
		all := r.holes()
		if line.Choice > 0 {
			add(line.Choice, fmt.Sprintf("which command line %d is", line.Number), all[line.Choice], nil)
		}
		for k, option := range line.Options {
			var when variants.Condition
			if chosen, isFixed := fixed[line.Choice]; line.Choice > 0 && isFixed && chosen != int64(k+1) {
				continue
			} else if line.Choice > 0 {
				when = variants.Is(holeName(line.Choice), variants.Integer(int64(k+1)))
			}
			for _, hole := range option.Holes {
				add(hole.Number, about(line.Line), hole.Values, when)
			}
		}
	}
	return axes
}

// about says where a hole is.
func about(line schedule.Line) string { return fmt.Sprintf("a number in line %d", line.Number) }

// Choose adds the choice for a hole that the text of an axis' value says.
func (r *Recipe) Choose(choices Choices, axis, value string) {
	number, err := strconv.Atoi(strings.TrimPrefix(axis, "hole."))
	chosen, failed := strconv.ParseInt(value, 10, 64)
	if err == nil && failed == nil {
		choices[number] = chosen
	}
}
