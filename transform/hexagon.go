package transform

import (
	"fmt"
	"maps"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// hexagonThreads are the model's threads of a block, by the number of dimensions of space.
var hexagonThreads = map[int][]int64{1: {128}, 2: {4, 32}, 3: {2, 4, 32}}

// hexagonShape runs a stencil in hexagonal tiles: two kernels for each time tile, in which hexagons
// are blocks, and parallelograms along the other dimensions follow each other. All threads wait
// after each step. The elements of a tile are in shared memory.
type hexagonShape struct{}

func (hexagonShape) name() string  { return HexagonShape }
func (hexagonShape) makes() string { return "hexagonal tiles" }

func (hexagonShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	m.emitHexagons(class, onLines(m.graph, f, sizes), sizes)
	for phase := range schedule.HexagonPhases {
		part := fmt.Sprintf("%sp%d", class, phase)
		m.emit(command.Block{Loops: []string{part + ".2" + command.HexagonSuffix}})
		var points []string
		dimensions := min(len(f.space), facts.MaxShared)
		for d := range dimensions {
			points = append(points, fmt.Sprintf("%s.%d", part, len(f.space)-dimensions+d+2))
		}
		threads := threadsOfTile(&schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}, dimensions)
		if m.options.Stencil.Columns && dimensions == len(f.space) {
			threads[0] = 1
		}
		m.emit(command.Thread{Loops: points, Sizes: threads})
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
	if data := hexagonData(p.graph, f, sizes); sharesTiles(&p.options) && data.shared > room(&p.options) {
		return tooMuchShared(p, f, sizes, data.shared)
	}
	return nil
}

// sharesTiles says whether elements of tiles are in shared memory.
func sharesTiles(o *Options) bool {
	return o.Device != nil && !slices.Contains(o.Without, mark.Shared)
}

// tooMuchShared says that tiles need more shared memory than blocks have.
func tooMuchShared(p *planner, f *stencil, sizes []int64, bytes int64) error {
	return noStencil("a tile of %s with the sizes %s has %d bytes, more than %s: make it smaller", p.graph.Model.Names(f.statements), numbers(sizes), bytes, roomText(&p.options))
}

// numbers are 4, 8, 32.
func numbers(list []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}

// threadsOfTile are the numbers of threads along the last dimensions of a tile: the models', or
// fewer of which each has as many points of a full tile as the others in each step, so that its
// code has no conditions (RR-8339, section 4.4.1). Where those are fewer than half, the models'
// have more to do.
func threadsOfTile(shape *schedule.Hexagon, dimensions int) (threads []int64) {
	points := pointsOfTile(shape, dimensions)
	for d, most := range hexagonThreads[dimensions] {
		even := most
		for points[d]%even != 0 {
			even--
		}
		if 2*even < most {
			even = most
		}
		threads = append(threads, even)
	}
	return threads
}

// pointsOfTile divide the numbers of points of a full tile at all steps, along each of its last
// dimensions.
func pointsOfTile(shape *schedule.Hexagon, dimensions int) []int64 {
	first := int64(0)
	for step := range 2 * shape.Sizes[0] {
		low, high := shape.Row(step)
		first = divisor(first, high-low+1)
	}
	points := append([]int64{first}, shape.Sizes[2:]...)
	return points[len(points)-dimensions:]
}

// divisor is the largest number that divides both; 0 is divided by all.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// copyTiles has the arrays of a stencil's tiles in shared memory. All threads wait before the next
// tile is loaded.
func (m *deviceMapper) copyTiles(class string, f *stencil, sizes []int64) error {
	if !sharesTiles(&m.options) {
		return nil
	}
	arrays := tiledArrays(m.graph, f.statements)
	bytes, err := m.tileBytes(class, f, arrays)
	if err != nil {
		return err
	}
	var all int64
	for _, own := range bytes {
		all += own
	}
	if all > room(&m.options) {
		return tooMuchShared(m.planner, f, sizes, all)
	}
	if len(bytes) > 0 {
		boxless := func(array string) bool { return bytes[array] == 0 }
		m.recipe = append(m.recipe, m.tileCopies(class, f, slices.DeleteFunc(arrays, boxless))...)
	}
	return nil
}

// tileCopies copy arrays at the innermost loop over tiles of each phase.
func (m *deviceMapper) tileCopies(name string, f *stencil, arrays []string) (commands []schedule.Command) {
	for phase := range schedule.HexagonPhases {
		tile := fmt.Sprintf("%sp%d.%d%s", name, phase, len(f.space)+1, command.HexagonSuffix)
		if len(f.space) > 1 {
			commands = append(commands, command.Barrier{Of: tile})
		}
		for _, array := range arrays {
			commands = append(commands, m.tileCopy(f, array, tile))
		}
	}
	return commands
}

// tileCopy copies an array of a stencil at the innermost loop over tiles to shared memory.
func (m *deviceMapper) tileCopy(f *stencil, array, tile string) command.Copy {
	isEarly := m.options.Stencil.Early && slices.Contains(writtenBy(m.graph, f.statements), array)
	return command.Copy{Array: array, Loop: tile, Memory: string(mark.Shared), Early: isEarly}
}

// tiledArrays are the arrays of some statements whose elements have affine subscripts, those that
// are used most often first.
func tiledArrays(g *depend.Graph, statements []int) (arrays []string) {
	uses := map[string]int{}
	for _, s := range statements {
		for _, access := range g.Model.Program.Statements[s].Accesses {
			if array := g.Model.Program.Array(access.Array); array != nil && len(array.Extents) > 0 && !array.Linear && !access.May && !isChosen(g, statements, access.Array) {
				uses[access.Array]++
			}
		}
	}
	arrays = slices.Sorted(maps.Keys(uses))
	slices.SortStableFunc(arrays, func(a, b string) int { return uses[b] - uses[a] })
	return arrays
}

// tileBytes are the sizes of the boxes of arrays in a tile, in bytes; 0 for an array of which a
// tile has no box.
func (m *deviceMapper) tileBytes(name string, f *stencil, arrays []string) (map[string]int64, error) {
	start := m.graph.Model.Context.Mark()
	defer m.graph.Model.Context.Release(start)
	tree, err := append(slices.Clip(m.recipe), m.tileCopies(name, f, arrays)...).Replay(m.graph.Model.Program)
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
	p.emit(command.Band{Node: class, Rows: schedule.Affine(append([]map[int]schedule.Row{f.time}, f.space...))})
	p.emit(command.Hexagon{Loops: loops, Sizes: sizes, Slopes: f.slopes})
}

// sizes are those that maximise the instances of a tile for each byte that it loads: h and the
// widths are free, and w0 is only the least width of a hexagon (RR-8339, section 3.5), so that
// large tiles pay, as far as shared memory has room for them. h + 1 is a multiple of the number of
// statements (3.3.2), along the last dimension, whose neighbours lie side by side, whole warps have
// points at each step (section 2), and full tiles have code of their own, of a line for each point
// of a thread (4.4.1), where any can. Of equally good sizes the smallest are taken.
func (hexagonShape) sizes(p *planner, f *stencil) []int64 {
	if best := bestSizes(p.graph, &p.options, f, p.isEven); best != nil {
		return best
	}
	return bestSizes(p.graph, &p.options, f, func(*stencil, []int64, tileData) bool { return true })
}

// bestSizes are the best ones of those that may be.
func bestSizes(g *depend.Graph, o *Options, f *stencil, may func(f *stencil, sizes []int64, data tileData) bool) (best []int64) {
	var most tileData
	for _, height := range multiplesOf(f.steps, stencilHeights) {
		for _, strips := range stripSizes(len(f.space) - 1) {
			least := (&schedule.Hexagon{Sizes: []int64{height}, Slopes: f.slopes}).LeastWidth()
			for width := max(1, least); width <= facts.MostWidth; width++ {
				sizes := append([]int64{height, width}, strips...)
				data := hexagonData(g, f, sizes)
				if data.shared > room(o) {
					break
				}
				if data.loaded == 0 {
					return figureSizes(f)
				}
				if (best == nil || data.points*most.loaded > most.points*data.loaded) && may(f, sizes, data) {
					best, most = sizes, data
				}
			}
		}
	}
	return best
}

// figureSizes are the sizes of a stencil of whose arrays tiles have no boxes, so that nobody knows
// what they load: those of figures 8 to 10 of RR-8339, h = 2, w0 = 8 and 128 points along the last
// dimension, as far as the slopes and the number of statements allow them; 8 along others.
func figureSizes(f *stencil) []int64 {
	height := (3 + f.steps - 1) / f.steps * f.steps
	sizes := []int64{height, max(9, (&schedule.Hexagon{Sizes: []int64{height}, Slopes: f.slopes}).LeastWidth())}
	for d := 1; d < len(f.space); d++ {
		sizes = append(sizes, 8)
	}
	if len(f.space) > 1 {
		sizes[len(sizes)-1] = 128
	}
	return sizes
}

// isEven says whether the threads of a block have as many points each of a full tile, and no more
// than there is code for.
func (p *planner) isEven(f *stencil, sizes []int64, data tileData) bool {
	if p.options.Device == nil {
		return true
	}
	shape, dimensions := &schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}, min(len(f.space), facts.MaxShared)
	points, all := pointsOfTile(shape, dimensions), int64(1)
	for d, threads := range threadsOfTile(shape, dimensions) {
		if all *= threads; points[d]%threads != 0 {
			return false
		}
	}
	return data.points <= facts.MostTilePoints*all
}

// multiplesOf are those of some numbers that a number divides, or the number itself where it
// divides none.
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

// stripSizes are the sizes of parallelograms along so many dimensions, of which the last has whole
// warps.
func stripSizes(dimensions int) [][]int64 {
	all := [][]int64{nil}
	for d := range dimensions {
		part := int64(1)
		if d == dimensions-1 {
			part = facts.Warp
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
