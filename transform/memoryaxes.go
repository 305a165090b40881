package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space/variant"
)

// The axes of the memories of a device, by the names of commands.
var memoryAxes = map[mark.Memory]string{mark.Shared: "whether threads of a block have copies of elements together", mark.Own: "whether threads keep their own elements in registers"}

// MemoryAxes decide, beside DeviceAxes, in which memories kernels have copies: where the models put
// them, or not at all. What does not fit into a memory is in none of its copies in any setting.
func MemoryAxes() (axes []variant.Axis) {
	for _, memory := range []mark.Memory{mark.Shared, mark.Own} {
		axes = append(axes, variant.Axis{Name: string(memory), About: memoryAxes[memory], Values: variant.Switch(), Default: variant.On})
	}
	return axes
}

// MemoryOptionsOf are the options with what a setting of MemoryAxes decides.
func MemoryOptionsOf(s variant.Setting, options Options) Options {
	options.Without = nil
	for _, axis := range MemoryAxes() {
		if s[axis.Name] == variant.Off {
			options.Without = append(options.Without, mark.Memory(axis.Name))
		}
	}
	return options
}

// WithoutMemories is a recipe for a device without the copies in some memories, and without
// barriers that nothing needs then.
func WithoutMemories(g *depend.Graph, recipe schedule.Recipe, memories []mark.Memory) (schedule.Recipe, error) {
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
