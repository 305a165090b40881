package boxes

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// A box moves where each iteration of its loop, which one block runs one after the other, has its
// elements so many further along a side than the one before: the elements that both have need not
// be loaded again. Where other blocks write some of them meanwhile nothing here reads those: else
// the blocks would depend on each other.

// move is how far a box of these sides moves, without what Moves proves.
func (b *Box) move() (found mark.BoxMove) {
	if b.Memory != mark.Shared || b.Depth == 0 || b.Waits != b.Depth || len(b.Others) > 0 || slices.Contains(b.Blocks, b.Depth-1) {
		return mark.BoxMove{}
	}
	for d, side := range b.Sides {
		distance := side.Origin.Iterators[b.Depth-1]
		if distance == 0 {
			continue
		}
		if kept := side.Extent - distance; found.Distance != 0 || side.Stride != 1 || kept < 1 || kept > distance {
			return mark.BoxMove{}
		}
		found = mark.BoxMove{Dimension: d, Distance: distance}
	}
	return found
}

// Moves says whether a box moves as its mark says, and has all elements that it is to have from the
// iteration before: they were loaded there.
func (b *Box) Moves(m *scop.Model, loaded *isl.Map) (bool, error) {
	if b.Box.Moves != b.move() || loaded == nil {
		return false, nil
	}
	before := b.before(m)
	kept := loaded.Intersect(before.ApplyRange(b.Inside(m)))
	return kept.IsSubset(before.ApplyRange(loaded))
}

// before relates the values of the loops around, and the numbers of a thread, to those of the
// iteration before.
func (b *Box) before(m *scop.Model) *isl.Map {
	var names []string
	for k := range b.Depth + Dimensions {
		names = append(names, fmt.Sprint("i", k))
	}
	earlier := slices.Clone(names)
	earlier[b.Depth-1] += " - 1"
	return m.Context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(names, ", "), strings.Join(earlier, ", ")))
}
