package facts

import "polytune/scop/depend"

// Footprint is the number of bytes that a tile of a band touches, where its
// edges have these sizes: for each array the largest box of subscripts of an
// access,
//
//	product over dimensions d of 1 + sum over loops k of |step(k, d)| * (sizes[k] - 1),
//
// but no more than the access has iterations in which it moves.
func Footprint(g *depend.Graph, moves []Movement, sizes []int64) float64 {
	elements := map[string]float64{}
	for _, m := range moves {
		for a, steps := range m.Steps {
			name := g.Model.Statements[m.Statement].Statement.Accesses[a].Array
			elements[name] = max(elements[name], BoxOf(m.Loops, steps, sizes))
		}
	}
	return BytesOf(g, elements)
}

// BytesOf is the size of so many elements of arrays.
func BytesOf(g *depend.Graph, elements map[string]float64) (bytes float64) {
	for name, count := range elements {
		bytes += float64(g.Model.Program.Array(name).Size) * count
	}
	return bytes
}

// BoxOf is the number of elements that an access touches in a tile; loops are
// those that move it.
func BoxOf(loops []int, steps []Step, sizes []int64) float64 {
	points, box := 1.0, 1.0
	for k, s := range steps {
		if s.Distance() != 0 {
			points *= float64(sizes[loops[k]])
		}
	}
	extents, known := ExtentsOf(loops, steps, sizes)
	if !known {
		return points
	}
	for _, extent := range extents {
		box *= extent
	}
	return min(points, box)
}

// ExtentsOf are, by dimension, those of the box of subscripts of an access in a tile; known is
// false where nobody knows.
func ExtentsOf(loops []int, steps []Step, sizes []int64) (extents map[int]float64, known bool) {
	extents, known = map[int]float64{}, true
	for k, s := range steps {
		known = known && s.Known
		for d, v := range s.Subscripts {
			extents[d] = max(1, extents[d]) + float64(max(v, -v))*float64(sizes[loops[k]]-1)
		}
	}
	return extents, known
}
