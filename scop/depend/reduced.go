package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// reduced is a loop inside of which threads have accumulators of their own.
type reduced struct {
	executions
	mark mark.Reduce
}

// reducedAt are the clauses under which threads have accumulators of their own in the loop below
// the mark of a node: by its own marks, and by those around.
func (g *marksCheck) reducedAt(node *isl.ScheduleNode, around []mark.Mark) (clauses []scop.Clause) {
	for child := node; child.Type() == isl.NodeMark; child = child.Children()[0] {
		around = append(slices.Clip(around), g.marks.Of(child))
	}
	for _, m := range around {
		if r, is := m.(mark.Reduce); is {
			clauses = append(clauses, r.Reductions...)
		}
	}
	return clauses
}

// checkReduce proves what a mark claims inside of which threads have accumulators of their own:
// that all threads of a block get there, which put these together; that all that is done inside
// with the array of a clause are updates of one element in each execution of the loop, in any
// order; and that no other such mark around is about the array.
func (g *marksCheck) checkReduce(m mark.Reduce, node *isl.ScheduleNode, around []mark.Mark) error {
	for _, outer := range around {
		switch outer := outer.(type) {
		case mark.Thread:
			return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s, whose iterations threads share; they cannot all get there", m, outer.Loop)
		case mark.Resident:
			return fmt.Errorf("illegal schedule: the mark %q is in a kernel whose blocks stay, which has no accumulators of threads", m)
		case mark.Reduce:
			for _, c := range m.Reductions {
				if slices.ContainsFunc(outer.Reductions, func(other scop.Clause) bool { return other.Array == c.Array }) {
					return fmt.Errorf("illegal schedule: the mark %q is inside of the loop %s, whose threads have accumulators for %s already", m, outer.Loop, c.Array)
				}
			}
		}
	}
	if g.complete && !isInKernel(around) {
		return fmt.Errorf("illegal schedule: the mark %q is in no kernel, which the command kernel or block begins", m)
	}
	below := node.Domain()
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(below))
	if err != nil {
		return err
	}
	for _, c := range m.Reductions {
		if err := g.checkAlone(c, m, outer); err != nil {
			return err
		}
		if err := g.checkAnyOrder(c, m, outer); err != nil {
			return err
		}
		if err := g.checkOneElement(c, m, outer); err != nil {
			return err
		}
	}
	return nil
}

// checkAnyOrder checks that the updates under a clause may be in any order.
func (g *Graph) checkAnyOrder(c scop.Clause, m mark.Mark, below map[int][]*isl.Map) error {
	for s := range below {
		statement := g.Model.Statements[s].Statement
		r := statement.Reduction.Under(c)
		if r != nil && !g.Model.Program.AnyOrderAt(statement, r.Accesses[0]) {
			return fmt.Errorf("illegal schedule: the mark %q: %s updates %s in order; allow another one with --reassociate", m, statement.Spelling(), c.Array)
		}
	}
	return nil
}

// isReduced says whether threads have accumulators of their own for a clause somewhere in the
// kernel, so that all its updates there are in such (checkReduced).
func (k *kernel) isReduced(c scop.Clause) bool {
	return slices.ContainsFunc(k.reductions, func(r reduced) bool { return slices.Contains(r.mark.Reductions, c) })
}

// checkReduced proves that a kernel does nothing with the arrays of a mark's clauses but where
// threads have accumulators for them, and has no copies of these: what the accumulators are put
// together in is known behind the kernel alone.
func (k *kernel) checkReduced(r reduced) error {
	for _, c := range r.mark.Reductions {
		for _, box := range k.boxes {
			if box.Array == c.Array {
				return fmt.Errorf("illegal schedule: the mark %q has accumulators for %s, of which the mark %q has a copy", r.mark, c.Array, box.Box.Box)
			}
		}
		for _, s := range k.start.statements() {
			left := k.start.instances[s]
			statement := k.Model.Statements[s].Statement
			if !slices.ContainsFunc(statement.Accesses, func(a scop.Access) bool { return a.Array == c.Array }) {
				continue
			}
			for _, other := range k.reductions {
				if inside := other.instances[s]; inside != nil && slices.Contains(other.mark.Reductions, c) {
					left = left.Subtract(inside)
				}
			}
			if none, err := left.IsEmpty(); err != nil {
				return err
			} else if !none {
				return fmt.Errorf("illegal schedule: the mark %q has accumulators for %s, which %s uses elsewhere in the kernel", r.mark, c.Array, statement.Spelling())
			}
		}
	}
	return nil
}
