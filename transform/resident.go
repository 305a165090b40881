package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
)

// ResidentShape is the name of the shape of tiles whose blocks stay.
const ResidentShape = "resident"

// residentShape runs a stencil in one kernel for all steps, in which each block has its tiles of space all the time, and all blocks wait behind each step. That of PERKS (Zhang et al., ICS 2023)
// and EBISU (the same, ICS 2023). The first of its sizes, of time, says nothing: a tile has all steps.
type residentShape struct{}

func (residentShape) name() string  { return ResidentShape }
func (residentShape) makes() string { return "resident tiles" }

// residentTiles and residentThreads are the models', by the number of dimensions of space that blocks share.
var (
	residentTiles   = map[int][]int64{1: {1024}, 2: {32, 32}, 3: {4, 8, 32}}
	residentThreads = map[int][]int64{1: {256}, 2: {8, 32}, 3: {2, 4, 32}}
)

func (residentShape) sizes(_ *planner, f *stencil) []int64 {
	shared := min(len(f.space), maxShared)
	sizes := []int64{1}
	for range len(f.space) - shared {
		sizes = append(sizes, 1)
	}
	return append(sizes, residentTiles[shared]...)
}

func (residentShape) refusal(*planner, *stencil, []int64) error { return nil }

func (residentShape) emit(m *deviceMapper, class string, f *stencil, sizes []int64) error {
	shared := min(len(f.space), maxShared)
	outside := len(f.space) - shared
	var points, tiles []string
	for d := range shared {
		point := fmt.Sprintf("%s.%d", class, outside+d+2)
		points, tiles = append(points, point), append(tiles, point+"t")
	}
	m.emit(command.Band{Node: class, Rows: append([]map[int]schedule.Row{f.time}, f.space[:outside]...)})
	m.emit(command.Band{Node: class, Permutable: true, Rows: f.space[outside:]})
	m.emit(command.Tile{Loops: points, Sizes: sizes[outside+1:]})
	m.emit(command.Resident{Loop: class + ".1"})
	m.emit(command.Block{Loops: tiles})
	m.emit(command.Thread{Loops: points, Sizes: threadsWithin(sizes[outside+1:], residentThreads[shared])})
	m.emit(command.Barrier{Grid: true, Of: class + ".1"})
	return nil
}

// threadsWithin are numbers of threads, not more than the iterations of tiles.
func threadsWithin(tiles, threads []int64) (made []int64) {
	for k, count := range threads {
		made = append(made, min(count, tiles[k]))
	}
	return made
}
