package transform

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// hexagonThreads are the model's threads of a block, by the number of dimensions of space.
var hexagonThreads = map[int][]int64{1: {128}, 2: {4, 32}, 3: {2, 4, 32}}

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
	return m.copyTiles(class, f, sizes)
}

func (s hexagonShape) refusal(p *planner, f *stencil, sizes []int64) error {
	if sizes == nil {
		return noneFit(p, s, f)
	}
	if err := (&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}).Check(); err != nil {
		return noStencil("%v", err)
	}
	if data := p.hexagonData(f, sizes); p.sharesTiles() && data.shared > inmemory.MostShared {
		return tooMuchShared(p, f, sizes, data.shared)
	}
	return nil
}

// sharesTiles says whether elements of tiles are in shared memory.
func (p *planner) sharesTiles() bool {
	return p.options.Device != nil && !slices.Contains(p.options.Without, mark.Shared)
}

// tooMuchShared says that tiles need more shared memory than blocks have.
func tooMuchShared(p *planner, f *stencil, sizes []int64, bytes int64) error {
	return noStencil("a tile of %s with the sizes %s has %d bytes, more than %s: make it smaller", p.names(f.statements), numbers(sizes), bytes, p.roomText())
}

// numbers are 4, 8, 32.
func numbers(list []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}

// copyTiles has the arrays of a stencil's tiles in shared memory. All threads wait before the next tile is loaded.
func (m *deviceMapper) copyTiles(class string, f *stencil, sizes []int64) error {
	if !m.sharesTiles() {
		return nil
	}
	arrays := m.tiledArrays(f.statements)
	bytes, err := m.tileBytes(class, f, arrays)
	if err != nil {
		return err
	}
	var all int64
	for _, own := range bytes {
		all += own
	}
	if all > inmemory.MostShared {
		return tooMuchShared(m.planner, f, sizes, all)
	}
	if len(bytes) > 0 {
		boxless := func(array string) bool { return bytes[array] == 0 }
		m.recipe = append(m.recipe, tileCopies(class, f, slices.DeleteFunc(arrays, boxless))...)
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

// sizes are those that maximise the instances of a tile for each byte that it loads: h and the widths are free, and w0 is only the least width of a hexagon (RR-8339, section 3.5), so
// that large tiles pay, as far as shared memory has room for them. h + 1 is a multiple of the number of statements (3.3.2), and along the last dimension, whose neighbours lie side
// by side, whole warps have points at each step (section 2). Of equally good sizes the smallest are taken.
func (hexagonShape) sizes(p *planner, f *stencil) (best []int64) {
	var most tileData
	for _, height := range multiplesOf(f.steps, stencilHeights) {
		for _, tiles := range stripSizes(len(f.space) - 1) {
			sizes := p.widest(f, append([]int64{height, 0}, tiles...))
			if sizes == nil {
				continue
			}
			data := p.hexagonData(f, sizes)
			if best == nil || data.points*most.loaded > most.points*data.loaded {
				best, most = sizes, data
			}
		}
	}
	return best
}

// widest are sizes with the largest width of hexagons for which there is room; nil where there is for none.
func (p *planner) widest(f *stencil, sizes []int64) []int64 {
	least := max(1, (&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}).LeastWidth())
	beyond := sort.Search(mostWidth, func(k int) bool {
		sizes[1] = least + int64(k)
		return p.hexagonData(f, sizes).shared > p.room()
	})
	sizes[1] = least + int64(beyond) - 1
	if beyond == 0 {
		return nil
	}
	return sizes
}

// mostWidth bounds the widths of hexagons.
const mostWidth = 256

// multiplesOf are those of some numbers that a number divides, or the number itself where it divides none.
func multiplesOf(number int64, among []int64) (list []int64) {
	for _, n := range among {
		if n%number == 0 {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		list = []int64{number}
	}
	return list
}

// stripSizes are the sizes of parallelograms along so many dimensions, of which the last has whole warps.
func stripSizes(dimensions int) [][]int64 {
	all := [][]int64{nil}
	for d := range dimensions {
		part := int64(1)
		if d == dimensions-1 {
			part = warp
		}
		var longer [][]int64
		for _, outside := range all {
			for _, n := range multiplesOf(part, stencilWidths) {
				longer = append(longer, append(slices.Clip(outside), n))
			}
		}
		all = longer
	}
	return all
}

// warp is the number of threads that run together.
const warp = 32
