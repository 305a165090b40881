package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space/variant"
	"polytune/transform/facts"
)

// The axes of the memories of a device, by the names of commands.
var memoryAxes = map[mark.Memory]string{
	mark.Shared:   "whether threads of a block have copies of elements together",
	mark.Own:      "whether threads keep their own elements in registers",
	mark.Constant: "whether small arrays that all threads read alike are in memory for constants",
}

// copyMemories are the memories in which models have copies, and padAxis is the name of the axis of
// padding.
var copyMemories = []mark.Memory{mark.Shared, mark.Own, mark.Constant}

const padAxis = "pad"

// roomAxis is the name of the axis of how much shared memory there is, in KiB.
const roomAxis = "room"

// MemoryAxes decide, beside DeviceAxes, in which memories kernels have copies: where the models put
// them, or not at all. What does not fit into a memory is in none of its copies in any setting.
func MemoryAxes() (axes []variant.Axis) {
	for _, memory := range copyMemories {
		axes = append(axes, variant.Axis{Name: string(memory), About: memoryAxes[memory], Values: variant.Switch(), Default: variant.On})
	}
	isShared := variant.Is(string(mark.Shared), variant.On)
	return append(axes,
		variant.Axis{Name: padAxis, About: "whether rows in shared memory that would begin in one bank are an element longer", Values: variant.Switch(), Default: variant.On, When: isShared},
		variant.Axis{Name: roomAxis, About: "how many KiB of shared memory a block has: tune machine says how many a device gives", Values: variant.Ladder(rooms...), Default: variant.Integer(facts.UsualRoom), When: isShared})
}

// rooms are the values of the axis of that name.
var rooms = []int64{facts.UsualRoom, 64, 96, 128, 160, 192, inmemory.LargestShared >> 10}

// WithRoom are axes of memories for a device that gives blocks so many bytes of shared memory: it
// has no more, and the axis is left out where that is what all devices give.
func WithRoom(axes []variant.Axis, bytes int64) (list []variant.Axis) {
	for _, a := range axes {
		if a.Name == roomAxis {
			fit := slices.DeleteFunc(slices.Clone(rooms), func(room int64) bool { return room<<10 > max(bytes, inmemory.MostShared) })
			if len(fit) == 1 {
				continue
			}
			a.Values = variant.Ladder(fit...)
		}
		list = append(list, a)
	}
	return list
}

// OfferedMemoryAxes are those of MemoryAxes that change something about a program, as far as the
// recipes of the default setting tell: an axis of copies matters where there are some, and what is
// in no memory for constants now is in none.
func OfferedMemoryAxes(byDefault []schedule.Recipe) []variant.Axis {
	has := func(memory mark.Memory) bool {
		return slices.ContainsFunc(byDefault, func(r schedule.Recipe) bool {
			return slices.ContainsFunc(r, func(c schedule.Command) bool {
				box, is := c.(command.Copy)
				return is && mark.Memory(box.Memory) == memory
			})
		})
	}
	return slices.DeleteFunc(MemoryAxes(), func(a variant.Axis) bool {
		return a.Name == string(mark.Constant) && !has(mark.Constant) || (a.Name == padAxis || a.Name == roomAxis) && !has(mark.Shared) && !has(mark.Constant)
	})
}

// MemoryOptionsOf are the options with what a setting of MemoryAxes decides.
func MemoryOptionsOf(s variant.Setting, options Options) Options {
	options.Without, options.Unpadded = nil, s[padAxis] == variant.Off
	if room, is := s[roomAxis]; is && room != variant.Integer(facts.UsualRoom) {
		device := Device{}
		if options.Device != nil {
			device = *options.Device
		}
		device.MostShared, options.Device = room.Integer()<<10, &device
	}
	for _, memory := range copyMemories {
		if s[string(memory)] == variant.Off {
			options.Without = append(options.Without, memory)
		}
	}
	return options
}

// InMemories is a recipe for a device with the copies that options ask for.
func InMemories(g *depend.Graph, recipe schedule.Recipe, options Options) (schedule.Recipe, error) {
	recipe, err := withoutMemories(g, recipe, options.Without)
	if err != nil || !options.Unpadded {
		return recipe, err
	}
	recipe = slices.Clone(recipe)
	for k, c := range recipe {
		if box, is := c.(command.Copy); is && mark.Memory(box.Memory).IsShared() {
			box.Unpadded = true
			recipe[k] = box
		}
	}
	return recipe, nil
}

// withoutMemories is a recipe for a device without the copies in some memories, and without
// barriers that nothing needs then.
func withoutMemories(g *depend.Graph, recipe schedule.Recipe, memories []mark.Memory) (schedule.Recipe, error) {
	kept := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		box, is := c.(command.Copy)
		return is && slices.Contains(memories, mark.Memory(box.Memory))
	})
	if len(kept) == len(recipe) {
		return recipe, nil
	}
	_, proven, err := kept.Prove(g)
	if err != nil {
		return nil, err
	}
	idle, err := g.IdleBarriers(proven)
	isIdle := func(c schedule.Command) bool {
		barrier, is := c.(command.Barrier)
		return is && slices.ContainsFunc(idle, func(b mark.Barrier) bool {
			return barrier == command.Barrier{Grid: b.Grid, After: b.Part != "", Of: b.Loop + b.Part}
		})
	}
	return slices.DeleteFunc(kept, isIdle), err
}
