package depend

import (
	"fmt"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkGrid proves that all instances of a kernel have a block along each dimension of its grid,
// and that blocks of one grid are all there are: its loops of blocks are right inside each other,
// from the outermost one of the kernel on, with a dimension each. Since each of them carries no
// dependence inside those around, no block depends on another one. A kernel that the command kernel
// begins has no such loops.
func (g *marksCheck) checkGrid(node *isl.ScheduleNode) error {
	_, isGrid := g.marks.Of(node).(mark.Block)
	return (&grid{marksCheck: g}).below(node, isGrid, false)
}

// grid are the dimensions of blocks that a kernel has.
type grid struct {
	*marksCheck
	has [3]bool
}

// below checks the marks of blocks of a subtree: there may be some as long as the subtree is open,
// which it is until a loop comes that is none of blocks, or several parts do. isBlocks says that
// the next loop is one of blocks.
func (g *grid) below(node *isl.ScheduleNode, open, isBlocks bool) error {
	switch node.Type() {
	case isl.NodeMark:
		m, is := g.marks.Of(node).(mark.Block)
		switch {
		case !is:
		case !open:
			return fmt.Errorf("illegal schedule: the mark %q is not right inside of the other loops of blocks of its kernel", m)
		case g.has[m.Dimension]:
			return fmt.Errorf("illegal schedule: the mark %q is of a dimension along which another loop of the kernel has its blocks; name both in one command", m)
		default:
			g.has[m.Dimension], isBlocks = true, true
		}
	case isl.NodeBand:
		open, isBlocks = open && isBlocks, false
	default:
		open, isBlocks = false, false
	}
	for _, child := range node.Children() {
		if err := g.below(child, open, isBlocks); err != nil {
			return err
		}
	}
	return nil
}

// checkTurns proves that the loop of threads below a mark is along another dimension than those
// around: each iteration of it is some thread's.
func checkTurns(m mark.Thread, around []mark.Mark) error {
	for _, outer := range around {
		if t, is := outer.(mark.Thread); is && t.Dimension == m.Dimension {
			return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s of threads along the same dimension; name both in one command", m, t.Loop)
		}
	}
	return nil
}
