package transform

import (
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Transpositions walk along the lines of a cache whatever the order of their loops:
//
//	for (i = 0; i < N; i++)
//	  for (j = 0; j < N; j++)
//	    b[j][i] = a[i][j];
//
// Nothing is used again, but each iteration of the inner loop takes a line of one of the arrays, of
// which the next element comes an iteration of the outer loop later, when the line is in a far
// cache or in none. In tiles that are a line wide along the inner loop a few lines of the one array
// stay until they are full, and those of the other one are used at once, so that it does not matter
// how far apart its rows are. Where a loop carries something, rows run in lanes instead
// (rowlanes.go).
//
// Measured on a virtual AMD Zen 5, gcc 12, one thread and two, against the loops as they are: 2000
// x 2000 doubles take 0.84 and 0.62 of the time with tiles of 64 x 8, 1.0 and 0.58 with 32 x 32,
// 0.93 and 0.78 with 8 x 64; 2048 x 2048, whose rows share sets of the caches, 0.13 and 0.07 with
// 64 x 8, 0.73 and 0.38 with 32 x 32, 0.94 and 0.48 with 8 x 64. A mirrored triangle of 2048 x 2048
// takes 0.12 and 0.12.

// keepLines makes the tiles of a transposition as long along the last loop as a line, and otherwise
// long along the loops that go along lines alone, unless the user wants other sizes.
func keepLines(g *depend.Graph, o *Options, d *decision, sizes []int64) {
	if !d.transposed || len(o.Tile.Sizes) > 0 {
		return
	}
	for k := range sizes {
		sizes[k] = 1
	}
	element := int64(facts.LineBytes)
	for _, m := range d.moves {
		for a, steps := range m.Steps {
			for k, s := range steps {
				if facts.GoesAlongLines(s) {
					sizes[m.Loops[k]] = scaledSize(o, facts.TransposedRows)
					element = min(element, int64(g.Model.Program.Array(g.Model.Statements[m.Statement].Statement.Accesses[a].Array).Size))
				}
			}
		}
	}
	sizes[len(sizes)-1] = max(facts.ElementsOfLine, facts.LineBytes/element)
}
