package ranks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// values are the values of an array's elements that one statement computes.
type values struct {
	writer, array string
	// subscripts is their number, behind the iterators of the writer.
	iterators, subscripts int
	// writers relate values to the instances that compute them.
	writers *isl.Map
	// readers relate them to the instances that read them, by the names of statements.
	readers map[string]*isl.Map
	// final are those that the elements have in the end.
	final *isl.Set
}

// tuple is the text of a value: the iterators of its writer and the subscripts.
func (v *values) tuple() string {
	names := append(listed("i", v.iterators), listed("e", v.subscripts)...)
	return "[" + strings.Join(names, ", ") + "]"
}

// element relates values to their elements.
func (v *values) element(m *scop.Model) *isl.Map {
	return m.Context.ReadMap(fmt.Sprintf("{ %s -> [%s] }", v.tuple(),
		strings.Join(listed("e", v.subscripts), ", ")))
}

func listed(name string, count int) []string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(name, k)
	}
	return names
}

// valuesOf are those that some instances read from others, and those of the end.
func valuesOf(m *scop.Model, order *isl.UnionMap, atEnd func(*scop.Array) bool) ([]*values, error) {
	all := func(*scop.StatementModel, string) bool { return true }
	reads, writes, mayWrites := flow.Relations(m, all)
	through := order.Flow(reads, writes, mayWrites).Through
	found := map[string]*values{}
	for _, t := range through.Maps() {
		pair := t.Range().Unwrap()
		reader := pair.TupleName(isl.DimIn)
		v := valueOf(m, found, t.TupleName(isl.DimIn), pair.TupleName(isl.DimOut),
			pair.Dim(isl.DimOut))
		s := m.Statement(reader)
		in := fmt.Sprintf("[%s%s -> [%s%s -> %s%s]]", v.writer, tupleOf("i", v.iterators), reader,
			tupleOf("j", s.Depth()), v.array, tupleOf("e", v.subscripts))
		read := t.Wrap()
		key := m.Context.ReadMap("{ " + in + " -> " + v.tuple() + " }").IntersectDomain(read)
		by := key.Reverse().ApplyRange(m.Context.ReadMap("{ " + in + " -> " + reader +
			tupleOf("j", s.Depth()) + " }"))
		if known := v.readers[reader]; known != nil {
			by = by.Union(known)
		}
		v.readers[reader] = by.Coalesce()
	}
	if err := addFinal(m, order, found, writes, mayWrites, atEnd); err != nil {
		return nil, err
	}
	var list []*values
	for _, key := range slices.Sorted(maps.Keys(found)) {
		list = append(list, found[key])
	}
	return list, m.Context.Err()
}

func tupleOf(name string, count int) string {
	return "[" + strings.Join(listed(name, count), ", ") + "]"
}

// valueOf are the values of an array that a statement computes, which are made where there are
// none.
func valueOf(m *scop.Model, found map[string]*values, writer, array string,
	subscripts int) *values {
	key := writer + " " + array
	if found[key] == nil {
		v := &values{writer: writer, array: array, iterators: m.Statement(writer).Depth(),
			subscripts: subscripts, readers: map[string]*isl.Map{}}
		v.writers = m.Context.ReadMap("{ " + v.tuple() + " -> " + writer +
			tupleOf("i", v.iterators) + " }")
		found[key] = v
	}
	return found[key]
}

// addFinal notes the values that elements of some arrays have in the end: those that no later
// instance overwrites for certain.
func addFinal(m *scop.Model, order *isl.UnionMap, found map[string]*values, writes,
	mayWrites *isl.UnionMap, atEnd func(*scop.Array) bool) error {
	var arrays []string
	all := m.Context.ReadUnionMap("{ }")
	for _, w := range writes.Union(mayWrites).Maps() {
		name := w.TupleName(isl.DimOut)
		array := m.Program.Array(name)
		if array == nil || !atEnd(array) || slices.Contains(arrays, name) {
			continue
		}
		arrays = append(arrays, name)
		all = all.Union(m.Context.ReadUnionMap(fmt.Sprintf("{ tune_end[] -> %s%s }", name,
			tupleOf("e", w.Dim(isl.DimOut)))))
	}
	if len(arrays) == 0 {
		return nil
	}
	later := m.Context.ReadUnionMap("{ }")
	length := flow.LongestTime(m)
	for _, o := range order.Maps() {
		length = o.Dim(isl.DimOut)
		later = later.Union(o.ApplyRange(m.Context.ReadMap(fmt.Sprintf("{ %s -> [0, %s] }",
			tupleOf("t", length), strings.Join(listed("t", length), ", ")))).ToUnionMap())
	}
	later = later.Union(m.Context.ReadUnionMap("{ tune_end[] -> [1" +
		strings.Repeat(", 0", length) + "] }"))
	for _, t := range later.Flow(all, writes, mayWrites).Through.Maps() {
		pair := t.Range().Unwrap()
		v := valueOf(m, found, t.TupleName(isl.DimIn), pair.TupleName(isl.DimOut),
			pair.Dim(isl.DimOut))
		in := fmt.Sprintf("[%s%s -> [tune_end[] -> %s%s]]", v.writer, tupleOf("i", v.iterators),
			v.array, tupleOf("e", v.subscripts))
		final := t.Wrap().Apply(m.Context.ReadMap("{ " + in + " -> " + v.tuple() + " }"))
		if v.final != nil {
			final = final.Union(v.final)
		}
		v.final = final.Coalesce()
	}
	return m.Context.Err()
}
