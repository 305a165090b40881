package schedule

import (
	"slices"

	"polytune/scop"
	"polytune/scop/mark"
)

// Expansion is the expanded array of that name, nil for none.
func (t *Tree) Expansion(array string) *scop.Expansion {
	for k := range t.Program.Expansions {
		if e := &t.Program.Expansions[k]; e.Name == array {
			return e
		}
	}
	return nil
}

// Outside are the loops of the nodes around a node, outermost first.
func (t *Tree) Outside(n *Node) (loops []*Loop) {
	t.Walk(func(around *Node) bool {
		if around != n && around.contains(n) {
			loops = append(loops, around.Loops...)
		}
		return true
	})
	return loops
}

// Contracted are the loops from the outermost one to that at which an array is contracted,
// nil where it is not.
func (t *Tree) Contracted(array string) (loops []*Loop) {
	t.Walk(func(n *Node) bool {
		for k, l := range n.Loops {
			if slices.Contains(l.Contracts, array) {
				loops = append(t.Outside(n), n.Loops[:k+1]...)
			}
		}
		return loops == nil
	})
	return loops
}

// localSide is a dimension of an array in memory of its own that is as long as a tile, or as one iteration.
type localSide struct {
	dimension int
	// tile is the innermost loop over the dimension's iterations or over tiles of size of them.
	tile *Loop
	size int64
	// least and most are the least and the greatest number that a subscript is more than the iterator.
	least, most int64
}

// contractedSides are the dimensions of an expanded array whose iterations some loops run over, one by one or
// in tiles, for all statements alike.
func contractedSides(p *scop.Program, e scop.Expansion, loops []*Loop) []localSide {
	var sides []localSide
	for d := range e.Dimensions() {
		var side *localSide
		for _, l := range loops {
			if len(l.Terms) == 1 && IsIterator(p, p.Users(e), l.Terms[0].Rows, e.Shared+d) {
				side = &localSide{dimension: d, tile: l, size: max(1, l.Terms[0].Size)}
			}
		}
		if side != nil {
			sides = append(sides, *side)
		}
	}
	return sides
}

// CanContract says whether some loops run over iterations of which an expanded array has elements for each.
func (t *Tree) CanContract(e scop.Expansion, loops []*Loop) bool {
	return len(contractedSides(t.Program, e, loops)) > 0
}

// IsIterator says whether the rows of all of some statements are one of their iterators, by its place among their loops.
func IsIterator(p *scop.Program, statements []int, rows map[int]Row, iterator int) bool {
	return !slices.ContainsFunc(statements, func(s int) bool {
		row, ok := rows[s]
		names := p.IteratorNames(s)
		return !ok || row.Text(names, p.Parameters) != names[iterator]
	})
}

// contractMarks are the marks of the arrays that are contracted at the innermost loop around
// the present place.
func (l *lowering) contractMarks() []mark.Mark {
	if len(l.around) == 0 {
		return nil
	}
	var marks []mark.Mark
	for _, array := range l.around[len(l.around)-1].Contracts {
		e := l.tree.Expansion(array)
		m := mark.Local{Array: array, Own: l.isOnThreads()}
		for _, side := range contractedSides(l.tree.Program, *e, l.around) {
			own := mark.LocalSide{Dimension: side.dimension, Size: side.size, Offset: e.First[side.dimension], Extent: side.size}
			own.Tiles = l.places(side, l.tree.Program.Users(*e))
			m.Sides = append(m.Sides, own)
		}
		marks = append(marks, m)
	}
	return marks
}

// places are those of a side's tile among the tile coordinates of some statements, by their names; none for a side that is one iteration.
func (l *lowering) places(side localSide, statements []int) map[string]int {
	places := map[string]int{}
	for _, s := range statements {
		if side.size > 1 {
			places[l.tree.Program.Statements[s].Name] = l.tree.coordinate(l.tiles[s], tileTerm{side.tile.Terms[0].Rows[s], side.size}, s)
		}
	}
	return places
}

// isOnThreads says whether a loop around the present place is parallel.
func (l *lowering) isOnThreads() bool {
	return slices.ContainsFunc(l.around, func(around *Loop) bool { return around.IsParallel() || around.Collapsed })
}

// Contractions are the arrays that the tree contracts, as the marks of its isl schedule say.
func (t *Tree) Contractions() map[string]mark.Local {
	marks := map[string]mark.Local{}
	l := lowering{tree: t, tiles: t.tileTerms()}
	for _, e := range t.Program.Expansions {
		l.around = t.Contracted(e.Name)
		for _, m := range l.contractMarks() {
			if local := m.(mark.Local); local.Array == e.Name {
				marks[e.Name] = local
			}
		}
	}
	return marks
}
