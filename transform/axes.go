package transform

import (
	"fmt"
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/space/variant"
	"polytune/transform/hyperplane"
)

// The names of the axes. They and their defaults stand in databases and
// scripts: they stay as they are.
const (
	parallelAxis   = "parallel"
	wavefrontAxis  = "wavefront"
	phasesAxis     = "phases"
	separateAxis   = "separate"
	vectorAxis     = "vector"
	insideAxis     = "inside"
	orderAxis      = "order"
	registersAxis  = "registers"
	packAxis       = "pack"
	aheadAxis      = "ahead"
	contractAxis   = "contract"
	interleaveAxis = "interleave"
	scheduleAxis   = "schedule"
	collapseAxis   = "collapse"
	markAxis       = "mark"
	lanesAxis      = "lanes"
	storesAxis     = "stores"
	overlapAxis    = "overlap"
	delayAxis      = "delay"
)

// TileAxis is the name of the axis of how bands are tiled, ModelAxis that of the family of
// hyperplanes, DiamondAxis that of tiles that start together, and SumsAxis that of how threads add
// up in arrays.
const (
	SumsAxis    = "sums"
	TileAxis    = "tile"
	ModelAxis   = "model"
	DiamondAxis = "diamond"
)

// tilings are the values of the axis "tile", in this order, with what they
// mean. The first is the default.
var tilings = []struct {
	name   string
	tiling Tiling
}{
	{"model", Tiling{}},
	{"wide", Tiling{VectorScale: 8}},
	{"half", Tiling{Scale: 0.5}},
	{"untiled", Tiling{None: true}},
	{"sizes", Tiling{}}, // with those of SizeAxes
}

// Sized is the condition under which the axes of SizeAxes have values.
var Sized = variant.Is(TileAxis, variant.Word("sizes"))

// tileSizes are the values of the axes of SizeAxes: powers of two, and the
// numbers half way between them.
var tileSizes = variant.Ladder(4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)

// defaultTileSize is Pluto's.
var defaultTileSize = variant.Integer(32)

// Axes are the decisions of the models that a variant may override, as they
// are for every partition. By default the models decide.
func Axes() []variant.Axis {
	return append(ordinaryAxes(), waveAxes(len(diamonds)-1, facts.MostDegrees)...)
}

// ordinaryAxes are those of Axes without waveAxes.
func ordinaryAxes() []variant.Axis {
	names := make([]string, len(tilings))
	for i, t := range tilings {
		names[i] = t.name
	}
	on := func(name, about string, when variant.Condition) variant.Axis {
		return variant.Axis{Name: name, About: about, Values: variant.Switch(), Default: variant.On, When: when}
	}
	return append([]variant.Axis{
		{Name: TileAxis, About: "how permutable bands are tiled", Values: variant.Words(names...), Default: variant.Word(names[0])},
		on(parallelAxis, "whether a loop runs on several threads", nil),
		on(wavefrontAxis, "whether tiles run in wavefronts where no loop is parallel as it is", variant.Is(parallelAxis, variant.On)),
		on(phasesAxis, "whether the tiles of factorizations run in phases, the update of all that is left last, where that can be", variant.All(tiled(), variant.Is(wavefrontAxis, variant.On))),
		on(separateAxis, "whether full tiles have code of their own", tiled()),
		on(vectorAxis, "whether a loop is vectorised", nil),
		{Name: insideAxis, About: "which statements share a parallel loop inside loops that cannot all be shared", Values: variant.Words(fusions...), Default: variant.Word(FuseSmart.String())},
		{Name: orderAxis, About: "by which model the innermost loop is chosen: its stride, or Pluto's score", Values: variant.Words(orders...), Default: variant.Word(OrderStride.String()), When: variant.Is(vectorAxis, variant.On)},
		{Name: ModelAxis, About: "whether rows have coefficients of both signs (pluto+)", Values: variant.Words(hyperplane.Models()...), Default: variant.Word(hyperplane.Pluto.String())},
		shapes.axis(registersAxis, "how many rows of how many vectors are kept in registers", variant.Is(vectorAxis, variant.On)),
		on(packAxis, "whether the operands of register blocks are copied in the order of use", variant.Is(vectorAxis, variant.On)),
		on(aheadAxis, "whether a register block asks for the elements that the next one keeps", variant.Is(vectorAxis, variant.On)),
		interleavings.axis(interleaveAxis, "how many iterations run beside each other where the innermost loop carries dependences", variant.Is(vectorAxis, variant.On)),
		on(delayAxis, "whether a statement runs one iteration later where that puts it into the loop of a sum which reads what it writes", nil),
		{Name: LoopsAxis, About: "whose loops there are: the models', or those of the source, none of them moved or tiled", Values: variant.Words(loopKinds...), Default: variant.Word(loopKinds[LoopsModel])},
		on(contractAxis, "whether expanded arrays have elements for one tile alone, where their statements can share tiles", nil),
	}, hintAxes()...)
}

// SizeAxes are the sizes of the tiles when the axis "tile" says "sizes":
// "tile.1" is that of the outermost loop of each tiled band, and so on for as
// many loops as the widest has. They are part of a family of axes, with the
// condition Sized.
func SizeAxes(loops int) []variant.Axis {
	axes := make([]variant.Axis, loops)
	for k := range axes {
		axes[k] = variant.Axis{Name: sizeAxis(k), About: fmt.Sprintf("the size of tiles along loop %d of a band", k+1),
			Values: tileSizes, Default: defaultTileSize, When: Sized}
	}
	return axes
}

func sizeAxis(loop int) string { return fmt.Sprintf("%s.%d", TileAxis, loop+1) }

// WithSizes are the options with sizes of tiles that somebody chooses, for which all
// bands with reuse have tiles: those that SizeAxes are about.
func WithSizes(options Options) Options {
	options.Tile = Tiling{Sizes: []int64{defaultTileSize.Integer()}}
	return options
}

// TiledLoops is the number of loops of the widest band that the recipe tiles.
func TiledLoops(recipe schedule.Recipe) int {
	widest := 0
	for _, c := range recipe {
		if tile, ok := c.(command.Tile); ok {
			widest = max(widest, len(tile.Loops))
		}
	}
	return widest
}

// OptionsOf are the options with what a setting of Axes and SizeAxes decides.
func OptionsOf(s variant.Setting, options Options) Options {
	for _, t := range tilings {
		if s[TileAxis] == variant.Word(t.name) {
			options.Tile = t.tiling
		}
	}
	for k := 0; s[sizeAxis(k)] != (variant.Value{}); k++ {
		options.Tile.Sizes = append(options.Tile.Sizes, s[sizeAxis(k)].Integer())
	}
	if s[TileAxis] == variant.Word("sizes") && len(options.Tile.Sizes) == 0 {
		options.Tile.Sizes = []int64{defaultTileSize.Integer()}
	}
	options.Off = nil
	for _, axis := range Axes() {
		if s[axis.Name] == variant.Off && axis.Default == variant.On {
			options.Off = append(options.Off, axis.Name)
		}
	}
	options.Fusion = Fusion(max(0, indexOf(fusions, s[insideAxis])))
	options.Order = Order(max(0, indexOf(orders, s[orderAxis])))
	options.Registers = shapes.of(s[registersAxis])
	options.Interleave = interleavings.of(s[interleaveAxis])
	options.Sharing = Sharing(max(0, indexOf(sharings, s[scheduleAxis])))
	options.Adding = Adding(max(0, indexOf(addings, s[SumsAxis])))
	options.Collapse = Collapsing(max(0, indexOf(collapsings, s[collapseAxis])))
	options.Marking = Marking(max(0, indexOf(markings, s[markAxis])))
	options.Stores = Stores(max(0, indexOf(storings, s[storesAxis])))
	options.Overlap = overlappings.of(s[overlapAxis])
	options.Lanes = lanesOf(s[lanesAxis])
	options.Loops = Loops(max(0, indexOf(loopKinds, s[LoopsAxis])))
	if s[ModelAxis] == variant.Word(hyperplane.PlutoPlus.String()) {
		options.Model = hyperplane.PlutoPlus
	}
	return waveOptions(s, options)
}

// indexOf is the index of the name that a value is, or -1.
func indexOf(names []string, value variant.Value) int {
	return slices.IndexFunc(names, func(name string) bool { return value == variant.Word(name) })
}
