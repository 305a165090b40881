package transform

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// hexagonSizes and hexagonThreads are the models', by the number of dimensions of space: h + 1, w0 + 1 and the widths of the other dimensions; and the threads of a block.
var (
	hexagonSizes   = map[int][]int64{1: {8, 128}, 2: {4, 8, 32}, 3: {2, 4, 8, 32}}
	hexagonThreads = map[int][]int64{1: {128}, 2: {4, 32}, 3: {2, 4, 32}}
)

// hexagonShape runs a stencil in hexagonal tiles: two kernels for each time tile, in which hexagons are blocks, and parallelograms along the other dimensions follow each other. All
// threads wait after each step. The elements of a tile are in shared memory.
type hexagonShape struct{}

func (hexagonShape) name() string  { return HexagonShape }
func (hexagonShape) makes() string { return "hexagonal tiles" }

func (hexagonShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	m.emitHexagons(class, f, sizes)
	for phase := range schedule.HexagonPhases {
		part := fmt.Sprintf("%sp%d", class, phase)
		m.emit(command.Block{Loops: []string{part + ".2" + command.HexagonSuffix}})
		var points []string
		dimensions := min(len(f.space), maxShared)
		for d := range dimensions {
			points = append(points, fmt.Sprintf("%s.%d", part, len(f.space)-dimensions+d+2))
		}
		m.emit(command.Thread{Loops: points, Sizes: hexagonThreads[dimensions]})
		m.emit(command.Barrier{Of: part + ".1"})
	}
	return m.copyTiles(class, f)
}

func (hexagonShape) refusal(_ *planner, f *stencil, sizes []int64) error {
	return (&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}).Check()
}

// copyTiles has the arrays of a stencil's tiles in shared memory, those first that are used most often, as long as they fit. All threads wait before the next tile is loaded.
func (m *deviceMapper) copyTiles(name string, f *stencil) error {
	arrays := m.tiledArrays(f.statements)
	bytes, err := m.tileBytes(name, f, arrays)
	if err != nil {
		return err
	}
	var all int64
	var copied []string
	for _, array := range arrays {
		if own := bytes[array]; own > 0 && all+own <= inmemory.MostShared {
			all, copied = all+own, append(copied, array)
		}
	}
	if len(copied) > 0 {
		m.recipe = append(m.recipe, tileCopies(name, f, copied)...)
	}
	return nil
}

// tileCopies copy arrays at the innermost loop over tiles of each phase.
func tileCopies(name string, f *stencil, arrays []string) (commands []schedule.Command) {
	for phase := range schedule.HexagonPhases {
		tile := fmt.Sprintf("%sp%d.%d%s", name, phase, len(f.space)+1, command.HexagonSuffix)
		if len(f.space) > 1 {
			commands = append(commands, command.Barrier{Of: tile})
		}
		for _, array := range arrays {
			commands = append(commands, command.Copy{Array: array, Loop: tile, Memory: string(mark.Shared)})
		}
	}
	return commands
}

// tiledArrays are the arrays of some statements whose elements have affine subscripts, those that are used most often first.
func (p *planner) tiledArrays(statements []int) (arrays []string) {
	uses := map[string]int{}
	for _, s := range statements {
		for _, access := range p.graph.Model.Program.Statements[s].Accesses {
			if array := p.graph.Model.Program.Array(access.Array); array != nil && len(array.Extents) > 0 && !array.Linear && !access.May {
				uses[access.Array]++
			}
		}
	}
	arrays = slices.Sorted(maps.Keys(uses))
	slices.SortStableFunc(arrays, func(a, b string) int { return uses[b] - uses[a] })
	return arrays
}

// tileBytes are the sizes of the boxes of arrays in a tile, in bytes; 0 for an array of which a tile has no box.
func (m *deviceMapper) tileBytes(name string, f *stencil, arrays []string) (map[string]int64, error) {
	start := m.graph.Model.Context.Mark()
	defer m.graph.Model.Context.Release(start)
	tree, err := append(slices.Clip(m.recipe), tileCopies(name, f, arrays)...).Replay(m.graph.Model.Program)
	if err != nil {
		return nil, err
	}
	bytes, without := map[string]int64{}, map[string]bool{}
	for _, made := range *tree.Schedule(m.graph.Model).Marks {
		if box, is := made.(mark.Box); is {
			without[box.Array] = without[box.Array] || len(box.Sides) == 0
			bytes[box.Array] = max(bytes[box.Array], inmemory.Bytes(box, int64(m.graph.Model.Program.Array(box.Array).Size)))
		}
	}
	maps.DeleteFunc(bytes, func(array string, _ int64) bool { return without[array] })
	return bytes, m.graph.Model.Context.Err()
}

// emitHexagons gives a class the loops of its canonical form, and hexagonal tiles.
func (p *planner) emitHexagons(class string, f *stencil, sizes []int64) {
	loops := []string{class + ".1"}
	for d := range f.space {
		loops = append(loops, fmt.Sprintf("%s.%d", class, d+2))
	}
	p.emit(command.Band{Node: class, Rows: append([]map[int]schedule.Row{f.time}, f.space...)})
	p.emit(command.Hexagon{Loops: loops, Sizes: sizes, Slopes: f.slopes})
}

func (hexagonShape) sizes(_ *planner, f *stencil) []int64 {
	dimensions := min(len(f.space), len(hexagonSizes))
	sizes := append([]int64{}, hexagonSizes[dimensions]...)
	for len(sizes) <= len(f.space) {
		sizes = append(sizes, sizes[len(sizes)-1])
	}
	sizes[0] = (sizes[0] + f.steps - 1) / f.steps * f.steps
	sizes[1] = max(sizes[1], (&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}).LeastWidth())
	return sizes
}
