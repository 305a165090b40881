package depend

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// checkInKernel proves of a copy in memory for constants that there is nothing else, and of others
// that they are in a kernel, with which checkBoxes proves the rest.
func (g *marksCheck) checkInKernel(m mark.Box, around []mark.Mark) error {
	switch {
	case m.Memory == mark.Constant:
		return g.checkConstant(m)
	case g.complete && !isInKernel(around):
		return fmt.Errorf("illegal schedule: the mark %q is in no kernel, which the command kernel or block begins", m)
	}
	return nil
}

// constantBytes is the size of all arrays in memory for constants.
func (g *marksCheck) constantBytes() (all int64) {
	for _, m := range *g.marks {
		if box, is := m.(mark.Box); is && box.Memory == mark.Constant {
			bytes, _ := boxes.ConstantBytes(g.Model.Program.Array(box.Array))
			all += bytes
		}
	}
	return all
}

// canLoad says why threads cannot make a copy inside of some marks: one that all make is in no loop
// that they share. Nil where they can.
func canLoad(m mark.Box, around []mark.Mark) error {
	for _, outer := range around {
		if _, shares := outer.(mark.Thread); shares && m.Memory.IsShared() {
			return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s, whose iterations threads share; they cannot all load the box", m, mark.LoopOf(outer))
		}
		if other, is := outer.(mark.Box); is && other.Meets(m) {
			return fmt.Errorf("illegal schedule: the mark %q is inside of another copy of %s", m, m.Array)
		}
	}
	return nil
}

// checkConstant proves that nobody writes an array, and that it fits beside the others.
func (g *marksCheck) checkConstant(m mark.Box) error {
	array := g.Model.Program.Array(m.Array)
	if array == nil {
		return fmt.Errorf("illegal schedule: there is no array %q", m.Array)
	}
	bytes, known := boxes.ConstantBytes(array)
	switch {
	case !known:
		return fmt.Errorf("illegal schedule: the mark %q: how long %s is depends on data, and constant memory has a fixed number of elements", m, array.Spelling())
	case bytes > boxes.MostConstants:
		return fmt.Errorf("illegal schedule: the mark %q: %s has more than the %d bytes that constant memory has", m, array.Spelling(), boxes.MostConstants)
	case g.constantBytes() > boxes.MostConstants:
		return fmt.Errorf("illegal schedule: the mark %q: %s and the other arrays there have more than the %d bytes that constant memory has", m, array.Spelling(), boxes.MostConstants)
	}
	for _, s := range g.Model.Program.Statements {
		for _, access := range s.Accesses {
			if access.Array == m.Array && access.Write {
				return fmt.Errorf("illegal schedule: the mark %q: %s writes %s", m, s.Spelling(), array.Spelling())
			}
		}
	}
	return nil
}

// boxed is a box of a kernel, with its executions. Those of one place have the same.
type boxed struct {
	*boxes.Box
	executions
	place int
}

// placed is a box behind those that are known so far: its code is that of the last one where it is
// right inside of it.
func (k *kernel) placed(box *boxes.Box) (made boxed, err error) {
	made = boxed{Box: box, place: len(k.boxes)}
	if n := len(k.boxes); n > 0 {
		last := k.boxes[n-1]
		if isInside, err := last.Node.Children()[0].IsEqual(box.Node); isInside || err != nil {
			made.executions, made.place = last.executions, last.place
			return made, err
		}
	}
	made.executions, err = k.placeOf(box.Node)
	return made, err
}

// checkBoxes proves of the copies in a kernel that a box has all elements that the code uses, that
// the code certainly uses those that are copied, that one thread alone uses an element of private
// memory, and that no box is loaded while threads of the block may still use the one before.
func (k *kernel) checkBoxes(node *isl.ScheduleNode) error {
	found, err := boxes.In(k.Model, k.marks, node)
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	for _, box := range found {
		if err := k.checkBox(box, node.ScheduleDepth()); err != nil {
			return err
		}
		placed, err := k.placed(box)
		if err != nil {
			return err
		}
		k.boxes = append(k.boxes, placed)
		if err := k.checkEarly(&k.boxes[len(k.boxes)-1]); err != nil {
			return err
		}
	}
	return nil
}

// checkBox proves what concerns one box of a kernel in so many loops.
func (k *kernel) checkBox(box *boxes.Box, outside int) error {
	if err := cmp.Or(canLoad(box.Box, box.Around), k.isBoxable(box), isAlone(box)); err != nil {
		return err
	}
	if k.isResident && len(box.Blocks) == 0 {
		return fmt.Errorf("illegal schedule: the mark %q is outside of the loops of blocks of its kernel, which all have one", box.Box)
	}
	if err := k.isOneBlocks(box); err != nil {
		return err
	}
	all := box.Touched()
	if len(box.Sides) != all.Dim(isl.DimOut) {
		return fmt.Errorf("illegal schedule: the mark %q: the elements of %s that one iteration touches have no box of constant extents", box.Box, box.Array)
	}
	for d, side := range box.Sides {
		if side.Extent < 1 || side.Stride < 1 || len(side.Origin.Iterators) != box.Depth || side.Thread >= boxes.Dimensions || side.Thread >= 0 && box.Memory != mark.Own {
			return fmt.Errorf("illegal schedule: the mark %q has no side %d that makes sense", box.Box, d+1)
		}
	}
	if inside, err := all.IsSubset(box.Inside(k.Model)); err != nil || !inside {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q has too few elements of %s: the box leaves out some that the code uses", box.Box, box.Array))
	}
	if box.Memory == mark.Kept {
		if err := k.checkKept(box, outside); err != nil {
			return err
		}
	} else if err := k.checkLoaded(box); err != nil {
		return err
	}
	if box.Memory == mark.Own {
		return k.checkOneThread(box, all)
	}
	return k.checkReloading(box, outside)
}

// isBoxable proves that the code below a box certainly uses the elements that are copied.
func (k *kernel) isBoxable(box *boxes.Box) error {
	if len(box.Uses)+len(box.Others) == 0 {
		return fmt.Errorf("illegal schedule: nothing below the mark %q uses %s", box.Box, box.Array)
	}
	for _, reference := range strings.Fields(box.References) {
		if !slices.ContainsFunc(box.Uses, func(u boxes.Use) bool { return u.Reference == reference }) {
			return fmt.Errorf("illegal schedule: nothing below the mark %q has the reference %s; there are %s", box.Box, reference, referencesOf(slices.Concat(box.Uses, box.Others)))
		}
	}
	for _, relaxed := range k.Relaxed {
		if k.Model.Statements[relaxed.Source].Statement.Accesses[relaxed.SourceAccess].Array == box.Array {
			return fmt.Errorf("illegal schedule: the mark %q copies %s, whose updates may run in any order", box.Box, box.Array)
		}
	}
	if slices.ContainsFunc(k.Model.Program.Privates(), func(p scop.Private) bool { return p.Name == box.Array }) {
		return fmt.Errorf("illegal schedule: the mark %q copies %s, of which iterations have one of their own", box.Box, box.Array)
	}
	for _, use := range box.Uses {
		if use.May || scop.Chooses(use.Statement.Value) {
			return fmt.Errorf("illegal schedule: the mark %q: nobody knows which elements of %s %s uses, since that depends on data", box.Box, box.Array, use.Statement.Spelling())
		}
	}
	return nil
}

// isOneBlocks proves that one block alone stores a box that is written: no loop of blocks is inside
// of it, whose blocks would all load and store all of the box.
func (k *kernel) isOneBlocks(box *boxes.Box) error {
	if inner := innermostBlocks(box.Node, k.marks); inner != "" && box.IsWritten() {
		return fmt.Errorf("illegal schedule: the mark %q is outside of the loop %s, all of whose blocks would store the box; copy %s at %s", box.Box, inner, box.Array, inner)
	}
	return nil
}

// innermostBlocks is the innermost loop of blocks below a node, "" for none.
func innermostBlocks(node *isl.ScheduleNode, marks *mark.Table) (loop string) {
	if m, is := marks.Of(node).(mark.Block); is {
		loop = m.Loop
	}
	for _, child := range node.Children() {
		loop = cmp.Or(innermostBlocks(child, marks), loop)
	}
	return loop
}

// isAlone proves that references that do not use a box touch none of its elements in one execution
// of the code below, unless all only read them.
func isAlone(box *boxes.Box) error {
	common := box.Common()
	if common == nil {
		return nil
	}
	if none, err := common.IsEmpty(); err != nil || !none {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q: other references to %s touch the same elements in one iteration, and some write them; name them, too: %s", box.Box, box.Array, referencesOf(box.Others)))
	}
	return nil
}

// referencesOf are the names of uses, each once.
func referencesOf(uses []boxes.Use) string {
	var names []string
	for _, use := range uses {
		if use.Reference != "" && !slices.Contains(names, use.Reference) {
			names = append(names, use.Reference)
		}
	}
	return strings.Join(names, " ")
}

// checkLoaded proves that a box has, when its code begins, all elements that the code reads, and
// that all that are loaded are elements of the array. Of an overlapped tile overlappedMemory knows
// what it reads that it has not written.
func (k *kernel) checkLoaded(box *boxes.Box) error {
	loaded, err := box.Loaded(k.Model)
	if loaded == nil && box.Box.Moves.Distance != 0 {
		return fmt.Errorf("illegal schedule: the mark %q keeps elements of %s, of which it loads none", box.Box, box.Array)
	}
	if loaded == nil || err != nil {
		return err
	}
	if has, err := box.HasAllRead(k.Model, loaded); box.Overlapped == nil && (err != nil || !has) {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q does not load all elements of %s that the code reads", box.Box, box.Array))
	}
	if box.Box.Moves.Distance != 0 {
		if moves, err := box.Moves(k.Model, loaded); err != nil || !moves {
			return cmp.Or(err, error(&KeptError{box.Box}))
		}
	}
	all, known := k.Model.There(box.Array)
	if !known {
		return nil
	}
	others := loaded.Range().Subtract(all)
	for _, use := range box.Uses {
		if use.Read {
			others = others.Subtract(use.Elements.Range())
		}
	}
	if none, err := others.IsEmpty(); err != nil || !none {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q loads what is no element of %s", box.Box, box.Array))
	}
	return nil
}

// checkOneThread proves that one thread of a block alone uses an element in one execution of what
// is below a box.
func (k *kernel) checkOneThread(box *boxes.Box, all *isl.Map) error {
	for d, count := range box.Threads {
		if count == 1 {
			continue
		}
		numbers := all.ProjectOut(isl.DimIn, box.Depth+d+1, boxes.Dimensions-d-1).ProjectOut(isl.DimIn, box.Depth, d)
		who := numbers.Wrap().Apply(k.swap(box, all.Dim(isl.DimOut))).Unwrap()
		if one, err := who.IsSingleValued(); err != nil || !one {
			return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q: several threads of a block use the same elements of %s, of which each would have one of its own", box.Box, box.Array))
		}
	}
	return nil
}

// swap makes [loops, number] -> element [loops, element] -> [number].
func (k *kernel) swap(box *boxes.Box, dimensions int) *isl.Map {
	var loops, elements []string
	for d := range box.Depth {
		loops = append(loops, fmt.Sprint("l", d))
	}
	for d := range dimensions {
		elements = append(elements, fmt.Sprint("e", d))
	}
	from := fmt.Sprintf("[[%s] -> %s[%s]]", strings.Join(append(slices.Clip(loops), "t"), ", "), box.Array, strings.Join(elements, ", "))
	to := fmt.Sprintf("[[%s] -> [t]]", strings.Join(append(loops, elements...), ", "))
	return k.Model.Context.ReadMap("{ " + from + " -> " + to + " }")
}

// ReloadError says that threads load a box while others may still use what the iteration of Loop
// before has loaded.
type ReloadError struct {
	Box  mark.Box
	Loop string
}

func (e *ReloadError) Error() string {
	return fmt.Sprintf("illegal schedule: the mark %q loads elements of %s while other threads may still use those of the iteration before, and there is no barrier between them; barrier %s", e.Box, e.Box.Array, e.Loop)
}

// KeptError says that a box keeps elements that the iteration before has not, or not any more.
type KeptError struct{ Box mark.Box }

func (e *KeptError) Error() string {
	return fmt.Sprintf("illegal schedule: the mark %q keeps elements of %s that the iteration before has not", e.Box, e.Box.Array)
}

// checkReloading proves that between two executions of what is below a box in shared memory, in one
// block, all threads wait: what loads the second box waits for whoever uses the first one. A kernel
// in so many loops is in one iteration of these. Several iterations of loops of blocks may be in
// one block where that stays.
func (k *kernel) checkReloading(box *boxes.Box, outside int) error {
	pairs := box.Executions().MapTo(box.Executions())
	same := pairs
	for d := range box.Depth {
		same = same.Equate(isl.DimIn, d, isl.DimOut, d)
		if d < outside || d < box.Waits || k.isOneEach(box) && slices.Contains(box.Blocks, d) {
			pairs = pairs.Equate(isl.DimIn, d, isl.DimOut, d)
		}
	}
	if none, err := pairs.Subtract(same).IsEmpty(); err != nil || !none {
		return cmp.Or(err, error(&ReloadError{Box: box.Box, Loop: box.Loop}))
	}
	return nil
}

// inside are the instances of a statement below the box whose access uses it; nil for none.
func (b *boxed) inside(model *scop.Model, statement, access int) *isl.Set {
	s := &model.Statements[statement]
	if s.Statement.Accesses[access].Array != b.Array || !b.Takes(model.Program.Reference(s, access)) {
		return nil
	}
	return b.instances[statement]
}

// unsynchronised are the pairs of a dependence in one block that nothing but a barrier puts in
// order: those that different threads run, and those of which one instance uses a copy that other
// threads load or store. leaving are those of them whose source leaves what it writes in a box,
// which is stored behind the box's code.
func (k *kernel) unsynchronised(d *Dependence, pairs, inThread *isl.Map) (apart, leaving *isl.Map) {
	apart, leaving = pairs.Subtract(inThread), pairs.Subtract(pairs)
	target := k.Model.Statements[d.Target].Statement.Accesses[d.TargetAccess]
	apartOf := map[int]*isl.Map{}
	for _, box := range k.boxes {
		if box.Memory == mark.Kept {
			continue // its elements are where they are in all executions, which a barrier is between
		}
		source, sink := box.inside(k.Model, d.Source, d.SourceAccess), box.inside(k.Model, d.Target, d.TargetAccess)
		if source == nil && sink == nil {
			continue
		}
		outside := apartOf[box.place]
		if outside == nil {
			outside = pairs.Subtract(box.together(d, pairs))
			apartOf[box.place] = outside
		}
		from, to := outside.Subtract(outside), outside.Subtract(outside)
		if source != nil {
			from = outside.IntersectDomain(source)
		}
		if sink != nil {
			to = outside.Reverse().IntersectDomain(sink).Reverse()
		}
		isShared, isLoaded := box.Memory == mark.Shared, !box.IsWritten()
		switch {
		case isShared && isLoaded: // loaded, and all have waited, before any thread goes on
			apart = apart.Subtract(from)
		case isShared:
			apart, leaving = apart.Union(from), leaving.Union(from)
		default:
			leaving = leaving.Union(from)
		}
		if isShared && d.Kind == RAW {
			apart = apart.Union(to)
		} else if isShared && target.Write && !target.Read && !box.Early {
			apart = apart.Subtract(to) // all wait in front of what stores the box
		}
	}
	return apart, apart.Intersect(leaving)
}

// unstored are those of some pairs, whose sources leave what they write in boxes, for which a
// barrier behind their sources is not behind the boxes.
func (k *kernel) unstored(pairs *isl.Map, w wait, d *Dependence) *isl.Map {
	unstored := pairs.Subtract(pairs)
	for _, box := range k.boxes {
		if inside := box.inside(k.Model, d.Source, d.SourceAccess); inside != nil && !slices.Contains(box.Around, mark.Mark(w.mark)) {
			unstored = unstored.Union(pairs.IntersectDomain(inside))
		}
	}
	return unstored
}
