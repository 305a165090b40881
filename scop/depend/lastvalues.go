package depend

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// behind is the name of the statement that stands for whoever reads an array
// behind the region, an instance for each element.
const behind = "tune_behind"

// lastWriters relate the instances that write to the array, by statement, to those of
// behind: to the elements that have their values in the end.
func lastWriters(m *scop.Model, array string) (*isl.UnionMap, error) {
	type question struct{ array string }
	return scop.Lately(m, question{array}, func() (*isl.UnionMap, error) { return findLastWriters(m, array) })
}

func findLastWriters(m *scop.Model, array string) (*isl.UnionMap, error) {
	_, writes, mayWrites := flow.Relations(m, func(_ *scop.StatementModel, a string) bool { return a == array })
	reads, order := m.Context.ReadUnionMap("{ }"), flow.Order(m)
	for _, access := range slices.Concat(writes.Maps(), mayWrites.Maps()) {
		elements := access.Range()
		subscripts := numbered("e", elements.Dim(isl.DimSet))
		element := fmt.Sprintf("[%s]", strings.Join(subscripts, ", "))
		same := m.Context.ReadMap(fmt.Sprintf("{ %s%s -> %s%s }", array, element, behind, element)).IntersectDomain(elements)
		time := m.Context.ReadMap(fmt.Sprintf("{ %s%s -> [%d%s] }", behind, element, m.Program.PositionBehind(), strings.Repeat(", 0", flow.LongestTime(m)-1)))
		reads = reads.Union(same.Reverse().ToUnionMap())
		order = order.Union(time.IntersectDomain(same.Range()).ToUnionMap())
	}
	all := order.Flow(reads, writes, mayWrites)
	return all.From, m.Context.Err()
}

// numbered are so many names with a prefix.
func numbered(prefix string, count int) []string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(prefix, k)
	}
	return names
}

// lastValues is a statement behind all of the program and count more that brings the last values of
// an array back from its part that is expanded; nil where others write them all. iterators are
// those along the array's subscripts.
func lastValues(m *scop.Model, e scop.Expansion, count int, iterators []string) (*scop.Statement, error) {
	last, err := lastWriters(m, e.Array)
	if err != nil {
		return nil, err
	}
	names := slices.Concat(m.Program.IteratorNames(e.Statements[0])[:e.Loops], iterators)
	values := numbered("tune_", len(names))
	conditions := make([]string, len(names))
	for k := range names {
		conditions[k] = fmt.Sprintf("%s = %s", names[k], values[k])
	}
	instance := fmt.Sprintf("%s[%s]", m.Program.StatementBehind(count), strings.Join(names, ", "))
	named := m.Context.ReadMap(fmt.Sprintf("{ [%s] -> %s : %s }", strings.Join(values, ", "), instance, strings.Join(conditions, " and ")))
	domain := m.Context.ReadSet(fmt.Sprintf("{ %s : false }", instance))
	for _, elements := range last.Maps() {
		writer := m.Statement(elements.TupleName(isl.DimIn))
		if slices.Contains(e.Statements, writer.Index) {
			pairs := flow.Iteration(m, writer, e.Loops, make([]int64, e.Loops)).FlatRangeProduct(elements)
			domain = domain.Union(pairs.Range().Apply(named))
		}
	}
	domain = domain.Coalesce()
	if empty, err := domain.IsEmpty(); err != nil || empty {
		return nil, err
	}
	s := m.Program.LastValues(e, count, names, domain.String())
	return &s, m.Context.Err()
}

// sameLastValues proves that the array has the same values behind both programs: each element that
// of the same instance, from which a copy may have brought it.
func sameLastValues(before, after *scop.Model, array string, copies []string) error {
	was, err := lastWriters(before, array)
	if err != nil {
		return err
	}
	is, err := lastWriters(after, array)
	if err != nil {
		return err
	}
	isCopy := func(s *scop.StatementModel) bool { return s.Index >= len(before.Statements) }
	brought, err := flow.Of(after, append(slices.Clip(copies), array)...)
	if err != nil {
		return err
	}
	all := after.Context.ReadUnionMap("{ }")
	for _, values := range is.Maps() {
		copier := after.Statement(values.TupleName(isl.DimIn))
		if !isCopy(copier) {
			all = all.Union(values.ToUnionMap())
			continue
		}
		for _, from := range brought.From.Maps() {
			if from.TupleName(isl.DimOut) == copier.Name {
				all = all.Union(from.ApplyRange(values).ToUnionMap())
			}
		}
	}
	for _, missing := range brought.Undefined.Maps() {
		if isCopy(after.Statement(missing.TupleName(isl.DimIn))) {
			return fmt.Errorf("copies of %s lack values that the array has in the end", array)
		}
	}
	if same, err := all.IsEqual(was); err != nil || same {
		return err
	}
	return fmt.Errorf("copies of %s change its last values", array)
}

// liesInside says whether the statements that write to the array certainly do, and all access only
// elements that its declaration has. That of an argument may say less than there is; a variable has
// no others in C.
func liesInside(m *scop.Model, a *scop.Array) (bool, error) {
	type question struct{ array string }
	return scop.Known(m, question{a.Name}, func() (bool, error) { return findInside(m, a) })
}

func findInside(m *scop.Model, a *scop.Array) (bool, error) {
	for i := range m.Statements {
		s := &m.Statements[i]
		for k, access := range s.Statement.Accesses {
			if access.Array != a.Name {
				continue
			}
			if access.May && access.Write {
				return false, nil
			}
			if !a.Argument {
				continue
			}
			inside, err := subscriptsInside(m, s.Accesses[k].Range(), a.Extents)
			if !inside || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// subscriptsInside says whether the elements' subscripts are below the extents, as far as those
// are numbers and parameters.
func subscriptsInside(m *scop.Model, elements *isl.Set, extents []string) (bool, error) {
	for d, extent := range extents {
		text, known := extentText(m.Program, extent)
		if !known {
			return false, nil
		}
		if inside, err := subscriptInside(m, elements, d, text); !inside || err != nil {
			return false, err
		}
	}
	return true, nil
}

// subscriptInside says whether one of the elements' subscripts is from 0 to below an extent in
// isl's notation.
func subscriptInside(m *scop.Model, elements *isl.Set, d int, extent string) (bool, error) {
	below := m.Context.ReadMap("{ [extent] -> [subscript] : 0 <= subscript < extent }")
	subscripts := elements.ProjectOut(isl.DimSet, d+1, elements.Dim(isl.DimSet)-d-1).ProjectOut(isl.DimSet, 0, d)
	return subscripts.IsSubset(m.Context.ReadSet(extent).Apply(below))
}
