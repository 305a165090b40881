package schedule

import (
	"fmt"
	"slices"

	"polytune/scop/mark"
)

// Layout gives all copies of an array's elements inside a loop memory side by side, for as long as the loop runs. The array's elements are brought
// there once in front of the loop and back behind it, and no copy inside moves any:
//
//	copy A at c1p1.2t
//	layout A around c1.1t
//
//	                                           copy A, tile by tile
//	for c1.1t                                  for c1.1t
//	  for c1p1.2t { copy; … ; copy back } -->    for c1p1.2t { … tile c1 of the copy … }
//	                                           copy it back
//
// It is the block data layout of a matrix's tiles, for the time of a loop nest. All that uses the array inside the loop has to use such a copy, with tiles along
// one and the same dimension. depend.Graph.Check proves that each element has one place.
type Layout struct{ Array, Loop string }

var _ = register(Spec{
	Syntax:  "layout ARRAY around LOOP",
	Doc:     "the layout of an array's copies",
	Example: "layout A around c1.1t",
	New:     func() Command { return Layout{} },
})

// Apply notes the layout at the loop.
func (c Layout) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	around := append(t.outside(n), n.Loops[:place]...)
	if k := slices.IndexFunc(around, (*Loop).runsAtOnce); k >= 0 {
		return fmt.Errorf("iterations of %q, around %q, run at the same time and would share the layout's memory", around[k].Name, c.Loop)
	}
	if other := loopWith(n, around, func(l *Loop) bool { return slices.Contains(l.Layouts, c.Array) }); other != "" {
		return fmt.Errorf("%s has a layout around %q already", c.Array, other)
	}
	if _, err := t.layoutSide(n, place, c.Array); err != nil {
		return err
	}
	n.Loops[place].Layouts = append(n.Loops[place].Layouts, c.Array)
	return nil
}

// runsAtOnce says whether iterations of the loop run at the same time, or threads start there that all run it.
func (l *Loop) runsAtOnce() bool {
	return l.IsParallel() || l.Collapsed || l.IsVector() || mark.Has[mark.Beside](l.Marks) || l.StartsThreads()
}

// layoutSide is the one dimension along which all copies of an array inside a loop of a node have tiles.
func (t *Tree) layoutSide(n *Node, place int, array string) (*localSide, error) {
	copies, err := t.copiesInside(n, place, array)
	if err != nil {
		return nil, err
	}
	var all *localSide
	for _, c := range copies {
		subscripts, err := subscriptsBelow(t.Program, c.node, array)
		if err != nil {
			return nil, err
		}
		sides := copiedSides(t.Program, subscripts, append(t.outside(c.node), c.node.Loops[:c.place+1]...))
		switch {
		case len(sides) != 1 || sides[0].size < 2 || sides[0].least != 0 || sides[0].most != 0 || sides[0].dimension == 0:
			return nil, fmt.Errorf("the copy of %s at %q is not that of a tile along one dimension, with another in front", array, c.node.Loops[c.place].Name)
		case all != nil && (all.dimension != sides[0].dimension || all.size != sides[0].size):
			return nil, fmt.Errorf("the copies of %s inside %q have different tiles", array, n.Loops[place].Name)
		}
		all = &sides[0]
	}
	if all == nil {
		return nil, fmt.Errorf("nothing inside %q uses a copy of %s", n.Loops[place].Name, array)
	}
	return all, nil
}

// loopOf is a loop of a node.
type loopOf struct {
	node  *Node
	place int
}

// copiesInside are the loops of a node from a place on, or inside of it, at which an array is copied; the error names what uses the array elsewhere.
func (t *Tree) copiesInside(n *Node, place int, array string) (copies []loopOf, err error) {
	for k := place; k < len(n.Loops); k++ {
		if slices.Contains(n.Loops[k].Copies, array) {
			return []loopOf{{n, k}}, nil
		}
	}
	for _, part := range n.Parts {
		inside, err := t.copiesInside(part, 0, array)
		if err != nil {
			return nil, err
		}
		copies = append(copies, inside...)
	}
	for _, s := range n.Statements {
		if statement := &t.Program.Statements[s]; len(n.Parts) == 0 && statement.Names(array) {
			return nil, fmt.Errorf("%s uses %s where it has no copy", statement.Spelling(), array)
		}
	}
	return copies, nil
}

// layoutMarks are the marks of the arrays whose copies inside the first of some loops of a node have memory side by side.
func (l *lowering) layoutMarks(n *Node, loops []*Loop) []mark.Mark {
	var marks []mark.Mark
	for _, array := range loops[0].Layouts {
		if side, err := l.tree.layoutSide(n, len(n.Loops)-len(loops), array); err == nil {
			marks = append(marks, mark.Layout{Loop: loops[0].Name, Array: array, Dimension: side.dimension, Size: side.size})
		}
	}
	return marks
}
