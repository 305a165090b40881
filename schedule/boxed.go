package schedule

import (
	"polytune/scop/mark"
)

// hasBoxes says whether elements are copied in the memories of a device.
func (t *Tree) hasBoxes() bool {
	has := false
	t.Walk(func(n *Node) bool {
		for _, l := range n.Loops {
			has = has || len(l.Boxes) > 0
		}
		return !has
	})
	return has
}

// boxMarks are the marks of the copies in a device's memories that each iteration of the innermost loop around makes. Their sides are filled in once the tree is made.
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
