// Package boxes has the elements that code of a kernel uses by copies in a device's memories, and
// the smallest boxes around them.
package boxes

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Dimensions is the number of dimensions of a block of threads.
const Dimensions = 3

// MostShared is the number of bytes of shared memory that a block has on all devices of CUDA,
// without asking for more.
const MostShared = 48 * 1024

// LargestShared is the most that any device gives a block: a GPU of compute capability 9.0 (CUDA C++
// Programming Guide, Technical Specifications per Compute Capability).
const LargestShared = 227 * 1024

// Box is a mark.Box in a schedule tree, with what the code below uses of its array.
type Box struct {
	mark.Box
	// Name is that of the mark in the tree, Node its node.
	Name string
	Node *isl.ScheduleNode
	// Depth is the number of loops around.
	Depth int
	// Blocks are, of those loops, the places of those whose iterations are blocks. Waits is the
	// largest number of loops around of a part or a loop with the mark inside at whose end threads
	// wait, counting the loop: two executions of the box that differ in one of that many outermost
	// loops have a barrier between them. -1 for none.
	Blocks []int
	Waits  int
	// Threads are the numbers of threads of the block.
	Threads [Dimensions]int64
	// Around are the marks of the kernel around, around their nodes.
	Around []mark.Mark
	around []*isl.ScheduleNode
	// Executions are the values of the loops around when the code runs, by the statements that run.
	executions map[string]*isl.Set
	// Overlapped says what the code loads and stores where other blocks compute some of its
	// instances, too; nil elsewhere.
	Overlapped *mark.Overlapped
	// Uses are the accesses below by its references, and Others those by other references to its
	// array.
	Uses, Others []Use
	// writtenFirst says that each execution of the code writes all that it reads before.
	writtenFirst bool
}

// Use is an access to a box's array.
type Use struct {
	Statement *scop.StatementModel
	scop.Access
	// Number is its place among the accesses of the statement, and Reference how boxes call it
	// (scop.Program.Reference).
	Number    int
	Reference string
	// Elements are those of the array by the values of the loops around and, in private memory, the
	// numbers of the thread that runs an instance.
	Elements *isl.Map
	// Stored are those of Elements that the box stores, First those that it loads at least, of
	// instances in overlapped tiles; nil elsewhere.
	Stored, First *isl.Map
	// Runs relates the values of the loops around and the numbers of a thread to the instances, Last
	// to those of them that store their element as soon as they have written it; nil where the box is
	// stored behind the code, and for uses that do not write.
	Runs, Last *isl.Map
	// relation relates the instances of the statement to the elements.
	relation *isl.Map
}

// Kernels are the nodes of a schedule tree at which kernels begin.
func Kernels(node *isl.ScheduleNode, marks *mark.Table) (found []*isl.ScheduleNode) {
	switch marks.Of(node).(type) {
	case mark.Kernel, mark.Block, mark.Resident:
		return []*isl.ScheduleNode{node}
	}
	for _, child := range node.Children() {
		found = append(found, Kernels(child, marks)...)
	}
	return found
}

// in finds the boxes of a kernel.
func (f *finder) in(kernel *isl.ScheduleNode) error {
	if !f.hasAny(kernel) {
		return nil
	}
	for d := range f.threads {
		f.threads[d], f.counts[d] = map[string]*isl.Map{}, 1
	}
	if err := f.share(kernel); err != nil {
		return err
	}
	return f.below(kernel, place{waits: -1})
}

// finder looks for boxes.
type finder struct {
	model *scop.Model
	marks *mark.Table
	// threads relate instances, by the names of their statements, to the number of the thread that
	// runs them, along each dimension.
	threads [Dimensions]map[string]*isl.Map
	counts  [Dimensions]int64
	found   []*Box
}

// place is what is around a node in its kernel.
type place struct {
	blocks []int
	waits  int
	around []mark.Mark
	nodes  []*isl.ScheduleNode
	// overlapped is the mark of overlapped tiles around, nil for none.
	overlapped *mark.Overlapped
	// code is what is known of the code below, of which the marks right around are, too: by whether
	// threads have elements of their own.
	code map[bool][]execution
}

// hasAny says whether there is a box below a node.
func (f *finder) hasAny(node *isl.ScheduleNode) bool {
	_, is := f.marks.Of(node).(mark.Box)
	return is || slices.ContainsFunc(node.Children(), f.hasAny)
}

// share finds who runs the iterations of the loops below that threads share.
func (f *finder) share(node *isl.ScheduleNode) error {
	if m, is := f.marks.Of(node).(mark.Thread); is {
		band := LoopBelow(node)
		if band == nil {
			return fmt.Errorf("the mark %q is not on a single loop", m)
		}
		f.counts[m.Dimension] = max(f.counts[m.Dimension], m.Count)
		turn := f.model.Context.ReadMap(fmt.Sprintf("{ [v] -> [v mod %d] }", m.Count))
		for _, values := range band.BandPartialSchedule().IntersectDomain(band.Domain()).Maps() {
			name, own := values.TupleName(isl.DimIn), values.ApplyRange(turn)
			if known := f.threads[m.Dimension][name]; known != nil {
				own = own.Union(known)
			}
			f.threads[m.Dimension][name] = own
		}
	}
	for _, child := range node.Children() {
		if err := f.share(child); err != nil {
			return err
		}
	}
	return nil
}

// LoopBelow is the band of one member below a mark, nil where there is none.
func LoopBelow(node *isl.ScheduleNode) *isl.ScheduleNode {
	band := node.Children()[0]
	for band.Type() == isl.NodeMark {
		band = band.Children()[0]
	}
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		return nil
	}
	return band
}

// below finds the boxes below a node.
func (f *finder) below(node *isl.ScheduleNode, p place) error {
	depth := node.ScheduleDepth()
	m := f.marks.Of(node)
	if m == nil || p.code == nil {
		p.code = map[bool][]execution{}
	}
	if m != nil {
		p.around, p.nodes = append(slices.Clip(p.around), m), append(slices.Clip(p.nodes), node)
	}
	switch m := m.(type) {
	case mark.Block:
		p.blocks = append(slices.Clip(p.blocks), depth)
	case mark.Barrier:
		p.waits = depth
	case mark.Overlapped:
		p.overlapped = &m
	case mark.Box:
		outside := len(p.around) - 1
		box := &Box{Box: m, Name: node.MarkName(), Node: node, Depth: depth, Blocks: p.blocks, Waits: p.waits, Threads: f.counts, Around: p.around[:outside], around: p.nodes[:outside], Overlapped: p.overlapped, executions: map[string]*isl.Set{}}
		if err := f.uses(box, p); err != nil {
			return err
		}
		f.found = append(f.found, box)
	}
	for _, child := range node.Children() {
		if err := f.below(child, p); err != nil {
			return err
		}
	}
	return f.model.Context.Err()
}

// Executions are the values of the loops around when the code runs.
func (b *Box) Executions() (all *isl.Set) {
	for _, name := range slices.Sorted(maps.Keys(b.executions)) {
		if all == nil {
			all = b.executions[name]
		} else {
			all = all.Union(b.executions[name])
		}
	}
	if all == nil {
		return nil
	}
	return all.Coalesce()
}

// Piece is what some of the statements below use of the box; isAll says that no others use it. What
// others write first in each execution of the code, a piece loads all the same.
func (b *Box) Piece(statements []string) (piece *Box, isAll bool) {
	made := *b
	made.executions, made.Uses = map[string]*isl.Set{}, nil
	for _, name := range statements {
		made.executions[name] = b.executions[name]
	}
	for _, use := range b.Uses {
		if slices.Contains(statements, use.Statement.Name) {
			made.Uses = append(made.Uses, use)
		}
	}
	isAll = len(made.Uses) == len(b.Uses)
	made.writtenFirst = b.writtenFirst && isAll
	return &made, isAll
}

// Elements are those that some of the uses touch, as few convex sets as are found; nil where none
// does.
func (b *Box) Elements(which func(scop.Access) bool) *isl.Map {
	all := elementsOf(b.Uses, which)
	if all == nil {
		return nil
	}
	return all.Coalesce()
}

// Touched are those that any of the uses touches, each use's for themselves, which are there at
// once; nil where none does.
func (b *Box) Touched() *isl.Map { return elementsOf(b.Uses, Any) }

// IsWritten says whether some use writes elements.
func (b *Box) IsWritten() bool {
	return slices.ContainsFunc(b.Uses, func(u Use) bool { return u.Write })
}

// Common are the elements, by the values of the loops around, that both the box's references and
// others touch, and of which one of both writes some; nil for none.
func (b *Box) Common() (common *isl.Map) {
	if len(b.Others) == 0 {
		return nil
	}
	for _, pair := range [][2]*isl.Map{{elementsOf(b.Uses, Any), elementsOf(b.Others, Written)}, {elementsOf(b.Uses, Written), elementsOf(b.Others, Any)}} {
		if pair[0] == nil || pair[1] == nil {
			continue
		}
		both := pair[0].ProjectOut(isl.DimIn, b.Depth, Dimensions).Intersect(pair[1].ProjectOut(isl.DimIn, b.Depth, Dimensions))
		if common == nil {
			common = both
		} else {
			common = common.Union(both)
		}
	}
	return common
}

// elementsOf are those that some uses touch.
func elementsOf(uses []Use, which func(scop.Access) bool) (all *isl.Map) {
	for _, use := range uses {
		switch {
		case !which(use.Access):
		case all == nil:
			all = use.Elements
		default:
			all = all.Union(use.Elements)
		}
	}
	return all
}

// Any says that all accesses count.
func Any(scop.Access) bool { return true }

// Read says that those that read count.
func Read(a scop.Access) bool { return a.Read }

// Written says that those that write count.
func Written(a scop.Access) bool { return a.Write }

// Bytes is the size of the box, whose elements have so many bytes.
func Bytes(m mark.Box, element int64) int64 {
	bytes := element
	for _, length := range Lengths(m, element) {
		bytes *= length
	}
	return bytes
}

// banks is the number of words of shared memory, of four bytes, that a warp may have at once: those
// with different numbers modulo it.
const banks = 32

// Lengths are the extents of the memory of a box, whose elements have so many bytes: a row in
// shared memory with a multiple of as many words as there are banks has an element more, so that
// threads that use a column have words of different banks, unless it is to have none.
func Lengths(m mark.Box, element int64) []int64 {
	lengths := make([]int64, len(m.Sides))
	for d, s := range m.Sides {
		lengths[d] = s.Extent
	}
	if last := len(lengths) - 1; last > 0 && m.Memory.IsShared() && !m.Unpadded && lengths[last]*element%(4*banks) == 0 {
		lengths[last]++
	}
	return lengths
}
