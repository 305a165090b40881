package command

import (
	"polytune/schedule"
	"polytune/scop/mark"
)

// side is a dimension of an array in memory of its own that is as long as a tile, or as one
// iteration.
type side struct {
	dimension int
	// tile is the innermost loop over the dimension's iterations or over tiles of size of them.
	tile *schedule.Loop
	size int64
	// least and most are the least and the greatest number that a subscript is more than the
	// iterator.
	least, most int64
}

// mark is the side in a mark about some statements, to whose subscripts offset is added. A side of
// one iteration has no tiles.
func (d side) mark(at *schedule.Place, offset int64, statements []int) mark.LocalSide {
	m := mark.LocalSide{Dimension: d.dimension, Size: d.size, Offset: offset, Extent: d.size + d.most - d.least, Tiles: map[string]int{}}
	for _, s := range statements {
		if d.size > 1 {
			m.Tiles[at.Tree.Program.Statements[s].Name] = at.Coordinate(d.tile, s)
		}
	}
	return m
}

// arraysAt are the arrays of the requests of a kind at a loop.
func arraysAt[R interface {
	schedule.Request
	array() string
}](l *schedule.Loop) (arrays []string) {
	for _, r := range schedule.Requested[R](l) {
		arrays = append(arrays, r.array())
	}
	return arrays
}
