package depend

import (
	"fmt"

	"polytune/isl"
)

// checkRegion checks that no dependence between the iterations of the loops outside of
// a region's parallel loop leads from one iteration of that to another one, which
// may be that of another thread: between all instances that run in one iteration
// of the loops around the region.
func (g *Graph) checkRegion(mark *isl.ScheduleNode) error {
	parallel := parallelBelow(mark)
	if parallel == nil {
		return fmt.Errorf("illegal schedule: the mark %q has no single parallel loop inside", mark.MarkName())
	}
	return g.checkFree(mark.MarkName(), "", mark, parallel)
}

// parallelBelow is the band of the parallel loop of a region, with nothing but
// loops and marks on the way to it; nil when there is none.
func parallelBelow(region *isl.ScheduleNode) *isl.ScheduleNode {
	marked := false
	for node := region.Children()[0]; ; node = node.Children()[0] {
		switch {
		case node.Type() == isl.NodeMark:
			kind, _, clauses := cutMark(node.MarkName())
			if kind == MarkRegion || kind == MarkPrivate || kind == MarkParallel && clauses != "" {
				return nil
			}
			marked = marked || kind == MarkParallel
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
