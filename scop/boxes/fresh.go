package boxes

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// freshness tells whether an execution of a box's code writes what it reads before, so that nothing
// is to be loaded. Which instance wrote what another one reads is the same in each legal order
// (Feautrier, Dataflow analysis of array and scalar references, 1991).
type freshness struct {
	model *scop.Model
	// executions relate the instances of each statement below the box to the values of the loops
	// around it and the numbers of threads.
	executions map[string]*isl.Map
	// sources relate instances that write to pairs of those that read, and the element.
	sources *isl.UnionMap
}

// findFresh says whether the code of a box writes all elements that it reads before, each in the
// same execution.
func (b *Box) findFresh(model *scop.Model, executions map[string]*isl.Map) (err error) {
	if !b.IsWritten() || !b.reads() || b.Overlapped != nil {
		return model.Context.Err()
	}
	values, err := flow.Of(model, b.Array)
	if err != nil {
		return err
	}
	f := &freshness{model: model, executions: executions, sources: values.Through}
	for _, reads := range values.Undefined.Maps() {
		runs := executions[reads.TupleName(isl.DimIn)]
		if runs == nil {
			continue
		}
		if none, err := reads.IntersectDomain(runs.Domain()).IsEmpty(); err != nil || !none {
			return err
		}
	}
	for _, use := range b.Uses {
		if !use.Read {
			continue
		}
		if fresh, err := f.reads(b, use); err != nil || fresh {
			return err
		}
	}
	b.writtenFirst = true
	return nil
}

// writesAllOf says whether a statement writes to the array by uses of the box alone.
func (b *Box) writesAllOf(statement string) bool {
	writes := func(u Use) bool { return u.Statement.Name == statement && u.Write }
	return slices.ContainsFunc(b.Uses, writes) && !slices.ContainsFunc(b.Others, writes)
}

// reads says whether a use reads an element that the execution has not written before.
func (f *freshness) reads(b *Box, use Use) (bool, error) {
	runs := f.executions[use.Statement.Name]
	first := runs.Domain()
	pairs := use.relation.IntersectDomain(first).Wrap()
	for _, source := range f.sources.IntersectRange(pairs.ToUnionSet()).Maps() {
		writer := source.TupleName(isl.DimIn)
		if writes := f.executions[writer]; writes != nil && b.writesAllOf(writer) {
			read := source.ApplyRange(f.readers(use))
			first = first.Subtract(read.Intersect(writes.ApplyRange(runs.Reverse())).Range())
		}
	}
	empty, err := first.IsEmpty()
	return !empty, err
}

// readers relate pairs of an instance and an element to the instance.
func (f *freshness) readers(use Use) *isl.Map {
	instance := use.Statement.Name + listed("i", use.Statement.Depth())
	return f.model.Context.ReadMap(fmt.Sprintf("{ [%s -> %s%s] -> %s }", instance, use.Array, listed("e", use.relation.Dim(isl.DimOut)), instance))
}

// listed are so many names in brackets.
func listed(name string, count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(name, k)
	}
	return "[" + strings.Join(names, ", ") + "]"
}
