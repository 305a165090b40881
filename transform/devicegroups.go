package transform

import (
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
)

// kernelReference is a reference to an array in a kernel, with its subscripts; nil where they are
// no sums.
type kernelReference struct {
	scop.Access
	statement, access int
	name              string
	subscripts        []schedule.Row
}

// referenceGroup are references to one array whose elements are in the same memory.
type referenceGroup []kernelReference

// names are those of a group's references, each once, with blanks between them.
func (group referenceGroup) names() string {
	var names []string
	for _, r := range group {
		if !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return strings.Join(names, " ")
}

// isWritten says whether a reference of the group writes.
func (group referenceGroup) isWritten() bool {
	return slices.ContainsFunc(group, func(r kernelReference) bool { return r.Write })
}

// groupsOf are the references to an array in a kernel, those together that touch the same elements
// in one run of the kernel of which some are written, and those that only read elements beside each
// other, which are in one box. PPCG (Verdoolaege et al., ACM TACO 9(4), 2013, section 5.1) puts
// together what overlaps if something is written, or if the box for both is no larger than two.
func (m *deviceMapper) groupsOf(k *kernelShape, array string) (groups []referenceGroup) {
	for _, s := range k.statements {
		statement := &m.graph.Model.Statements[s]
		for a, access := range statement.Statement.Accesses {
			if access.Array != array {
				continue
			}
			r := kernelReference{Access: access, statement: s, access: a, name: m.graph.Model.Program.Reference(statement, a)}
			if r.name != "" {
				r.subscripts, _ = scop.Subscripts(statement.Accesses[a])
			}
			joined := referenceGroup{r}
			groups = slices.DeleteFunc(groups, func(group referenceGroup) bool {
				is := slices.ContainsFunc(group, func(other kernelReference) bool { return m.isTogether(k, other, r) })
				if is {
					joined = append(slices.Clip(group), joined...)
				}
				return is
			})
			groups = append(groups, joined)
		}
	}
	return groups
}

// isTogether says whether two references to an array are in one group.
func (m *deviceMapper) isTogether(k *kernelShape, a, b kernelReference) bool {
	switch {
	case a.name == b.name || isBeside(a, b):
		return true
	case !a.Write && !b.Write:
		return false
	}
	none, err := m.touchBoth(k, a, b).IsEmpty()
	return err != nil || !none
}

// isBeside says whether two references of one statement have elements in a constant distance.
func isBeside(a, b kernelReference) bool {
	if a.statement != b.statement || a.subscripts == nil || b.subscripts == nil {
		return false
	}
	for d, row := range a.subscripts {
		if !slices.Equal(row.Iterators, b.subscripts[d].Iterators) || !slices.Equal(row.Parameters, b.subscripts[d].Parameters) {
			return false
		}
	}
	return true
}

// touchBoth relates instances of two references' statements that run in one kernel and touch the
// same element.
func (m *deviceMapper) touchBoth(k *kernelShape, a, b kernelReference) *isl.Map {
	touch := func(r kernelReference) *isl.Map {
		s := &m.graph.Model.Statements[r.statement]
		return s.Accesses[r.access].IntersectDomain(s.Domain)
	}
	pairs := touch(a).ApplyRange(touch(b).Reverse())
	for _, rows := range k.host {
		pairs = pairs.Intersect(m.valuesOf(a.statement, rows).ApplyRange(m.valuesOf(b.statement, rows).Reverse()))
	}
	return pairs
}

// valuesOf relates the instances of a statement to the value of a loop.
func (m *deviceMapper) valuesOf(statement int, rows map[int]schedule.Row) *isl.Map {
	return m.graph.Model.Context.ReadMap(m.graph.Model.Program.RowsText(statement, rows[statement]))
}
