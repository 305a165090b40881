package transform

import (
	"reflect"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/space/variant"
	"polytune/transform/hyperplane"
)

// Probes are texts of settings, one for each axis of which the recipes that the
// models make by default do not tell whether it matters, by the axis' name.
var Probes = map[string]string{
	ModelAxis:    ModelAxis + "=" + hyperplane.PlutoPlus.String(),
	orderAxis:    orderAxis + "=" + OrderScore.String(),
	insideAxis:   insideAxis + "=" + FuseMax.String(),
	DiamondAxis:  DiamondAxis + "=" + diamonds[1].name,
	collapseAxis: collapseAxis + "=" + variant.On.String(),
	SumsAxis:     SumsAxis + "=" + addings[AddAtomically],
	storesAxis:   storesAxis + "=" + storings[StoreStream],
}

// OfferedAxes are those of Axes that change something about a program, with the
// values that do, as far as some recipes of it tell. byDefault are those of the
// default setting, and probed, by axis, those of the same partitions with the
// setting of Probes; an axis that has not been probed is offered. Sizes matter
// where there are tiles, degrees where waves have more loops inside, and so on.
func OfferedAxes(byDefault []schedule.Recipe, probed map[string][]schedule.Recipe) []variant.Axis {
	width := 0
	for _, r := range byDefault {
		width = max(width, waveWidth(r))
	}
	has := func(is func(schedule.Command) bool) bool {
		return slices.ContainsFunc(byDefault, func(r schedule.Recipe) bool { return slices.ContainsFunc(r, is) })
	}
	matters := func(axis string) bool {
		recipes, known := probed[axis]
		return !known || !reflect.DeepEqual(recipes, byDefault)
	}
	tiles, skewed := has(is[command.Tile]), has(is[command.Skew])
	strips := has(is[command.Blocks])
	offered := map[string]bool{
		TileAxis:       tiles || strips,
		separateAxis:   has(is[command.Separate]),
		secondAxis:     tiles,
		parallelAxis:   has(is[command.Parallel]),
		wavefrontAxis:  width > 0 || has(is[command.Phases]),
		phasesAxis:     has(is[command.Phases]),
		vectorAxis:     has(is[command.Vectorize]) || has(is[command.Sink]) || has(is[command.Registers]),
		registersAxis:  has(hasLanes) || has(isUnrolled) && !skewed,
		interleaveAxis: skewed || has(isUnrolled),
		packAxis:       has(is[command.Pack]),
		aheadAxis:      has(asksAhead),
		contractAxis:   has(is[command.Contract]),
		delayAxis:      slices.ContainsFunc(byDefault, delays),
		scheduleAxis:   has(is[command.Parallel]) && tiles,
		collapseAxis:   has(is[command.Parallel]) && matters(collapseAxis),
		SumsAxis:       matters(SumsAxis),
		markAxis:       has(is[command.Vectorize]),
		lanesAxis:      has(is[command.Vectorize]),
		storesAxis:     has(is[command.Vectorize]) && (has(is[command.Stream]) || matters(storesAxis)),
		orderAxis:      matters(orderAxis),
		overlapAxis:    has(is[command.Overlap]),
		insideAxis:     slices.ContainsFunc(byDefault, hasParts) && matters(insideAxis),
		ModelAxis:      matters(ModelAxis),
	}
	axes := slices.DeleteFunc(ordinaryAxes(), func(a variant.Axis) bool { return !offered[a.Name] })
	for k := range axes {
		if axes[k].Name == orderAxis && !offered[vectorAxis] {
			axes[k].When = nil
		}
	}
	starts := 0
	if width > 0 && matters(DiamondAxis) {
		starts = min(width-1, len(diamonds)-1)
	}
	waves := waveAxes(starts, width-1)
	return append(axes, slices.DeleteFunc(waves, func(a variant.Axis) bool { return a.Name == secondAxis && !tiles })...)
}

// is says whether a command is one of a kind.
func is[Kind schedule.Command](c schedule.Command) bool {
	_, ok := c.(Kind)
	return ok
}

// hasLanes says whether a command makes register blocks of vectors.
func hasLanes(c schedule.Command) bool {
	r, ok := c.(command.Registers)
	return ok && r.Lanes > 0
}

// asksAhead says whether a command makes register blocks that ask for what the next one keeps.
func asksAhead(c schedule.Command) bool {
	r, ok := c.(command.Registers)
	return ok && r.Ahead
}

// isUnrolled says whether a command unrolls loops without vectors.
func isUnrolled(c schedule.Command) bool { return is[command.Registers](c) && !hasLanes(c) }

// hasParts says whether a recipe has loops in parts of a node, of which the axis
// "inside" may want fewer or more.
func hasParts(recipe schedule.Recipe) bool {
	return slices.ContainsFunc(recipe, func(c schedule.Command) bool {
		band, ok := c.(command.Band)
		return ok && strings.Contains(band.Node, "_")
	})
}

// delays says whether a recipe has one of two statements that share their last loop run later than
// the other in a loop outside.
func delays(recipe schedule.Recipe) bool {
	if slices.ContainsFunc(recipe, is[command.Shift]) {
		return true
	}
	isDelayed := func(late, sum int) bool {
		return slices.ContainsFunc(recipe, func(c schedule.Command) bool {
			band, ok := c.(command.Band)
			if !ok {
				return false
			}
			first, found := band.Rows[0][late]
			second, both := band.Rows[0][sum]
			return found && both && first.Row.Constant == second.Row.Constant+1
		})
	}
	for k, c := range recipe {
		split, ok := c.(command.Split)
		if !ok || len(split.Groups) != 2 || len(split.Groups[0]) != 1 || len(split.Groups[1]) != 1 {
			continue
		}
		band, ok := recipe[k-1].(command.Band)
		if ok && band.Node == split.Node && len(band.Rows) == 1 && isDelayed(split.Groups[0][0], split.Groups[1][0]) {
			return true
		}
	}
	return false
}

// waveWidth is the number of loops of the widest band whose tiles run in
// wavefronts; 0 without wavefronts.
func waveWidth(recipe schedule.Recipe) int {
	width, tiled := 0, map[string]int{}
	for _, c := range recipe {
		switch c := c.(type) {
		case command.Tile:
			for _, loop := range c.Loops {
				tiled[loop+"t"] = len(c.Loops)
			}
		case command.Blocks:
			tiled[c.Loop(1)] = len(c.Rows)
		case command.Wavefront:
			width = max(width, tiled[c.Loops[0]])
		}
	}
	return width
}
