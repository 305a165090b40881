package transform

import (
	"cmp"
	"slices"

	"polytune/isl"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Columns are what a recurrence along the rows' numbers leaves to threads, as in
//
//	for (i = 1; i < N; i++)
//	  for (j = 0; j < N; j++)
//	    a[i][j] = 0.5 * a[i - 1][j] + b[i][j];
//
// The loop over j carries nothing, and is the only one that threads can share: it has to be
// outside. It is also the vector loop, along which elements lie behind each other: it has to be
// inside. In tiles it is both. Without them each thread went through one column after the other,
// with a line of the cache for each element: 2000 x 2000 floats took 26 ms on two threads of an
// Intel Xeon with AVX-512, where the original takes 3.2, and take 1.8 in tiles of 1008 columns (128
// columns: 4.1, 512: 2.4).

// Where the columns have a few channels, a[i][j][c], no loop is a vector loop, but the tiles are
// the same: 1000 x 1000 x 3 floats take 0.9 ms as they are written, and took 1.6 in columns.

// hasColumns says whether the last loop of a band without reuse goes through an array by longer
// steps than those around it, and no vector loop can be inside without tiles, but tiny nests at
// most.
func (p *planner) hasColumns(d *decision) (bool, error) {
	last := len(d.band.Loops) - 1
	if p.options.Tile.None || last < 1 || !d.band.Permutable || facts.CostOf(d.moves, last).Stride <= facts.ElementsOfLine {
		return false, nil
	}
	if tiny, err := p.haveTinyNests(d.parts); err != nil || !tiny && anyLoops(d.parts) {
		return false, err
	}
	place := d.placing
	untiled, err := p.vectorCandidate(d.band, d.moves, d.lengths, place)
	if err != nil || untiled >= 0 {
		return false, err
	}
	return byDepth(d)[0] == last && depthOf(d.moves, last) > depthOf(d.moves, last-1), nil
}

// depthOf is how far from an array's last subscript a loop moves an access, the farthest of all
// accesses: 0 for neighbours, 1 for rows of a matrix.
func depthOf(moves []facts.Movement, loop int) int {
	depth := 0
	for _, m := range moves {
		k := m.PlaceOf(loop)
		if k < 0 {
			continue
		}
		for _, steps := range m.Steps {
			subscripts := steps[k].Subscripts
			if first := slices.IndexFunc(subscripts, func(v int64) bool { return v != 0 }); first >= 0 {
				depth = max(depth, len(subscripts)-1-first)
			}
		}
	}
	return depth
}

// byDepth are the loops of a band in the order of an array's subscripts.
func byDepth(d *decision) []int {
	loops := placesOf(d.band)
	slices.SortStableFunc(loops, func(a, b int) int { return cmp.Compare(depthOf(d.moves, b), depthOf(d.moves, a)) })
	return loops
}

// widenColumns makes tiles of columns as wide as threads can share them out evenly, unless the user
// wants other sizes.
func (p *planner) widenColumns(d *decision, sizes []int64) error {
	choice := p.options.Tile
	if !d.columns || len(choice.Sizes) > 0 || choice.Scale != 0 || choice.VectorScale != 0 {
		return nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil {
		return err
	}
	widest := d.inner.loop
	if widest < 0 {
		widest = slices.MaxFunc(byDepth(d)[1:], func(a, b int) int { return cmp.Compare(lengths[a], lengths[b]) })
	}
	sizes[widest] = evenly(lengths[widest], facts.ColumnTile, facts.ColumnBlock, max(1, int64(p.options.Run.Threads)))
	return nil
}

// columnsApart says whether two groups of statements are each free along their outermost loops, but
// not when they share one: the one reads rows around its own that the other one writes, as the
// passes of a filter do. Loops of their own run rows on several threads; in a loop that they share
// only columns are left for these. gaussian of 2112 x 3520 points takes 797 ms so on two threads of
// an Intel Xeon, and 89 as it is written.
func columnsApart(g *depend.Graph, first, second []int) (bool, error) {
	for _, group := range [][]int{first, second} {
		if free, err := facts.CarriesNothing(g, group, facts.IteratorRows(g, group, 0)); !free || err != nil {
			return false, err
		}
	}
	both := slices.Concat(first, second)
	rows := facts.IteratorRows(g, both, 0)
	distances := map[[2]int]*isl.Set{}
	for _, d := range g.Within(both) {
		if slices.Contains(first, d.Source) == slices.Contains(first, d.Target) {
			continue
		}
		pair := [2]int{d.Source, d.Target}
		along := g.Time(d.Source, rows[d.Source]).Reverse().ApplyRange(d.Relation).ApplyRange(g.Time(d.Target, rows[d.Target])).Deltas()
		if others := distances[pair]; others != nil {
			along = along.Union(others)
		}
		distances[pair] = along
	}
	for _, along := range distances {
		if around, err := isAround(along); around || err != nil {
			return around, err
		}
	}
	return false, nil
}

// isAround says whether distances are several and short.
func isAround(distances *isl.Set) (bool, error) {
	if _, bounded, err := distances.Greatest(); !bounded || err != nil {
		return false, err
	}
	all := distances.ProjectOut(isl.DimParam, 0, distances.Dim(isl.DimParam)).RemoveDivs()
	least, ok := all.Lexmin().Point()
	most, ok2 := all.Lexmax().Point()
	return ok && ok2 && least[0] != most[0] && most[0]-least[0] <= 2*hyperplane.Longest, distances.Context().Err()
}
