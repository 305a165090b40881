package boxes

import (
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// findFresh says whether the code of a box writes all elements that it reads before, each in the
// same execution, so that nothing is to be loaded. Executions relate the instances of each statement
// below the box to the values of the loops around it and the numbers of threads.
func (b *Box) findFresh(model *scop.Model, executions map[string]*isl.Map) (err error) {
	if !b.IsWritten() || !b.reads() || b.Overlapped != nil {
		return model.Context.Err()
	}
	var readings []flow.Reading
	for _, use := range b.Uses {
		if use.Read {
			readings = append(readings, flow.Reading{Statement: use.Statement, Elements: use.relation})
		}
	}
	b.writtenFirst, err = flow.Inside{Executions: executions, Writes: b.writesAllOf}.WritesFirst(model, b.Array, readings)
	return err
}

// writesAllOf says whether a statement writes to the array by uses of the box alone.
func (b *Box) writesAllOf(statement string) bool {
	writes := func(u Use) bool { return u.Statement.Name == statement && u.Write }
	return slices.ContainsFunc(b.Uses, writes) && !slices.ContainsFunc(b.Others, writes)
}
