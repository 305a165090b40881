package byhand

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"polytune/pipeline"
	"polytune/schedule"
	variants "polytune/space/variant"
	"polytune/transform"
)

// modelWord is the value of a hole that the models fill, or a proof.
const modelWord = "model"

// Axes are the recipe's holes as axes of a search: hole.1, hole.2, in the order in which they stand
// there. Those of a command that is one of several are there where it is chosen. Those that choices
// fix have one value.
func (r *Recipe) Axes(fixed Choices) (axes []variants.Axis) {
	add := func(number int, about string, values []int64, when variants.Condition) {
		axis := variants.Axis{Name: holeName(number), About: about, When: when}
		chosen, isFixed := fixed.Holes[number]
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
			if chosen, isFixed := fixed.Holes[line.Choice]; line.Choice > 0 && isFixed && chosen != int64(k+1) {
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

// CompletionAxes are axes of what the models make of what the recipe leaves open, as far as they
// change something, with the values that choices fix, and what that ties; none for recipes that the
// models do not complete.
func (r *Recipe) CompletionAxes(ctx context.Context, t *pipeline.Target, fixed Choices, options transform.Options) (axes []variants.Axis, ties []variants.Constraint, err error) {
	if r.Script.Complete == 0 {
		return nil, nil, nil
	}
	filled, err := r.Fill(ctx, t, Choices{Holes: fixed.Holes}, options)
	if err != nil {
		return nil, nil, err
	}
	if t.IsOnDevice() {
		axes, ties = transform.DeviceCompletionAxes(transform.SharedLoops(filled.Added))
		return axes, append(ties, fixedBy(axes, fixed)...), nil
	}
	probed := map[string][]schedule.Recipe{}
	for axis, text := range transform.Probes {
		if axis == transform.SumsAxis && !t.Unit.Program.MayReassociate() {
			probed[axis] = []schedule.Recipe{filled.Added}
			continue
		}
		setting, err := completions().Parse(text)
		if err != nil {
			return nil, nil, err
		}
		other, err := r.Fill(ctx, t, Choices{Holes: fixed.Holes, Models: setting}, options)
		if err != nil {
			return nil, nil, err
		}
		probed[axis] = []schedule.Recipe{other.Added}
	}
	axes = append(transform.OfferedAxes([]schedule.Recipe{filled.Added}, probed), transform.SizeAxes(transform.TiledLoops(filled.Added))...)
	if !slices.ContainsFunc(axes, func(a variants.Axis) bool { return a.Name == transform.TileAxis }) {
		axes = slices.DeleteFunc(axes, func(a variants.Axis) bool { return a.When != nil })
	}
	return axes, fixedBy(axes, fixed), nil
}

// fixedBy gives axes the values that choices fix, and ties them to these.
func fixedBy(axes []variants.Axis, fixed Choices) (ties []variants.Constraint) {
	for k, a := range axes {
		value, isFixed := fixed.Models[a.Name]
		if isFixed {
			axes[k].Default = value
			ties = append(ties, variants.Constraint{About: a.Name + " is chosen", Condition: variants.Is(a.Name, value)})
		}
	}
	return ties
}

// mostTiled is the number of loops of a band of which a setting may say the sizes of tiles.
const mostTiled = 8

// completions are all axes of what the models make of what recipes leave open, deviceCompletions
// those for devices.
var (
	completions = sync.OnceValue(func() *variants.Model {
		return modelOf(slices.Concat(transform.Axes(), transform.SizeAxes(mostTiled)), nil)
	})
	deviceCompletions = sync.OnceValue(func() *variants.Model {
		return modelOf(transform.DeviceCompletionAxes(transform.MostShared))
	})
)

func modelOf(axes []variants.Axis, constraints []variants.Constraint) *variants.Model {
	m, err := variants.New(axes, constraints)
	if err != nil {
		panic(err)
	}
	return m
}

// completionsFor are those for a target.
func completionsFor(t *pipeline.Target) *variants.Model {
	if t.IsOnDevice() {
		return deviceCompletions()
	}
	return completions()
}

// Choose adds the choice that the value of an axis is.
func (c *Choices) Choose(axis string, value variants.Value) {
	if hole, is := strings.CutPrefix(axis, holePrefix); is {
		number, err := strconv.Atoi(hole)
		chosen, failed := strconv.ParseInt(value.String(), 10, 64)
		if err == nil && failed == nil {
			c.Holes[number] = chosen
		}
		return
	}
	c.Models[axis] = value
}
