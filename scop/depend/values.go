package depend

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// values says which values the references of a program read, and which it leaves in its arrays. A
// value is an instance of valueName's tuple, or an element of firstName's: that which it had in front
// of the region.
type values struct {
	// reads relate values to the instances that read them, of the tuple reader.
	reads map[reading]*isl.UnionMap
	// left relate values to the elements of an array that has them in the end, of the tuple reader.
	left map[string]*isl.UnionMap
}

// reader is the tuple of whatever reads values.
const reader = "tune_reader"

// reading is a reference, by its statement and its place among the accesses.
type reading struct{ statement, access int }

// valueName is the tuple of the values that a statement writes by the number-th access that does,
// firstName that of an array's values in front of the region.
func valueName(statement, number int) string {
	return fmt.Sprintf("tune_value%d_%d", statement, number)
}
func firstName(array string) string { return "tune_first_" + array }
func readerName(r reading) string   { return fmt.Sprintf("tune_reader%d_%d", r.statement, r.access) }
func leftName(array string) string  { return "tune_left_" + array }

// valuesOf finds the values of a program whose instances run in an order, as far as they go through
// some arrays. No reference to these may be uncertain.
func valuesOf(m *scop.Model, order *isl.UnionMap, arrays []string) *values {
	none := m.Context.ReadUnionMap("{ }")
	f := &flowFinder{model: m, reads: none, writes: none, order: none, times: map[string]*isl.Map{}}
	for _, time := range order.Maps() {
		f.times[time.TupleName(isl.DimIn)] = time
	}
	f.add(arrays)
	for _, array := range arrays {
		f.addBehind(array)
	}
	all := f.order.Flow(f.reads, f.writes, none)
	v := &values{reads: map[reading]*isl.UnionMap{}, left: map[string]*isl.UnionMap{}}
	byReader := map[string]*isl.UnionMap{}
	note := func(from *isl.Map) {
		name := from.TupleName(isl.DimOut)
		own := from.SetTupleName(isl.DimOut, reader).ToUnionMap()
		if byReader[name] != nil {
			own = byReader[name].Union(own)
		}
		byReader[name] = own
	}
	for _, from := range all.From.Maps() {
		note(from)
	}
	for _, missing := range all.Undefined.Maps() {
		from := missing.Reverse()
		note(from.SetTupleName(isl.DimIn, firstName(from.TupleName(isl.DimIn))))
	}
	of := func(name string) *isl.UnionMap {
		if byReader[name] != nil {
			return byReader[name]
		}
		return none
	}
	for s := range m.Statements {
		for a := range m.Statements[s].Accesses {
			r := reading{s, a}
			v.reads[r] = of(readerName(r))
		}
	}
	for _, array := range arrays {
		v.left[array] = of(leftName(array))
	}
	return v
}

// flowFinder collects the references of a program, each with a tuple of its own.
type flowFinder struct {
	model                *scop.Model
	reads, writes, order *isl.UnionMap
	// times are those of the statements.
	times map[string]*isl.Map
}

// add adds the references of all statements to some arrays.
func (f *flowFinder) add(arrays []string) {
	for i := range f.model.Statements {
		s, number := &f.model.Statements[i], 0
		for k, a := range s.Statement.Accesses {
			if a.Write {
				number++
			}
			if !slices.Contains(arrays, a.Array) || f.times[s.Name] == nil {
				continue
			}
			objects := flow.Objects(f.model, s, k)
			if a.Read {
				f.reads = f.reads.Union(f.timed(s, objects, readerName(reading{i, k})))
			}
			if a.Write {
				f.writes = f.writes.Union(f.timed(s, objects, valueName(i, number-1)))
			}
		}
	}
}

// timed is a reference with another name of the instances, which get their times, in front of those
// of addBehind.
func (f *flowFinder) timed(s *scop.StatementModel, objects *isl.Map, name string) *isl.UnionMap {
	instance := fmt.Sprintf("%s[%s]", name, strings.Join(numbered("i", s.Depth()), ", "))
	first := f.model.Context.ReadMap(fmt.Sprintf("{ %s -> [0] }", instance))
	f.order = f.order.Union(first.FlatRangeProduct(f.times[s.Name].SetTupleName(isl.DimIn, name)).ToUnionMap())
	return objects.SetTupleName(isl.DimIn, name).ToUnionMap()
}

// addBehind adds whoever reads an array behind the region: all elements that somebody writes.
func (f *flowFinder) addBehind(array string) {
	length := 1
	for _, time := range f.times {
		length = max(length, time.Dim(isl.DimOut))
	}
	for _, written := range f.writes.Maps() {
		if written.TupleName(isl.DimOut) != array {
			continue
		}
		elements := written.Range()
		subscripts := strings.Join(numbered("e", elements.Dim(isl.DimSet)), ", ")
		same := f.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> %s[%s] }", array, subscripts, leftName(array), subscripts)).IntersectDomain(elements)
		behind := f.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> [1%s] }", leftName(array), subscripts, strings.Repeat(", 0", length)))
		f.reads = f.reads.Union(same.Reverse().ToUnionMap())
		f.order = f.order.Union(behind.IntersectDomain(same.Range()).ToUnionMap())
	}
}

// withoutKept are the values that an array is left with, but for elements that keep what they had in
// front of the region.
func withoutKept(left *isl.UnionMap, array string) *isl.UnionMap {
	for _, m := range left.Maps() {
		if m.TupleName(isl.DimIn) != firstName(array) {
			continue
		}
		kept := m.Range().Contraction(0).SetTupleName(isl.DimIn, firstName(array)).SetTupleName(isl.DimOut, reader)
		left = left.Subtract(kept.ToUnionMap())
	}
	return left
}

// inSource names the values of the rewritten program as the source does: those that a statement
// writes by what it evaluates, and what it copies by what that is.
func (r *Rewritten) inSource(of *values) (*values, error) {
	none := r.Before.Context.ReadUnionMap("{ }")
	evaluated, copies := none, []int{}
	for s, evaluations := range r.Evaluations {
		if len(evaluations) == 0 {
			if len(r.After.Statements[s].Accesses) > 0 {
				copies = append(copies, s)
			}
			continue
		}
		own := evaluations[0].Instances.IntersectDomain(r.After.Statements[s].Domain).Reverse()
		for k := range writesOf(r.After.Statements[s].Statement) {
			name := own.SetTupleName(isl.DimIn, valueName(evaluations[0].Statement, k)).SetTupleName(isl.DimOut, valueName(s, k))
			evaluated = evaluated.Union(name.ToUnionMap())
		}
	}
	named := evaluated
	for range len(copies) + 1 {
		next := evaluated
		for _, s := range copies {
			next = next.Union(r.passedOn(s, of, named))
		}
		done, err := next.IsEqual(named)
		if err != nil {
			return nil, err
		}
		if named = next; done {
			return of.named(named), nil
		}
	}
	return nil, &RewriteError{Access: -1, Statement: r.After.Statements[copies[0]].Spelling(), Reason: "it copies values that it has copied itself"}
}

// passedOn relates the values of the source to those that a copying statement writes, where others
// are named already.
func (r *Rewritten) passedOn(s int, of *values, named *isl.UnionMap) *isl.UnionMap {
	read := slices.IndexFunc(r.After.Statements[s].Statement.Accesses, func(a scop.Access) bool { return a.Read })
	written := r.After.Statements[s].Domain.Contraction(0).SetTupleName(isl.DimIn, reader).SetTupleName(isl.DimOut, valueName(s, 0))
	return inNames(of.reads[reading{s, read}], named).ApplyRange(written.ToUnionMap())
}

// named are the values with other names.
func (v *values) named(names *isl.UnionMap) *values {
	other := &values{reads: map[reading]*isl.UnionMap{}, left: map[string]*isl.UnionMap{}}
	for r, from := range v.reads {
		other.reads[r] = inNames(from, names)
	}
	for array, from := range v.left {
		other.left[array] = inNames(from, names)
	}
	return other
}

// inNames gives the values that a relation leads from other names, but for those that elements had in
// front of the region.
func inNames(from, names *isl.UnionMap) *isl.UnionMap {
	all := names.ApplyRange(from)
	for _, m := range from.Maps() {
		if strings.HasPrefix(m.TupleName(isl.DimIn), firstName("")) {
			all = all.Union(m.ToUnionMap())
		}
	}
	return all
}

// wrong is what is wrong with a reference of a rewritten statement, or with none for -1, with one of
// the pairs of values and instances for which it is so; nil for none.
func (r *Rewritten) wrong(s, access int, pairs *isl.UnionMap, reason string) error {
	statement := &r.After.Statements[s]
	e := &RewriteError{Statement: statement.Spelling(), Reason: reason, Index: s, Access: access}
	if access >= 0 {
		e.Reference = r.After.Program.Written(statement, access)
	}
	if pairs != nil {
		e.Example = r.exampleOf(pairs, e.Statement)
	}
	return e
}

// exampleOf is one of the instances, or elements, that values are related to, by that name, with
// small values of the parameters.
func (r *Rewritten) exampleOf(pairs *isl.UnionMap, name string) string {
	for _, m := range pairs.Maps() {
		instances := m.Range().IntersectParams(r.After.Parameters)
		values, found, err := smallestParameters(instances)
		if err != nil || !found {
			continue
		}
		point, single := fixed(instances, values).Lexmin().Point()
		if !single {
			continue
		}
		var sizes []string
		for k, value := range values {
			sizes = append(sizes, fmt.Sprintf("%s = %d", r.After.Program.Spelling(instances.DimName(isl.DimParam, k)), value))
		}
		if len(sizes) > 0 {
			name = strings.Join(sizes, ", ") + ": " + name
		}
		return name + strings.ReplaceAll(fmt.Sprint(point), " ", ", ")
	}
	return ""
}
