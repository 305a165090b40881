// Package flow finds where the values come from that references read.
package flow

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// LiveIn relates the instances of some statements, given by their indices, to
// the elements that they read and that none of these statements has certainly written before:
// those whose values come from outside. Elements of private arrays have the
// iteration that they belong to in front of their subscripts.
func LiveIn(m *scop.Model, statements []int) (*isl.UnionMap, error) {
	all, err := Among(m, func(s *scop.StatementModel, _ string) bool { return slices.Contains(statements, s.Index) })
	return all.Undefined, err
}

// Of computes where the values come from that statements read from the arrays, once for each model:
// proofs, barriers and copies of one kernel ask the same.
func Of(m *scop.Model, arrays ...string) (isl.Flow, error) {
	type question struct{ arrays string }
	return scop.Known(m, question{strings.Join(arrays, "\x00")}, func() (isl.Flow, error) {
		all, err := Among(m, func(_ *scop.StatementModel, array string) bool { return slices.Contains(arrays, array) })
		return all.Kept(), err
	})
}

// Among computes where the values come from that references read, among
// those that are chosen: the flow dependences of last writers (Feautrier,
// Dataflow analysis of array and scalar references, 1991). Each iteration of the loops around a
// private array's declaration has other elements of it.
func Among(m *scop.Model, chosen func(s *scop.StatementModel, array string) bool) (isl.Flow, error) {
	all := orderOf(m, chosen).Flow(Relations(m, chosen))
	return all, m.Context.Err()
}

// Relations are the relations of the references that are chosen, those that certainly write apart
// from others.
func Relations(m *scop.Model, chosen func(s *scop.StatementModel, array string) bool) (reads, writes, mayWrites *isl.UnionMap) {
	reads, writes, mayWrites = m.Context.ReadUnionMap("{ }"), m.Context.ReadUnionMap("{ }"), m.Context.ReadUnionMap("{ }")
	for i := range m.Statements {
		s := &m.Statements[i]
		for k, a := range s.Statement.Accesses {
			if !chosen(s, a.Array) {
				continue
			}
			relation := Objects(m, s, k).ToUnionMap()
			if a.Read {
				reads = reads.Union(relation)
			}
			switch {
			case a.Write && a.May:
				mayWrites = mayWrites.Union(relation)
			case a.Write:
				writes = writes.Union(relation)
			}
		}
	}
	return reads, writes, mayWrites
}

// Objects is an access of a statement with the iteration that a private
// array's object belongs to in front of the subscripts.
func Objects(m *scop.Model, s *scop.StatementModel, access int) *isl.Map {
	array := s.Statement.Accesses[access].Array
	loops := m.Program.PrivateLoops(array)
	if loops == 0 {
		return s.Accesses[access]
	}
	return Iteration(m, s, loops, make([]int64, loops)).FlatRangeProduct(s.Accesses[access]).SetTupleName(isl.DimOut, array)
}

// Iteration relates the instances of a statement to the iterations of its
// outermost loops, counted from the given ones.
func Iteration(m *scop.Model, s *scop.StatementModel, loops int, first []int64) *isl.Map {
	names, numbers := make([]string, s.Depth()), make([]string, loops)
	for k := range names {
		names[k] = fmt.Sprintf("i%d", k)
	}
	for k := range numbers {
		numbers[k] = fmt.Sprintf("%s - (%d)", names[k], first[k])
	}
	return m.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> [%s] }", s.Name, strings.Join(names, ", "), strings.Join(numbers, ", ")))
}

// Order is the original schedule of all statements, in vectors of one length.
func Order(m *scop.Model) *isl.UnionMap {
	type question struct{}
	order, _ := scop.Lately(m, question{}, func() (*isl.UnionMap, error) {
		return union(m, timesOf(m)), m.Context.Err()
	})
	return order
}

// orderOf is Order for the statements that have references that are chosen: isl takes the times of
// others through each step of its search for sources, too.
func orderOf(m *scop.Model, chosen func(s *scop.StatementModel, array string) bool) *isl.UnionMap {
	var times []*isl.UnionMap
	for i, time := range timesOf(m) {
		s := &m.Statements[i]
		if slices.ContainsFunc(s.Statement.Accesses, func(a scop.Access) bool { return chosen(s, a.Array) }) {
			times = append(times, time)
		}
	}
	return union(m, times)
}

// timesOf are the original schedules of the statements, in vectors of one length.
func timesOf(m *scop.Model) []*isl.UnionMap {
	type question struct{}
	times, _ := scop.Lately(m, question{}, func() (times []*isl.UnionMap, err error) {
		longest := LongestTime(m)
		for i := range m.Statements {
			s := &m.Statements[i]
			times = append(times, m.Context.ReadMap(PaddedTime(s, longest)).IntersectDomain(s.Domain).ToUnionMap())
		}
		return times, m.Context.Err()
	})
	return times
}

// union is that of some relations.
func union(m *scop.Model, list []*isl.UnionMap) *isl.UnionMap {
	all := m.Context.ReadUnionMap("{ }")
	for _, relation := range list {
		all = all.Union(relation)
	}
	return all
}

// PaddedTime is the original schedule of a statement with zeros behind it, up to a length.
func PaddedTime(s *scop.StatementModel, length int) string {
	return strings.TrimSuffix(s.ScheduleText(), "] }") + strings.Repeat(", 0", length-2*s.Depth()-1) + "] }"
}

// LongestTime is the length of the longest vector of positions and iterators of a statement, 1 at
// least.
func LongestTime(m *scop.Model) int {
	longest := 1
	for i := range m.Statements {
		longest = max(longest, 2*m.Statements[i].Depth()+1)
	}
	return longest
}
