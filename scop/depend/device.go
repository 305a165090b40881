package depend

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// checkOnDevice proves what a mark of a kernel claims: that of a block or of threads that the loop
// below carries nothing; that of a barrier that all threads of a block get there; and that of the
// outermost one of a kernel, what checkKernel does.
func (g *marksCheck) checkOnDevice(m mark.Mark, node *isl.ScheduleNode, around []mark.Mark) error {
	barrier, isBarrier := m.(mark.Barrier)
	thread, isThread := m.(mark.Thread)
	_, isResident := m.(mark.Resident)
	_, isKernel := m.(mark.Kernel)
	isKernel = isKernel || isResident
	for _, outer := range around {
		if _, shares := outer.(mark.Thread); shares && !isThread {
			return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s, whose iterations threads share; they cannot all get there", m, mark.LoopOf(outer))
		}
	}
	if isThread {
		if err := checkTurns(thread, around); err != nil {
			return err
		}
	}
	if barrier.Grid {
		if err := g.checkReached(barrier, around); err != nil {
			return err
		}
	}
	inside := isInKernel(around)
	beside := ""
	if isBarrier {
		beside = "; threads of a processor start at region or team, and ranks share loops by the command ranks"
	}
	switch {
	case !g.complete:
		if isBarrier || isKernel {
			return nil
		}
		return g.checkLoop(m, g.reducedAt(node, around), node)
	case !inside && (isBarrier || isThread):
		return fmt.Errorf("illegal schedule: the mark %q is in no kernel, which the command kernel, block or resident begins%s", m, beside)
	case inside && isKernel:
		return fmt.Errorf("illegal schedule: the mark %q is inside of another kernel", m)
	case isBarrier:
		return nil
	}
	if !isKernel {
		if err := g.checkLoop(m, g.reducedAt(node, around), node); err != nil {
			return err
		}
	}
	if inside {
		return nil
	}
	if isResident {
		if err := g.checkBlocks(node); err != nil {
			return err
		}
	} else if err := g.checkGrid(node); err != nil {
		return err
	}
	return g.checkKernel(m, node)
}

// isInKernel says whether one of the marks begins a kernel.
func isInKernel(marks []mark.Mark) bool {
	for _, m := range marks {
		switch m.(type) {
		case mark.Kernel, mark.Block, mark.Resident:
			return true
		}
	}
	return false
}

// checkKernel proves that of two instances of one block that depend on each other and that
// different threads run, one is in front of a barrier and the other behind it. Thread v modulo the
// number of threads runs iteration v of a loop that threads share, and thread 0 what is in no such
// loop. A barrier at the end of the iterations of a loop is between an instance in the loop and all
// that run later and not in the same iteration; one behind a part is between an instance in the
// part and all that run later and are not in the same execution of the part: they do not run before
// the iteration, or the part, has ended, of which all threads run an end. What instances hand on in
// private variables stays in one thread, which has variables of its own. Blocks of a resident
// kernel that depend on each other wait for each other in the same way, at barriers of the grid.
func (g *marksCheck) checkKernel(m mark.Mark, node *isl.ScheduleNode) error {
	_, isResident := m.(mark.Resident)
	k := &kernel{marksCheck: g, mark: m, isResident: isResident}
	start, err := k.placeOf(node)
	if err != nil {
		return err
	}
	k.start = start
	if err := k.below(node); err != nil {
		return err
	}
	if err := k.checkBoxes(node); err != nil {
		return err
	}
	if err := k.allThreads(); err != nil {
		return err
	}
	for _, r := range k.reductions {
		if err := k.checkReduced(r); err != nil {
			return err
		}
	}
	if err := k.checkRelaxed(node); err != nil {
		return err
	}
	return k.checkPrivates()
}

// checkRelaxed proves that threads wait between updates of one element, whichever of both runs
// first, but for those that they add up apart.
func (k *kernel) checkRelaxed(node *isl.ScheduleNode) error {
	if len(k.Relaxed) == 0 {
		return nil
	}
	times, err := k.timesOf(k.order.IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	for _, d := range Distinct(k.Relaxed) {
		if k.isReduced(*d.Relaxed) || times[d.Source] == nil || times[d.Target] == nil {
			continue
		}
		for _, ordered := range d.asTheyRun(times) {
			if err := k.checkThreads(ordered); err != nil {
				return err
			}
		}
	}
	return nil
}

// asTheyRun are the pairs of a dependence whose sources run first, and the others the other way
// round.
func (d *Dependence) asTheyRun(times map[int][]*isl.Map) []*Dependence {
	together, forwards := d.Relation, d.Relation.Subtract(d.Relation)
	for k, time := range times[d.Source] {
		forwards = forwards.Union(together.Intersect(compare(time, times[d.Target][k], "<")))
		together = together.Intersect(compare(time, times[d.Target][k], "="))
	}
	other := d.with(d.Relation.Subtract(forwards).Reverse())
	other.Source, other.Target, other.SourceAccess, other.TargetAccess = d.Target, d.Source, d.TargetAccess, d.SourceAccess
	return []*Dependence{d.with(forwards), other}
}

// kernel is a kernel whose barriers are checked.
type kernel struct {
	*marksCheck
	mark  mark.Mark
	start executions
	// isResident says that blocks stay while loops around those of blocks run.
	isResident bool
	// blocks are the loops whose iterations are blocks, and threads those that threads share, by
	// their dimensions.
	blocks, threads [3][]map[int][]*isl.Map
	// waits are those of barriers: of the iterations of a loop, or the executions of a part, at the
	// end of which threads wait.
	waits []wait
	// boxes are the copies in memories of the device.
	boxes []boxed
	// reductions are the loops inside of which threads have accumulators of their own.
	reductions []reduced
}

// wait is a barrier: executions at the end of which threads wait.
type wait struct {
	executions
	mark mark.Barrier
}

// unwaited are those of some pairs between whose instances threads do not wait there.
func (w *wait) unwaited(d *Dependence, pairs *isl.Map) *isl.Map {
	return w.together(d, pairs).Union(pairs.Subtract(pairs.IntersectDomain(w.instances[d.Source])))
}

// executions are those of some code: times relate instances inside to that of their execution.
type executions struct {
	instances map[int]*isl.Set
	times     map[int][]*isl.Map
	// common are those of the graph whose dependences are asked about.
	common common
}

// statements are the numbers of the statements that have instances, in order: of several of which
// something is wrong, errors always name the same one.
func (e executions) statements() []int { return slices.Sorted(maps.Keys(e.instances)) }

// placeOf are the executions of what is below a node.
func (g *Graph) placeOf(node *isl.ScheduleNode) (e executions, err error) {
	here := node.Domain()
	e.instances, e.common = map[int]*isl.Set{}, g.common
	for _, set := range here.Sets() {
		extra, err := g.extraDimensions(set.TupleName(), set.Dim(isl.DimSet))
		if err != nil {
			return e, err
		}
		s := g.Model.Statement(set.TupleName())
		if e.instances[s.Index] = set; !g.expanded {
			e.instances[s.Index] = set.Contraction(extra).Range().SetTupleName(s.Name)
		}
	}
	e.times, err = g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(here))
	return e, err
}

// together are those of some pairs of which both instances are in one execution.
func (e executions) together(d *Dependence, pairs *isl.Map) *isl.Map {
	source, target := e.instances[d.Source], e.instances[d.Target]
	if source == nil || target == nil {
		return pairs.Subtract(pairs)
	}
	pairs = pairs.Intersect(source.MapTo(target))
	for n := range e.times[d.Source] {
		pairs = e.common.equal(d, pairs, e.times[d.Source][n], e.times[d.Target][n])
	}
	return pairs
}

// below finds the marks in the kernel.
func (k *kernel) below(node *isl.ScheduleNode) error {
	switch m := k.marks.Of(node).(type) {
	case mark.Block:
		own, err := k.valuesBelow(node)
		if err != nil {
			return err
		}
		k.blocks[m.Dimension] = append(k.blocks[m.Dimension], own)
	case mark.Thread:
		own, err := k.valuesBelow(node)
		if err != nil {
			return err
		}
		turn := k.Model.Context.ReadMap(fmt.Sprintf("{ [v] -> [v mod %d] }", m.Count))
		for _, values := range own {
			values[0] = values[0].ApplyRange(turn)
		}
		k.threads[m.Dimension] = append(k.threads[m.Dimension], own)
	case mark.Barrier:
		e, err := k.placeOf(node)
		if err != nil {
			return err
		}
		k.waits = append(k.waits, wait{e, m})
	case mark.Reduce:
		e, err := k.placeOf(node)
		if err != nil {
			return err
		}
		k.reductions = append(k.reductions, reduced{e, m})
	}
	for _, child := range node.Children() {
		if err := k.below(child); err != nil {
			return err
		}
	}
	return k.Model.Context.Err()
}

// valuesBelow are the values of the loop below a mark, by statement.
func (k *kernel) valuesBelow(node *isl.ScheduleNode) (map[int][]*isl.Map, error) {
	band := boxes.LoopBelow(node)
	if band == nil {
		return nil, fmt.Errorf("illegal schedule: the mark %q is not on a single loop", k.marks.Of(node))
	}
	values, err := k.timesOf(band.BandPartialSchedule().IntersectDomain(band.Domain()))
	if err != nil || !k.expanded {
		return values, err
	}
	return values, k.ofTheirOwn(values, band.Domain())
}

// ofTheirOwn takes the values of a loop, which sums are for all expanded instances, for those of
// its own where the kernel has others of a statement: other phases have other loops.
func (k *kernel) ofTheirOwn(values map[int][]*isl.Map, own *isl.UnionSet) error {
	here := setsOf(own)
	for s := range values {
		inside := here[k.Model.Statements[s].Name]
		isAll, err := k.start.instances[s].IsSubset(inside)
		if err != nil {
			return err
		}
		if !isAll {
			values[s][0] = values[s][0].IntersectDomain(inside)
		}
	}
	return nil
}

// valuesIn relates the instances of a statement to their value of one of some loops; nil where none
// has them.
func valuesIn(loops []map[int][]*isl.Map, statement int) (all *isl.Map) {
	for _, values := range loops {
		if own := values[statement]; own != nil && all == nil {
			all = own[0]
		} else if own != nil {
			all = all.Union(own[0])
		}
	}
	return all
}

// threadOf relates the instances of a statement in the kernel to the number of their thread along a
// dimension.
func (k *kernel) threadOf(statement, dimension int) *isl.Map {
	first := k.start.instances[statement]
	shared := valuesIn(k.threads[dimension], statement)
	if shared != nil {
		first = first.Subtract(shared.Domain())
	}
	zero := first.MapTo(k.Model.Context.ReadSet("{ [0] }"))
	if shared == nil {
		return zero
	}
	return zero.Union(shared)
}

// inBlock are the pairs of a dependence in one block of the kernel, and inThread those of them that
// one thread runs.
func (k *kernel) inBlock(d *Dependence) (pairs, inThread *isl.Map) {
	pairs = k.start.together(d, d.Relation)
	for _, loops := range k.blocks {
		if source, target := valuesIn(loops, d.Source), valuesIn(loops, d.Target); source != nil && target != nil {
			pairs = k.common.equal(d, pairs, source, target)
		}
	}
	inThread = pairs
	for dimension := range k.threads {
		if len(k.threads[dimension]) > 0 {
			inThread = inThread.Intersect(compare(k.threadOf(d.Source, dimension), k.threadOf(d.Target, dimension), "="))
		}
	}
	return pairs, inThread
}

// checkThreads proves that threads wait between the instances of a dependence.
func (k *kernel) checkThreads(d *Dependence) error {
	if k.start.instances[d.Source] == nil || k.start.instances[d.Target] == nil {
		return nil
	}
	start := k.Model.Context.Mark()
	defer k.Model.Context.Release(start)
	pairs, inThread := k.inBlock(d)
	if err := k.checkApartBlocks(d, pairs); err != nil {
		return err
	}
	apart, leaving := k.unsynchronised(d, pairs, inThread)
	for _, w := range k.waits {
		if inside := w.instances[d.Source]; inside != nil {
			apart, leaving = w.unwaited(d, apart), w.unwaited(d, leaving).Union(k.unstored(leaving, w, d))
		}
	}
	return k.mustBeEmpty(d, apart.Union(leaving), fmt.Sprintf("in the kernel of the mark %q different threads of a block run both, and there is no barrier between them", k.mark))
}

// checkPrivates proves that one thread runs all that access one object of a private variable.
func (k *kernel) checkPrivates() error {
	for _, private := range k.Model.Program.Privates() {
		for _, d := range k.Dependences {
			if k.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array != private.Name || k.start.instances[d.Source] == nil || k.start.instances[d.Target] == nil {
				continue
			}
			pairs, inThread := k.inBlock(d)
			if k.isResident {
				pairs = k.start.together(d, d.Relation)
			}
			if err := k.mustBeEmpty(d, pairs.Subtract(inThread), fmt.Sprintf("different threads run both, and each has a %s of its own", private.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}
