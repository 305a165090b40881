package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Contract gives an expanded array elements for one iteration of a loop alone
// (array contraction): along each dimension along which that loop, or one around it, runs over
// the array's iterations or tiles of them, the array has one element or is as long as a tile, and its
// subscripts count from there. Below a parallel loop each thread has memory of its own.
//
//	contract temp2_1 at c0.1t
//
//	double temp2_1[M][N]                double temp2_1[M][400]
//	for c0.1t { … temp2_1[i][j] … } --> for c0.1t { … temp2_1[i][j - 400 c0] … }
//
// depend.Graph.Check proves that each element is used in one iteration of the loops around,
// by one thread alone, and that the subscripts are within a tile.
type Contract struct{ Array, Loop string }

var _ = register(Spec{
	Syntax:  "contract ARRAY at LOOP",
	Doc:     "the contraction of an array",
	Example: "contract temp2_1 at c0.1t",
	New:     func() Command { return Contract{} },
})

// Apply notes the contraction at the loop.
func (c Contract) Apply(t *Tree) error {
	e := t.expansion(c.Array)
	if e == nil {
		return fmt.Errorf("%q is no expanded array%s", c.Array, expansionsText(t.Program))
	}
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	for _, s := range t.Program.Users(*e) {
		if !slices.Contains(n.Statements, s) {
			return fmt.Errorf("%s uses %s outside of %q", t.Program.Statements[s].Spelling(), c.Array, c.Loop)
		}
	}
	switch {
	case t.contracted(c.Array) != nil:
		return fmt.Errorf("%s is contracted already", c.Array)
	case place == len(n.Loops)-1 && len(n.Parts) == 0:
		return fmt.Errorf("nothing is inside %q for which the array could have elements", c.Loop)
	case len(contractedSides(t.Program, *e, append(t.outside(n), n.Loops[:place+1]...))) == 0:
		return fmt.Errorf("neither %q nor a loop around it runs over iterations of which %s has elements for each", c.Loop, c.Array)
	}
	n.Loops[place].Contracts = append(n.Loops[place].Contracts, c.Array)
	return nil
}

// expansion is the expanded array of that name, nil for none.
func (t *Tree) expansion(array string) *scop.Expansion {
	for k := range t.Program.Expansions {
		if e := &t.Program.Expansions[k]; e.Name == array {
			return e
		}
	}
	return nil
}

// expansionsText says which expanded arrays there are.
func expansionsText(p *scop.Program) string {
	var names []string
	for _, e := range p.Expansions {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return "; the program has none, ask for them with --expand"
	}
	return "; there are " + strings.Join(names, " ")
}

// outside are the loops of the nodes around a node, outermost first.
func (t *Tree) outside(n *Node) (loops []*Loop) {
	t.walk(func(around *Node) bool {
		if around != n && around.contains(n) {
			loops = append(loops, around.Loops...)
		}
		return true
	})
	return loops
}

// contracted are the loops from the outermost one to that at which an array is contracted,
// nil where it is not.
func (t *Tree) contracted(array string) (loops []*Loop) {
	t.walk(func(n *Node) bool {
		for k, l := range n.Loops {
			if slices.Contains(l.Contracts, array) {
				loops = append(t.outside(n), n.Loops[:k+1]...)
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
		e := l.tree.expansion(array)
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
		l.around = t.contracted(e.Name)
		for _, m := range l.contractMarks() {
			if local := m.(mark.Local); local.Array == e.Name {
				marks[e.Name] = local
			}
		}
	}
	return marks
}
