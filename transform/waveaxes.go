package transform

import (
	"polytune/transform/facts"
	"strconv"

	"polytune/space/variant"
)

// The names of further axes of tiles in wavefronts, and of tiles of tiles.
const (
	degreesAxis = "degrees"
	heightAxis  = "height"
	secondAxis  = "second_level"
)

// heights are the values of the axis "height" other than the first, the default, with which the
// model decides.
var heights = []string{"model", "4", "8", "16", "32", "64", "128"}

// diamonds are the values of the axis "diamond", in this order, with what they
// mean. The first is the default.
var diamonds = []struct {
	name    string
	diamond Diamond
}{
	{"off", DiamondOff},
	{"one", DiamondOne},
	{"full", DiamondFull},
}

// tiled is the condition that there are tiles.
func tiled() variant.Condition { return variant.Not(variant.Is(TileAxis, variant.Word("untiled"))) }

// waveAxes are the axes of tiles in wavefronts, and of tiles of tiles, where tiles
// start together in so many ways and waves have up to so many degrees, none where there are no
// waves; axes with one value are left out.
func waveAxes(starts, degrees int) []variant.Axis {
	var axes []variant.Axis
	inWaves := variant.All(tiled(), variant.Is(wavefrontAxis, variant.On))
	off := variant.Word(diamonds[0].name)
	free := inWaves
	if starts > 0 {
		var names []string
		for _, d := range diamonds[:1+starts] {
			names = append(names, d.name)
		}
		axes = append(axes, variant.Axis{Name: DiamondAxis, About: "along how many dimensions tiles in wavefronts start together, where they can",
			Values: variant.Words(names...), Default: off, When: inWaves})
		free = variant.All(inWaves, variant.Is(DiamondAxis, off))
	}
	if degrees > 0 {
		axes = append(axes, variant.Axis{Name: heightAxis, About: "the size of tiles in wavefronts along their outermost loop, as that over the steps of a stencil",
			Values: variant.Words(heights...), Default: variant.Word(heights[0]), When: variant.All(inWaves, variant.Not(Sized))})
	}
	if degrees > 1 {
		var numbers []int64
		for n := range min(degrees, facts.MostDegrees) {
			numbers = append(numbers, int64(n+1))
		}
		axes = append(axes, variant.Axis{Name: degreesAxis, About: "how many loops inside the one over wavefronts carry no dependence",
			Values: variant.Ladder(numbers...), Default: variant.Integer(1), When: free})
	}
	return append(axes, variant.Axis{Name: secondAxis, About: "whether tiles are tiled again", Values: variant.Switch(), Default: variant.Off, When: tiled()})
}

// waveOptions are the options with what a setting of waveAxes decides. Defaults
// leave what the options say.
func waveOptions(s variant.Setting, options Options) Options {
	for _, d := range diamonds[1:] {
		if s[DiamondAxis] == variant.Word(d.name) {
			options.Diamond = d.diamond
		}
	}
	if degrees := s[degreesAxis]; degrees != (variant.Value{}) && degrees.Integer() > 1 {
		options.Degrees = int(degrees.Integer())
	}
	if k := indexOf(heights, s[heightAxis]); k > 0 {
		options.Tile.Height, _ = strconv.ParseInt(heights[k], 10, 64)
	}
	options.SecondLevel = options.SecondLevel || s[secondAxis] == variant.On
	return options
}
