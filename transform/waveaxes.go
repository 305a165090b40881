package transform

import "polytune/space/variant"

// The names of the axes of tiles in wavefronts, and of tiles of tiles.
const (
	diamondAxis = "diamond"
	degreesAxis = "degrees"
	secondAxis  = "second_level"
)

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
func tiled() variant.Condition { return variant.Not(variant.Is(tileAxis, variant.Word("untiled"))) }

// waveAxes are the axes of tiles in wavefronts, and of tiles of tiles.
func waveAxes() []variant.Axis {
	starts := make([]string, len(diamonds))
	for i, d := range diamonds {
		starts[i] = d.name
	}
	off := variant.Word(starts[0])
	waves := variant.All(tiled(), variant.Is(wavefrontAxis, variant.On))
	return []variant.Axis{
		{Name: diamondAxis, About: "along how many dimensions tiles in wavefronts start together, where they can",
			Values: variant.Words(starts...), Default: off, When: waves},
		{Name: degreesAxis, About: "how many loops inside the one over wavefronts carry no dependence",
			Values: variant.Ladder(1, 2, 3), Default: variant.Integer(1), When: variant.All(waves, variant.Is(diamondAxis, off))},
		{Name: secondAxis, About: "whether tiles are tiled again", Values: variant.Switch(), Default: variant.Off, When: tiled()},
	}
}

// waveOptions are the options with what a setting of waveAxes decides. Defaults
// leave what the options say.
func waveOptions(s variant.Setting, options Options) Options {
	for _, d := range diamonds[1:] {
		if s[diamondAxis] == variant.Word(d.name) {
			options.Diamond = d.diamond
		}
	}
	if degrees := s[degreesAxis]; degrees != (variant.Value{}) && degrees.Integer() > 1 {
		options.Degrees = int(degrees.Integer())
	}
	options.SecondLevel = options.SecondLevel || s[secondAxis] == variant.On
	return options
}
