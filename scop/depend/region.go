package depend

import (
	"fmt"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkRegion checks that no dependence between the iterations of the loops outside of
// a region's parallel loop leads from one iteration of that to another one, which
// may be that of another thread: between all instances that run in one iteration
// of the loops around the region.
func (g *marksCheck) checkRegion(m mark.Region, node *isl.ScheduleNode) error {
	parallel := g.parallelBelow(node)
	if parallel == nil {
		return fmt.Errorf("illegal schedule: the mark %q has no single parallel loop inside", m)
	}
	return g.checkFree(m, nil, node, parallel)
}

// parallelBelow is the band of the parallel loop of a region, with nothing but
// loops and marks on the way to it; nil when there is none.
func (g *marksCheck) parallelBelow(region *isl.ScheduleNode) *isl.ScheduleNode {
	marked := false
	for node := region.Children()[0]; ; node = node.Children()[0] {
		switch {
		case node.Type() == isl.NodeMark:
			switch m := g.marks.Of(node).(type) {
			case mark.Region, mark.Private:
				return nil
			case mark.Parallel:
				if len(m.Reductions) > 0 {
					return nil
				}
				marked = true
			}
		case node.Type() != isl.NodeBand || node.BandMembers() != 1:
			return nil
		case marked:
			return node
		}
		if len(node.Children()) != 1 {
			return nil
		}
	}
}
