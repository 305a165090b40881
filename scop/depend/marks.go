package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// marksCheck is a check of what the marks of a schedule tree claim.
type marksCheck struct {
	*Graph
	marks *mark.Table
	// order is when instances run, which is asked of updates that may run in any order.
	order *isl.UnionMap
	// exact has the program's instances where the graph has expanded ones, else it is nil.
	exact *Graph
	// complete says that nothing will be added to the schedule, such as a barrier.
	complete bool
	// apart says that what is in kernels of overlapped tiles is checked apart.
	apart bool
}

// below checks all marks of a subtree. around are the marks around the node.
func (g *marksCheck) below(node *isl.ScheduleNode, around []mark.Mark) error {
	if node.Type() == isl.NodeMark {
		if g.apart && isOverlapped(node, g.marks) {
			return nil
		}
		m, err := g.marks.At(node.MarkName())
		if err != nil {
			return fmt.Errorf("illegal schedule: %w", err)
		}
		if err := g.checkMark(m, node, around); err != nil {
			return err
		}
		around = append(slices.Clip(around), m)
	}
	for _, child := range node.Children() {
		if err := g.below(child, around); err != nil {
			return err
		}
	}
	return g.Model.Context.Err()
}

// checkMark checks what one mark claims. Marks of private variables are what checkPrivates looks
// for; memory of the code's own is proven of the program's instances.
func (g *marksCheck) checkMark(m mark.Mark, node *isl.ScheduleNode, around []mark.Mark) error {
	switch m := m.(type) {
	case mark.Parallel:
		return g.checkLoop(m, m.Reductions, node)
	case mark.Vector:
		return g.checkLoop(m, m.Reductions, node)
	case mark.Beside:
		return g.checkLoop(m, nil, node)
	case mark.Region:
		return g.exactly().checkRegion(m, node)
	case mark.Pack:
		return g.exactly().checkPack(m, node)
	case mark.Local:
		if m.Loop == "" {
			return g.exactly().checkContract(m, node, around)
		}
		return g.exactly().checkCopy(m, node, around)
	case mark.Held:
		return g.exactly().checkHeld(m, node, around)
	case mark.Layout:
		return g.exactly().checkLayout(m, node, around)
	case mark.Relay:
		return g.exactly().checkRelay(m, node)
	case mark.Kernel, mark.Resident, mark.Block, mark.Thread, mark.Barrier:
		return g.checkOnDevice(m, node, around)
	case mark.Reduce:
		return g.checkReduce(m, node, around)
	case mark.Ranks:
		return g.checkRanks(m, node, around)
	case mark.Meet:
		return g.checkMeet(m, around)
	case mark.Box:
		return g.checkInKernel(m, around)
	case mark.Private, mark.Overlapped, mark.Allocate, mark.Hint: // copies look for memory around them
		return nil
	}
	return fmt.Errorf("illegal schedule: nothing proves what the mark %q claims", m)
}

// exactly is the check of the program's instances, where the graph has expanded ones.
func (g *marksCheck) exactly() *marksCheck {
	if g.exact == nil {
		return g
	}
	return &marksCheck{Graph: g.exact, marks: g.marks, complete: g.complete, apart: g.apart, order: g.order}
}

// checkLoop checks that the loop below marks carries no dependence, but for relaxed ones under the
// clauses.
func (g *marksCheck) checkLoop(m mark.Mark, reductions []scop.Clause, node *isl.ScheduleNode) error {
	band := node.Children()[0]
	for band.Type() == isl.NodeMark {
		band = band.Children()[0]
	}
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		return fmt.Errorf("illegal schedule: the mark %q is not on a single loop", m)
	}
	return g.checkFree(m, reductions, band, band)
}
