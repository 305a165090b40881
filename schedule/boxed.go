package schedule

import (
	"slices"

	"polytune/scop/mark"
)

// hasBoxes says whether elements are copied in the memories of a device.
func (t *Tree) hasBoxes() bool {
	return holdBoxes(nil, t.Classes)
}

// holdBoxes says whether some loops, or loops of some nodes, have copies in memories of a device.
// The code that uses one has to be in one piece, so that loops around it are not split.
func holdBoxes(loops []*Loop, nodes []*Node) bool {
	return slices.ContainsFunc(loops, func(l *Loop) bool { return len(l.Boxes) > 0 }) ||
		slices.ContainsFunc(nodes, func(n *Node) bool { return holdBoxes(n.Loops, n.Parts) })
}

// tileMarks are the marks right inside of a loop over tiles: what overlapped tiles store, and
// copies.
func (l *lowering) tileMarks(n *Node, loop *Loop) (marks []mark.Mark) {
	if place := loop.Overlapped; place != nil && place.Place == len(place.Of.Space) {
		marks = append(marks, l.overlappedMark(n, loop))
	}
	return append(marks, l.boxMarks()...)
}

// boxMarks are the marks of the copies in a device's memories that each iteration of the innermost
// loop around makes. Their sides are filled in once the tree is made.
func (l *lowering) boxMarks() (marks []mark.Mark) {
	if len(l.around) == 0 {
		return nil
	}
	for _, box := range l.around[len(l.around)-1].Boxes {
		box.Loop = l.around[len(l.around)-1].Name
		marks = append(marks, box)
	}
	return marks
}
