package schedule

import (
	"fmt"
	"slices"

	"polytune/scop/mark"
)

// layoutSide is the one dimension along which all copies of an array inside a loop of a node have tiles.
func (t *Tree) layoutSide(n *Node, place int, array string) (*localSide, error) {
	copies, err := t.copiesInside(n, place, array)
	if err != nil {
		return nil, err
	}
	var all *localSide
	for _, c := range copies {
		subscripts, err := SubscriptsBelow(t.Program, c.node, array)
		if err != nil {
			return nil, err
		}
		sides := copiedSides(t.Program, subscripts, append(t.Outside(c.node), c.node.Loops[:c.place+1]...))
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

// CheckLayout makes sure that all copies of an array inside a loop of a node are those of tiles along one dimension.
func (t *Tree) CheckLayout(n *Node, place int, array string) error {
	_, err := t.layoutSide(n, place, array)
	return err
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
