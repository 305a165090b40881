package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// LayoutMark is what a mark says of an array whose elements have other places while the code below it runs: those of its tiles of Size along
// a Dimension lie behind each other. All code below uses copies of single tiles (LocalMark), which have these places.
type LayoutMark struct {
	Loop, Array string
	Dimension   int
	Size        int64
}

// String is the mark's name.
func (m LayoutMark) String() string {
	return fmt.Sprintf("%s %s %s %d:%d", MarkLayout, m.Loop, m.Array, m.Dimension, m.Size)
}

// LayoutMarkOf reads a mark's name.
func LayoutMarkOf(name string) (m LayoutMark, err error) {
	if _, err = fmt.Sscanf(name, MarkLayout+" %s %s %d:%d", &m.Loop, &m.Array, &m.Dimension, &m.Size); err != nil {
		return m, fmt.Errorf("the mark %q says of no array how its tiles lie: %w", name, err)
	}
	return m, nil
}

// checkLayout proves that all that uses an array below a mark uses a copy of a tile there, and that an element is in one tile: floor(subscript / size). With
// what checkCopy proves of each of them, the elements' places below the mark are those of a permutation of the array, into which they are brought in front of the
// code and from which behind it, while nothing else runs.
func (g *Graph) checkLayout(node *isl.ScheduleNode, around []string) error {
	mark, err := LayoutMarkOf(node.MarkName())
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	for _, outer := range around {
		if kind, loop, _ := cutMark(outer); slices.Contains([]string{MarkParallel, MarkVector, MarkBeside, MarkRegion}, kind) {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the layout of %s", loop, mark.Array)
		}
		if other, err := LayoutMarkOf(outer); err == nil && other.Array == mark.Array {
			return fmt.Errorf("illegal schedule: %s has the layout %q already below %q", mark.Array, other, mark)
		}
	}
	copied := g.Model.Context.ReadUnionSet("{ }")
	for _, c := range copyMarksBelow(node, mark.Array) {
		local, err := LocalMarkOf(c.MarkName())
		if err != nil {
			return fmt.Errorf("illegal schedule: %w", err)
		}
		if !mark.holds(local) {
			return fmt.Errorf("illegal schedule: the copy %q is no tile of the layout %q", local, mark)
		}
		copied = copied.Union(c.Domain())
	}
	for _, instances := range node.Domain().Subtract(copied).Sets() {
		s := g.Model.Statement(instances.TupleName())
		if empty, err := instances.IsEmpty(); err != nil || s == nil || !empty && s.Statement.Names(mark.Array) {
			return errors.Join(err, fmt.Errorf("illegal schedule: %s uses %s below the mark %q where it has no copy", instances.TupleName(), mark.Array, mark))
		}
	}
	return nil
}

// holds says whether a copy has the elements of one tile of the layout, and their order.
func (m LayoutMark) holds(copied LocalMark) bool {
	if len(copied.Sides) != 1 || m.Dimension < 1 {
		return false
	}
	side := copied.Sides[0]
	return side.Dimension == m.Dimension && side.Size == m.Size && side.Extent == m.Size && side.Offset == 0
}

// copyMarksBelow are the marks of copies of an array below a node.
func copyMarksBelow(node *isl.ScheduleNode, array string) (marks []*isl.ScheduleNode) {
	if node.Type() == isl.NodeMark && strings.HasPrefix(node.MarkName(), MarkCopy+" ") {
		if mark, err := LocalMarkOf(node.MarkName()); err != nil || mark.Array == array {
			marks = append(marks, node)
		}
	}
	for _, child := range node.Children() {
		marks = append(marks, copyMarksBelow(child, array)...)
	}
	return marks
}
