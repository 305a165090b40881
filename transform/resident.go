package transform

import (
	"fmt"
	"slices"
	"strconv"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	inmemory "polytune/scop/boxes"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/transform/facts"
)

// ResidentShape is the name of the shape of tiles whose blocks stay.
const ResidentShape = "resident"

// residentShape runs a stencil in one kernel for all steps, in which each block has its tiles of
// space all the time, and all blocks wait behind each step. That of PERKS (Zhang et al., ICS 2023)
// and EBISU (the same, ICS 2023). The first of its sizes, of time, says nothing: a tile has all
// steps.
type residentShape struct{}

func (residentShape) name() string  { return ResidentShape }
func (residentShape) makes() string { return "resident tiles" }

// residentTiles and residentThreads are the models', by the number of dimensions of space that
// blocks share: the least tiles, and the threads of a block. MostResident is the largest number of
// points of a tile for a thread: with more there would be few blocks.
var (
	residentTiles   = map[int][]int64{1: {256}, 2: {8, 32}, 3: {4, 8, 32}}
	residentThreads = map[int][]int64{1: {256}, 2: {8, 32}, 3: {2, 4, 32}}
)

// sizes are those of the largest tile whose elements fit in shared memory, as the slopes say: the
// more points a tile has, the fewer of its elements others read in each step. It grows along the
// shortest of its dimensions but that of neighbours in memory.
func (residentShape) sizes(p *planner, f *stencil) []int64 {
	shared := min(len(f.space), facts.MaxShared)
	outside := len(f.space) - shared
	tile := slices.Clone(residentTiles[shared])
	for {
		longer, shortest := slices.Clone(tile), 0
		for d := range max(1, shared-1) {
			if tile[d] < tile[shortest] {
				shortest = d
			}
		}
		longer[shortest] *= 2
		if bytes, known := keptBytes(p.graph, f, longer); !known || bytes > inmemory.MostShared || pointsOf(longer) > facts.MostResident*pointsOf(residentThreads[shared]) {
			break
		}
		tile = longer
	}
	sizes := []int64{1}
	for range outside {
		sizes = append(sizes, 1)
	}
	return append(sizes, tile...)
}

// keptBytes is about how many bytes the elements have that a block of some tiles keeps: those of
// arrays that are written, all of their dimensions but the last ones of space, and along these the
// tile and what dependences of one step reach beside it. It is not known where extents are no
// numbers.
func keptBytes(g *depend.Graph, f *stencil, tile []int64) (all int64, known bool) {
	for _, name := range tiledArrays(g, f.statements) {
		array := g.Model.Program.Array(name)
		if !facts.IsWrittenBy(g, f.statements, name) {
			continue
		}
		bytes := int64(array.Size)
		for d := range tile {
			right := f.slopes[d+1]
			left := right
			if d == 0 {
				left = f.slopes[0]
			}
			bytes *= tile[d] + roundedUp(left) + roundedUp(right)
		}
		for _, extent := range array.Extents[:max(0, len(array.Extents)-len(f.space))] {
			count, err := strconv.ParseInt(extent, 10, 32)
			if err != nil {
				return 0, false
			}
			bytes *= count
		}
		all += bytes
	}
	return all, len(tile) == len(f.space)
}

// roundedUp is the least whole number that is not below a slope.
func roundedUp(s schedule.Slope) int64 { return (s.Over + s.Under - 1) / s.Under }

// pointsOf is the number of points of a tile.
func pointsOf(numbers []int64) int64 {
	all := int64(1)
	for _, n := range numbers {
		all *= n
	}
	return all
}

func (residentShape) refusal(_ *planner, f *stencil, sizes []int64) error { return nil }

func (residentShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	shared := min(len(f.space), facts.MaxShared)
	outside := len(f.space) - shared
	var points, tiles []string
	for d := range shared {
		point := fmt.Sprintf("%s.%d", class, outside+d+2)
		points, tiles = append(points, point), append(tiles, point+"t")
	}
	m.emit(command.Band{Node: class, Rows: schedule.Affine(append([]map[int]schedule.Row{f.time}, f.space[:outside]...))})
	m.emit(command.Band{Node: class, Permutable: true, Rows: schedule.Affine(f.space[outside:])})
	m.emit(command.Tile{Loops: points, Sizes: sizes[outside+1:]})
	m.emit(command.Resident{Loop: class + ".1"})
	m.emit(command.Block{Loops: tiles})
	m.emit(command.Thread{Loops: points, Sizes: threadsWithin(sizes[outside+1:], residentThreads[shared])})
	m.emit(command.Barrier{Grid: true, Of: class + ".1"})
	if outside > 0 {
		return nil
	}
	return m.keepTiles(f, tiles[len(tiles)-1])
}

// threadsWithin are numbers of threads, not more than the iterations of tiles.
func threadsWithin(tiles, threads []int64) (made []int64) {
	for k, count := range threads {
		made = append(made, min(count, tiles[k]))
	}
	return made
}

// keepTiles has blocks keep their elements of the arrays that a stencil writes in shared memory,
// those first that are used most often, as long as they fit, and where that is proven.
func (m *deviceMapper) keepTiles(f *stencil, loop string) error {
	var all []schedule.Command
	for _, array := range tiledArrays(m.graph, f.statements) {
		if facts.IsWrittenBy(m.graph, f.statements, array) {
			all = append(all, command.Copy{Array: array, Loop: loop, Memory: string(mark.Kept)})
		}
	}
	bytes, err := m.boxBytes(all)
	if err != nil {
		return err
	}
	var sum int64
	var kept []schedule.Command
	for _, c := range all {
		if own := bytes[c.(command.Copy).Array]; own > 0 && sum+own <= inmemory.MostShared {
			sum, kept = sum+own, append(kept, c)
		}
	}
	with := append(slices.Clip(m.recipe), kept...)
	if _, _, err := with.Prove(m.graph); err == nil {
		m.recipe = with
	} else if isl.IsLimit(err) {
		m.graph.Model.Context.TakeErr()
	}
	return nil
}

// boxBytes are the sizes, in bytes, of the boxes that copies behind the recipe have, by their
// arrays; none for an array without a box.
func (m *deviceMapper) boxBytes(copies []schedule.Command) (map[string]int64, error) {
	start := m.graph.Model.Context.Mark()
	defer m.graph.Model.Context.Release(start)
	tree, err := append(slices.Clip(m.recipe), copies...).Replay(m.graph.Model.Program)
	if err != nil {
		return nil, err
	}
	bytes := map[string]int64{}
	for _, made := range *tree.Schedule(m.graph.Model).Marks {
		if box, is := made.(mark.Box); is && len(box.Sides) > 0 {
			bytes[box.Array] = max(bytes[box.Array], inmemory.Bytes(box, int64(m.graph.Model.Program.Array(box.Array).Size)))
		}
	}
	return bytes, m.graph.Model.Context.Err()
}
