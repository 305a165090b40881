package transform

import (
	"fmt"
	"polytune/transform/facts"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/space/variant"
	"polytune/transform/hyperplane"
)

// MapAxis is the name of the axis of how loops become blocks and threads of a device. The names
// of the axes stay as they are, as those of Axes do.
const (
	MapAxis    = "map"
	workAxis   = "work"
	unrollAxis = "unroll"
	rowsAxis   = "rows"
)

// Mapped is the condition under which the axes of DeviceSizeAxes have values.
var Mapped = variant.Is(MapAxis, variant.Word("sizes"))

// byModel is the value of axes with which the model decides.
const byModel = "model"

// deviceSizes are the values of the axes of DeviceSizeAxes: powers of two, and the numbers half
// way between them.
var deviceSizes = variant.Ladder(1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)

// DeviceAxes are the decisions of the models for devices that a variant may override, as they
// are for every partition. By default the models decide.
func DeviceAxes() []variant.Axis {
	unshaped := variant.Not(Shaped)
	return []variant.Axis{
		stencilAxis(),
		{Name: MapAxis, About: "how many iterations are a block's, and how many threads it has", Values: variant.Words(byModel, "sizes"), Default: variant.Word(byModel), When: unshaped},
		{Name: workAxis, About: "how many iterations of the outermost loop of a block are a thread's", Values: variant.Words(byModel, "1", "2", "4", "8", "16"),
			Default: variant.Word(byModel), When: variant.All(unshaped, variant.Not(Mapped))},
		{Name: rowsAxis, About: "how many of the loops that carry nothing blocks and threads share", Values: variant.Words(byModel, "1", "2"), Default: variant.Word(byModel), When: unshaped},
		{Name: unrollAxis, About: "whether the iterations of a thread are unrolled", Values: variant.Switch(), Default: variant.Off, When: unshaped},
		{Name: ModelAxis, About: "whether rows have coefficients of both signs (pluto+)", Values: variant.Words(hyperplane.Models()...), Default: variant.Word(hyperplane.Pluto.String())},
	}
}

// DeviceCompletionAxes are those by which the models complete a recipe whose kernels share so many
// loops at most.
func DeviceCompletionAxes(loops int) (axes []variant.Axis, constraints []variant.Constraint) {
	if loops == 0 {
		return nil, nil
	}
	for _, a := range DeviceAxes() {
		switch a.Name {
		case MapAxis, rowsAxis, unrollAxis:
			a.When = nil
		case workAxis:
			a.When = variant.Not(Mapped)
		default:
			continue
		}
		axes = append(axes, a)
	}
	sizes, constraints := DeviceSizeAxes(loops)
	return append(axes, sizes...), constraints
}

// MostShared is how many loops blocks and threads share at most.
const MostShared = facts.MaxShared

// DeviceSizeAxes are the sizes of blocks and the numbers of their threads when the axis "map" says
// "sizes": "block.1" and "threads.1" are those of the outermost of so many loops that a block
// shares, and x is the last; kernels of fewer loops have those of the last ones. They are part of a
// family of axes, with the condition Mapped and these constraints.
func DeviceSizeAxes(loops int) (axes []variant.Axis, constraints []variant.Constraint) {
	if loops = min(loops, facts.MaxShared); loops == 0 {
		return nil, nil
	}
	var all []variant.Expression
	for k := range loops {
		block, threads := deviceAxis("block", k), deviceAxis("threads", k)
		axes = append(axes,
			variant.Axis{Name: block, About: fmt.Sprintf("how many iterations of loop %d are a block's", k+1), Values: deviceSizes, Default: variant.Integer(deviceTiles[loops][k]), When: Mapped},
			variant.Axis{Name: threads, About: fmt.Sprintf("how many threads share these of loop %d", k+1), Values: deviceSizes, Default: variant.Integer(deviceThreads[loops][k]), When: Mapped})
		constraints = append(constraints, variant.Constraint{About: "each thread of a block has an iteration", Condition: variant.AtMost(variant.Of(threads), variant.Of(block))})
		all = append(all, variant.Of(threads))
	}
	return axes, append(constraints, variant.Constraint{About: "no device has blocks of more threads",
		Condition: variant.AtMost(variant.Product(all...), variant.Number(facts.MostThreads))})
}

func deviceAxis(name string, loop int) string { return fmt.Sprintf("%s.%d", name, loop+1) }

// SharedLoops is the largest number of loops that the kernels of a recipe share among blocks.
func SharedLoops(recipe schedule.Recipe) (most int) {
	for _, c := range recipe {
		if block, is := c.(command.Block); is {
			most = max(most, len(block.Loops))
		}
	}
	return most
}

// DeviceOptionsOf are the options with what a setting of DeviceAxes and DeviceSizeAxes decides.
func DeviceOptionsOf(s variant.Setting, options Options) Options {
	device := Device{Unroll: s[unrollAxis] == variant.On}
	if options.Device != nil {
		device.Host = options.Device.Host
	}
	for _, count := range []int{1, 2} {
		if s[rowsAxis] == variant.Word(fmt.Sprint(count)) {
			device.Shared = count
		}
	}
	for _, work := range []int64{1, 2, 4, 8, 16} {
		if s[workAxis] == variant.Word(fmt.Sprint(work)) {
			device.setWork(work)
		}
	}
	device.setSizes(s)
	if s[ModelAxis] == variant.Word(hyperplane.PlutoPlus.String()) {
		options.Model = hyperplane.PlutoPlus
	}
	options.Device, options.Stencil = &device, stencilOptionsOf(s)
	return options
}

// setWork gives each thread of the model's blocks so many iterations of the outermost loop.
func (d *Device) setWork(work int64) {
	d.Tiles, d.Threads = map[int][]int64{}, deviceThreads
	for loops, tiles := range deviceTiles {
		sizes := append([]int64{}, tiles...)
		sizes[0] = work * deviceThreads[loops][0]
		d.Tiles[loops] = sizes
	}
}

// setSizes takes the sizes of a setting, if it has any: those of the last loops for kernels with
// fewer.
func (d *Device) setSizes(s variant.Setting) {
	var tiles, threads []int64
	for k := 0; s[deviceAxis("block", k)] != (variant.Value{}); k++ {
		tiles, threads = append(tiles, s[deviceAxis("block", k)].Integer()), append(threads, s[deviceAxis("threads", k)].Integer())
	}
	if len(tiles) == 0 {
		return
	}
	d.Tiles, d.Threads = map[int][]int64{}, map[int][]int64{}
	for loops := range len(tiles) + 1 {
		if loops > 0 {
			d.Tiles[loops], d.Threads[loops] = tiles[len(tiles)-loops:], threads[len(threads)-loops:]
		}
	}
}
