package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
)

// hexagonSizes and hexagonThreads are the models', by the number of dimensions of space: h + 1, w0 + 1 and the widths of the other dimensions; and the threads of a block.
var (
	hexagonSizes   = map[int][]int64{1: {8, 128}, 2: {4, 8, 32}, 3: {2, 4, 8, 32}}
	hexagonThreads = map[int][]int64{1: {128}, 2: {4, 32}, 3: {2, 4, 32}}
)

// hexagons maps a class that is a stencil to hexagonal tiles: two kernels for each time tile, in which hexagons are blocks, and parallelograms along the other dimensions follow
// each other. All threads wait after each step.
func (m *deviceMapper) hexagons(name string, f *stencil) error {
	if err := m.emitHexagons(name, f); err != nil {
		return err
	}
	for phase := range schedule.HexagonPhases {
		part := fmt.Sprintf("%sp%d", name, phase)
		m.emit(command.Block{Loops: []string{part + ".2" + command.HexagonSuffix}})
		var points []string
		dimensions := min(len(f.space), maxShared)
		for d := range dimensions {
			points = append(points, fmt.Sprintf("%s.%d", part, len(f.space)-dimensions+d+2))
		}
		m.emit(command.Thread{Loops: points, Sizes: hexagonThreads[dimensions]})
		m.emit(command.Barrier{Of: part + ".1"})
	}
	return nil
}

// emitHexagons gives a class the loops of its canonical form, and hexagonal tiles.
func (p *planner) emitHexagons(name string, f *stencil) error {
	loops := []string{name + ".1"}
	for d := range f.space {
		loops = append(loops, fmt.Sprintf("%s.%d", name, d+2))
	}
	shape := &schedule.Hexagon{Sizes: p.hexagonSizesOf(f), Slopes: f.slopes}
	if err := shape.Check(); err != nil {
		return err
	}
	p.emit(command.Band{Node: name, Rows: append([]map[int]schedule.Row{f.time}, f.space...)})
	p.emit(command.Hexagon{Loops: loops, Sizes: shape.Sizes, Slopes: shape.Slopes})
	return nil
}

// hexagonSizesOf are the sizes that are asked for, the last one repeated as needed, or the models', which are as large as the slopes need.
func (p *planner) hexagonSizesOf(f *stencil) []int64 {
	asked := p.options.Tile.Sizes
	if len(asked) > 0 {
		sizes := make([]int64, len(f.space)+1)
		for k := range sizes {
			sizes[k] = asked[min(k, len(asked)-1)]
		}
		return sizes
	}
	dimensions := min(len(f.space), len(hexagonSizes))
	sizes := append([]int64{}, hexagonSizes[dimensions]...)
	for len(sizes) <= len(f.space) {
		sizes = append(sizes, sizes[len(sizes)-1])
	}
	sizes[0] = (sizes[0] + f.steps - 1) / f.steps * f.steps
	sizes[1] = max(sizes[1], (&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}).LeastWidth())
	return sizes
}
