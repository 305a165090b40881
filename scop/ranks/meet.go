package ranks

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// meetings are the pieces of a schedule behind each execution of which all ranks wait for each
// other.
func meetings(m *scop.Model, s mark.Schedule) (list []*part, err error) {
	var walk func(node *isl.ScheduleNode, path []int, loops int)
	walk = func(node *isl.ScheduleNode, path []int, loops int) {
		if _, is := s.Marks.Of(node).(mark.Meet); is {
			list = append(list, &part{node: node, path: path, depth: loops, meets: true})
		}
		if node.Type() == isl.NodeBand {
			loops += node.BandMembers()
		}
		for k, child := range node.Children() {
			walk(child, append(slices.Clip(path), k), loops)
		}
	}
	walk(s.Tree.Root(), nil, 0)
	for _, p := range list {
		if err := p.relate(m); err != nil {
			return nil, err
		}
	}
	return list, m.Context.Err()
}

// meet puts an instance behind a piece for each of its executions on any rank: all wait there.
func (p *planner) meet(node *isl.ScheduleNode, piece *part) *isl.ScheduleNode {
	name := p.name(fmt.Sprint("tune_barrier", len(p.plan.Meets)))
	p.plan.Meets = append(p.plan.Meets, name)
	return node.GraftAfter(p.extension(piece, name))
}

// lastFirst compares places of pieces, such that what changes the tree at one leaves those that
// come behind it: later parts come first, and what is inside in front of what is around.
func lastFirst(a, b *part) int {
	if common := min(len(a.path), len(b.path)); slices.Equal(a.path[:common], b.path[:common]) {
		return len(b.path) - len(a.path)
	}
	return slices.Compare(b.path, a.path)
}
