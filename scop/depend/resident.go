package depend

import (
	"fmt"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkReached proves that all threads of all blocks get to a barrier of the grid: it is in a resident kernel, and in no loop whose iterations blocks share.
func (g *marksCheck) checkReached(m mark.Barrier, around []mark.Mark) error {
	isResident := false
	for _, outer := range around {
		switch outer := outer.(type) {
		case mark.Resident:
			isResident = true
		case mark.Block:
			return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s, whose iterations blocks share; they cannot all get there", m, outer.Loop)
		}
	}
	if g.complete && !isResident {
		return fmt.Errorf("illegal schedule: the mark %q is in no kernel whose blocks can wait for each other, which the command resident begins", m)
	}
	return nil
}

// checkBlocks proves of a resident kernel that all of its instances are in loops of blocks, and that these are right inside each other and along the same dimensions everywhere:
// each instance has one block.
func (g *marksCheck) checkBlocks(node *isl.ScheduleNode) error {
	r := &residentGrid{marksCheck: g, of: g.marks.Of(node)}
	return r.below(node)
}

// residentGrid are the dimensions of blocks that a resident kernel has, once the first loops of blocks are known.
type residentGrid struct {
	*marksCheck
	of    mark.Mark
	known bool
	has   [3]bool
}

// below checks the outermost loops of blocks of a subtree.
func (r *residentGrid) below(node *isl.ScheduleNode) error {
	if _, is := r.marks.Of(node).(mark.Block); is {
		own := &grid{marksCheck: r.marksCheck}
		if err := own.below(node, true, false); err != nil {
			return err
		}
		if r.known && own.has != r.has {
			return fmt.Errorf("illegal schedule: the mark %q: its loops of blocks are along different dimensions", r.of)
		}
		r.known, r.has = true, own.has
		return nil
	}
	children := node.Children()
	if len(children) == 0 {
		return fmt.Errorf("illegal schedule: the mark %q: it runs %s in no loop of blocks", r.of, node.Domain())
	}
	for _, child := range children {
		if err := r.below(child); err != nil {
			return err
		}
	}
	return r.Model.Context.Err()
}

// checkApartBlocks proves of a resident kernel that blocks wait between the instances of a dependence that different blocks run. Which of them are in one block, inBlock says.
func (k *kernel) checkApartBlocks(d *Dependence, inBlock *isl.Map) error {
	if !k.isResident {
		return nil
	}
	apart := k.start.together(d, d.Relation).Subtract(inBlock)
	for _, w := range k.waits {
		if inside := w.instances[d.Source]; inside != nil && w.mark.Grid {
			apart = apart.Subtract(apart.IntersectDomain(inside).Subtract(w.together(d, apart)))
		}
	}
	return k.mustBeEmpty(d, apart, fmt.Sprintf("in the kernel of the mark %q different blocks run both, and there is no barrier of the grid between them", k.mark))
}
