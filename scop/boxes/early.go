package boxes

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// findLast finds, for a box whose elements are stored early, which instances write those that it
// stores for the last time in an execution of its code. Legal schedules run instances that write
// one element in the order of the source, so that these are the last ones there. Executions relate
// the instances of each statement to the values of the loops around and the numbers of threads.
func (b *Box) findLast(model *scop.Model, executions map[string]*isl.Map) {
	if !b.Early {
		return
	}
	for k := range b.Uses {
		u := &b.Uses[k]
		if !u.Write {
			continue
		}
		u.Runs = executions[u.Statement.Name].Reverse()
		u.Last = u.Runs
		if b.Overlapped != nil {
			u.Last = u.Last.Intersect(b.StoredElements().ApplyRange(u.relation.Reverse()))
		}
		for _, later := range b.Uses {
			if later.Write {
				runs := executions[later.Statement.Name].Reverse()
				u.Last = u.Last.Subtract(runs.ApplyRange(u.overwrittenBy(model, later).Reverse()))
			}
		}
		u.Last = u.Last.Coalesce()
	}
}

// overwrittenBy relates instances to those by which another use writes their element later in the
// source.
func (u *Use) overwrittenBy(model *scop.Model, later Use) *isl.Map {
	longest := flow.LongestTime(model)
	time := func(s *scop.StatementModel) *isl.Map { return model.Context.ReadMap(flow.PaddedTime(s, longest)) }
	var from, to []string
	for k := range longest {
		from, to = append(from, fmt.Sprint("a", k)), append(to, fmt.Sprint("b", k))
	}
	before := model.Context.ReadMap(fmt.Sprintf("{ [%[1]s] -> [%[2]s] : %[1]s << %[2]s }", strings.Join(from, ", "), strings.Join(to, ", ")))
	same := u.relation.ApplyRange(later.relation.Reverse())
	return same.Intersect(time(u.Statement).ApplyRange(before).ApplyRange(time(later.Statement).Reverse()))
}

// StoredEarly are the elements that instances store as soon as they have written them.
func (u *Use) StoredEarly() *isl.Map {
	return u.Last.ApplyRange(u.relation).SetTupleName(isl.DimOut, u.Array)
}
