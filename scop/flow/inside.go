package flow

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Inside is code that runs several times: Executions relate the instances of each of its statements,
// by their names, to what tells one time from another, and Writes says whether all that a statement
// writes to the array in question is written there.
type Inside struct {
	Executions map[string]*isl.Map
	Writes     func(statement string) bool
}

// Reading are the elements of an array that one reference of a statement reads.
type Reading struct {
	Statement *scop.StatementModel
	Elements  *isl.Map
}

// WritesFirst says whether each execution of the code writes all elements of an array that some of
// its references read, before they do. Which instance wrote what another one reads is the same in
// each legal order (Feautrier, Dataflow analysis of array and scalar references, 1991).
func (i Inside) WritesFirst(m *scop.Model, array string, readings []Reading) (bool, error) {
	values, err := Of(m, array)
	if err != nil {
		return false, err
	}
	for _, reads := range values.Undefined.Maps() {
		runs := i.Executions[reads.TupleName(isl.DimIn)]
		if runs == nil {
			continue
		}
		if none, err := reads.IntersectDomain(runs.Domain()).IsEmpty(); err != nil || !none {
			return false, err
		}
	}
	for _, r := range readings {
		if first, err := i.writtenBefore(m, array, values.Through, r); err != nil || !first {
			return false, err
		}
	}
	return true, nil
}

// writtenBefore says whether the execution has written all elements before that a reference reads.
// Sources relate instances that write to pairs of those that read, and the element.
func (i Inside) writtenBefore(m *scop.Model, array string, sources *isl.UnionMap, r Reading) (bool, error) {
	runs := i.Executions[r.Statement.Name]
	first := runs.Domain()
	pairs := r.Elements.IntersectDomain(first).Wrap()
	for _, source := range sources.IntersectRange(pairs.ToUnionSet()).Maps() {
		writer := source.TupleName(isl.DimIn)
		if writes := i.Executions[writer]; writes != nil && i.Writes(writer) {
			read := source.ApplyRange(r.readers(m, array))
			first = first.Subtract(read.Intersect(writes.ApplyRange(runs.Reverse())).Range())
		}
	}
	return first.IsEmpty()
}

// readers relate pairs of an instance and an element to the instance.
func (r Reading) readers(m *scop.Model, array string) *isl.Map {
	instance := r.Statement.Name + listed("i", r.Statement.Depth())
	return m.Context.ReadMap(fmt.Sprintf("{ [%s -> %s%s] -> %s }", instance, array, listed("e", r.Elements.Dim(isl.DimOut)), instance))
}

// listed are so many names in brackets.
func listed(name string, count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(name, k)
	}
	return "[" + strings.Join(names, ", ") + "]"
}
