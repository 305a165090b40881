package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// checkReached proves that all threads of all blocks get to a barrier of the grid: it is in a
// resident kernel, and in no loop whose iterations blocks share.
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

// checkBlocks proves of a resident kernel that all of its instances are in loops of blocks, and
// that these are right inside each other and along the same dimensions everywhere: each instance
// has one block.
func (g *marksCheck) checkBlocks(node *isl.ScheduleNode) error {
	r := &residentGrid{marksCheck: g, of: g.marks.Of(node)}
	return r.below(node)
}

// residentGrid are the dimensions of blocks that a resident kernel has, once the first loops of
// blocks are known.
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

// checkApartBlocks proves of a resident kernel that blocks wait between the instances of a
// dependence that different blocks run. Which of them are in one block, inBlock says.
func (k *kernel) checkApartBlocks(d *Dependence, inBlock *isl.Map) error {
	if !k.isResident {
		return nil
	}
	apart := k.start.together(d, d.Relation).Subtract(inBlock)
	for _, w := range k.waits {
		if w.instances[d.Source] != nil && w.mark.Grid {
			apart = w.unwaited(d, apart)
		}
	}
	return k.mustBeEmpty(d, apart, fmt.Sprintf("in the kernel of the mark %q different blocks run both, and there is no barrier of the grid between them", k.mark))
}

// isOneEach says whether a block has one value of each loop of blocks around a box: each of a
// kernel that is not resident, and of one that keeps elements.
func (k *kernel) isOneEach(box *boxes.Box) bool { return !k.isResident || box.Memory == mark.Kept }

// checkKept proves of a box in resident memory that a block may have its elements as long as its
// kernel runs: all that is done with the array in the kernel is done in the box, which stays where
// it is; each element that is written has one block that does so; and what others read of these is
// stored, and loaded, when it was written. The barriers of the grid between a block that writes an
// element and one that reads it, or the other way round, are outside of the box, which stores and
// loads at its ends: between the copies, too.
func (k *kernel) checkKept(box *boxes.Box, outside int) error {
	switch {
	case !k.isResident:
		return fmt.Errorf("illegal schedule: the mark %q is in no kernel whose blocks stay, which the command resident begins", box.Box)
	case outside > 0:
		return fmt.Errorf("illegal schedule: the mark %q is in a kernel inside of loops, which runs several times; copy %s to shared", box.Box, box.Array)
	case len(box.Others) > 0:
		return fmt.Errorf("illegal schedule: the mark %q: other references use elements of %s that a block keeps: %s", box.Box, box.Array, referencesOf(box.Others))
	case !box.IsWritten():
		return fmt.Errorf("illegal schedule: the mark %q keeps elements of %s, which the kernel does not write; copy it to shared", box.Box, box.Array)
	}
	for d, side := range box.Sides {
		for l, factor := range side.Origin.Iterators {
			if factor != 0 && !slices.Contains(box.Blocks, l) {
				return fmt.Errorf("illegal schedule: the mark %q: which elements of %s a block has changes along dimension %d while it runs", box.Box, box.Array, d+1)
			}
		}
	}
	if err := k.checkAllBelow(box); err != nil {
		return err
	}
	owners := box.ByBlock(box.Elements(boxes.Written)).Reverse()
	if one, err := owners.IsSingleValued(); err != nil || !one {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q: several blocks write the same elements of %s, of which each would keep one of its own", box.Box, box.Array))
	}
	return k.checkExchanged(box)
}

// checkAllBelow proves that all accesses of a kernel to the array of a box use it.
func (k *kernel) checkAllBelow(box *boxes.Box) error {
	below, err := k.placeOf(box.Node)
	if err != nil {
		return err
	}
	for _, s := range k.start.statements() {
		all := k.start.instances[s]
		statement := k.Model.Statements[s].Statement
		for _, access := range statement.Accesses {
			if access.Array != box.Array {
				continue
			}
			if below.instances[s] != nil {
				whole, err := all.IsSubset(below.instances[s])
				if err != nil {
					return err
				}
				if whole {
					break
				}
			}
			return fmt.Errorf("illegal schedule: the mark %q: %s uses %s elsewhere in the kernel", box.Box, statement.Spelling(), box.Array)
		}
	}
	return nil
}

// checkExchanged proves that a block has all elements that it reads, which it writes or loads, that
// it loads elements of the array alone, and that it stores all that it writes and others read.
func (k *kernel) checkExchanged(box *boxes.Box) error {
	kept := box.KeptBy(box)
	others := kept.Start.Range().Subtract(box.Touched().Range())
	if all, known := k.Model.Declared(box.Array); known {
		others = others.Subtract(all)
	}
	if none, err := others.IsEmpty(); err != nil || !none { // what else is loaded somebody writes
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q loads what is no element of %s", box.Box, box.Array))
	}
	read, written := box.Elements(boxes.Read), box.Elements(boxes.Written)
	if read == nil {
		return nil
	}
	if has, err := read.IsSubset(kept.Start.Union(kept.Halo)); err != nil || !has {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q: a block reads elements of %s that it neither writes nor loads", box.Box, box.Array))
	}
	readOutside := box.BlockOf(k.Model.Context).ApplyRange(apartFrom(k.Model.Context, len(box.Blocks))).ApplyRange(box.ByBlock(read))
	if has, err := written.Intersect(readOutside).IsSubset(kept.Through); err != nil || !has {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q: other blocks read elements of %s that a block writes and does not store", box.Box, box.Array))
	}
	return nil
}

// apartFrom relates tuples of so many numbers to all others.
func apartFrom(context *isl.Context, count int) *isl.Map {
	var from, to, different []string
	for d := range count {
		from, to = append(from, fmt.Sprint("a", d)), append(to, fmt.Sprint("b", d))
		different = append(different, fmt.Sprintf("a%d != b%d", d, d))
	}
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] : %s }", strings.Join(from, ", "), strings.Join(to, ", "), strings.Join(different, " or ")))
}
