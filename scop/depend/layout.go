package depend

import (
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkLayout proves that all that uses an array below a mark uses a copy of a tile there, and that
// an element is in one tile: floor(subscript / size). With what checkCopy proves of each of them,
// the elements' places below the mark are those of a permutation of the array, into which they are
// brought in front of the code and from which behind it, while nothing else runs.
func (g *marksCheck) checkLayout(m mark.Layout, node *isl.ScheduleNode, around []mark.Mark) error {
	for _, outer := range around {
		if loop, is := runsAtOnce(outer); is {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the layout of %s", loop, m.Array)
		}
		if other, is := outer.(mark.Layout); is && other.Array == m.Array {
			return fmt.Errorf("illegal schedule: %s has the layout %q already below %q", m.Array, other, m)
		}
	}
	copied := g.Model.Context.ReadUnionSet("{ }")
	for _, c := range g.copiesBelow(node, m.Array) {
		if local := g.marks.Of(c).(mark.Local); !holds(m, local) {
			return fmt.Errorf("illegal schedule: the copy %q is no tile of the layout %q", local, m)
		}
		copied = copied.Union(c.Domain())
	}
	for _, instances := range node.Domain().Subtract(copied).Sets() {
		s := g.Model.Statement(instances.TupleName())
		if empty, err := instances.IsEmpty(); err != nil || s == nil || !empty && s.Statement.Names(m.Array) {
			return errors.Join(err, fmt.Errorf("illegal schedule: %s uses %s below the mark %q where it has no copy", instances.TupleName(), m.Array, m))
		}
	}
	return nil
}

// holds says whether a copy has the elements of one tile of the layout, and their order.
func holds(m mark.Layout, copied mark.Local) bool {
	if len(copied.Sides) != 1 || m.Dimension < 1 {
		return false
	}
	side := copied.Sides[0]
	return side.Dimension == m.Dimension && side.Size == m.Size && side.Extent == m.Size && side.Offset == 0
}

// copiesBelow are the marks of copies of an array below a node.
func (g *marksCheck) copiesBelow(node *isl.ScheduleNode, array string) (marks []*isl.ScheduleNode) {
	if m, is := g.marks.Of(node).(mark.Local); is && m.Loop != "" && m.Array == array {
		marks = append(marks, node)
	}
	for _, child := range node.Children() {
		marks = append(marks, g.copiesBelow(child, array)...)
	}
	return marks
}

// runsAtOnce says whether iterations of the loop below a mark run at the same time, and which loop
// that is.
func runsAtOnce(m mark.Mark) (loop string, is bool) {
	switch m := m.(type) {
	case mark.Parallel:
		return m.Loop, true
	case mark.Vector:
		return m.Loop, true
	case mark.Beside:
		return m.Loop, true
	case mark.Region:
		return m.Loop, true
	}
	return "", false
}
