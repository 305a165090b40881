package transform

import (
	"maps"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"slices"
	"strconv"

	"polytune/schedule"
)

// onLines is a stencil whose tiles are moved along the last dimension of space such that what each
// loads of a row begins with a cache line (RR-8339, section 4.3.1): the columns behind those that
// the tile before has left in the box. It is as it was where tiles are not as wide as whole lines,
// or rows are not as long.
func onLines(g *depend.Graph, f *stencil, sizes []int64) *stencil {
	last := len(f.space) - 1
	shift, ok := alignment(g, f, sizes, last)
	if !ok || shift == 0 {
		return f
	}
	moved := *f
	moved.space = slices.Clone(f.space)
	moved.space[last] = maps.Clone(f.space[last])
	for s, row := range moved.space[last] {
		row.Constant += shift
		moved.space[last][s] = row
	}
	return &moved
}

// alignment is how far tiles are moved; ok is false where that aligns nothing. The array that is
// used most often decides.
func alignment(g *depend.Graph, f *stencil, sizes []int64, last int) (shift int64, ok bool) {
	arrays := tiledArrays(g, f.statements)
	if len(arrays) == 0 || last == 0 {
		return 0, false
	}
	array := g.Model.Program.Array(arrays[0])
	line := facts.DeviceLineBytes / max(int64(array.Size), 1)
	length, err := strconv.ParseInt(array.Extents[len(array.Extents)-1], 10, 64)
	if sizes[last+1]%line != 0 || err == nil && length%line != 0 {
		return 0, false
	}
	_, hulls := hullsOf(g, f, &schedule.Hexagon{Sizes: sizes, Slopes: f.slopes}, 0)
	for _, t := range f.touches {
		column := t.places[len(t.places)-1]
		hull := hulls[t.statement]
		if t.array != array.Name || hull == nil || column.follows != follows(last) {
			continue
		}
		if end := hull[last].last + column.last + 1; !ok || end > shift {
			shift, ok = end, true
		}
	}
	return (shift%line + line) % line, ok
}
