package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Place keeps temporaries in arrays that the program has anyway: a scalar that gets a value, is
// updated, and is assigned to an element in the end, has its values in that element from the
// beginning, where nobody needs the element's own value meanwhile. It is the opposite of replacing
// an array element by a scalar, takes no memory, and leaves its statements as free as Expand does,
// but for other uses of the array, which must keep their order. Statements that copy the element to
// itself then are left out.
//
// The webs are those of Privatize and Expand. The program that comes back is proven to read
// the values of the same instances through each of its references and to leave the same
// ones in all arrays; where nothing is placed it is that of m.
func Place(m *scop.Model) (*scop.Program, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	choices, err := placesOf(m)
	if err != nil || len(choices) == 0 {
		return m.Program, err
	}
	// One proof for the first choice of all is a fraction of the work that one for each takes.
	var first []scop.Placement
	for _, choice := range choices {
		first = append(first, choice[0])
	}
	if all, err := place(m, first); err != nil {
		return nil, err
	} else if all != nil {
		return all.Program.WithoutCopies(), m.Context.Err()
	}
	placed := m
	for _, choice := range choices {
		for _, l := range choice {
			next, err := place(placed, []scop.Placement{l})
			if err != nil {
				return nil, err
			}
			if next != nil {
				placed = next
				break
			}
		}
	}
	if placed == m {
		return m.Program, nil
	}
	return placed.Program.WithoutCopies(), m.Context.Err()
}

// placesOf are, for each web of a temporary for which there are some, the placements to choose
// from.
func placesOf(m *scop.Model) (choices [][]scop.Placement, err error) {
	for i := range m.Program.Arrays {
		a := &m.Program.Arrays[i]
		if !a.Temporary || len(a.Extents) > 0 {
			continue
		}
		webs, err := websOf(m, a.Name)
		if err != nil {
			return nil, fmt.Errorf("the places of %s: %w", a.Spelling(), err)
		}
		for _, w := range webs {
			w.loops = max(w.loops, m.Program.PrivateLoops(a.Name))
			if places := m.Program.Places(a.Name, w.loops, w.statements); w.loops > 0 && len(places) > 0 {
				choices = append(choices, places)
			}
		}
	}
	return choices, nil
}

// place is the model with further temporaries in their places, or nil where the values would not be
// the same.
func place(m *scop.Model, list []scop.Placement) (*scop.Model, error) {
	program := m.Program
	for _, l := range list {
		relations, err := placedRelations(m, l)
		if relations == nil || err != nil {
			return nil, err
		}
		program = program.Place(l, relations)
	}
	after, err := program.Model(m.Context)
	if err != nil {
		return nil, err
	}
	same, err := sameValues(m, after, list)
	if !same || err != nil {
		return nil, err
	}
	return after, nil
}

// placedRelations are the references to the host in the place of those to the temporary, in the
// order of the statements and their accesses; nil where some instance has no element, or iterations
// share one, which would keep them in order.
func placedRelations(m *scop.Model, l scop.Placement) (list []string, err error) {
	element := elementOf(m, l)
	if apart, err := element.IsInjective(); err != nil || !apart {
		return nil, err
	}
	for _, s := range l.Statements {
		statement := &m.Statements[s]
		relation := flow.Iteration(m, statement, l.Loops, make([]int64, l.Loops)).ApplyRange(element)
		if all, err := statement.Domain.IsSubset(relation.Domain()); err != nil || !all {
			return nil, err
		}
		for _, a := range statement.Statement.Accesses {
			if a.Array == l.Array {
				list = append(list, relation.String())
			}
		}
	}
	return list, m.Context.Err()
}

// elementOf relates iterations of the placement's loops to the element that they have, as the
// statement does that it is from.
func elementOf(m *scop.Model, l scop.Placement) *isl.Map {
	from := &m.Statements[l.From]
	instances := flow.Iteration(m, from, l.Loops, make([]int64, l.Loops)).Reverse()
	return instances.ApplyRange(m.Context.ReadMap(from.Statement.Accesses[0].Relation))
}

// sameValues says whether, in both programs, each reference to the temporaries and their hosts
// reads the values of the same instances, or that of the same element from before the region, and
// the same elements of the hosts are written and have the values of the same instances in the end.
// Each instance must write one element at most, because it stands for what it writes.
func sameValues(before, after *scop.Model, list []scop.Placement) (bool, error) {
	var arrays, hosts []string
	for _, l := range list {
		arrays, hosts = append(arrays, l.Array, l.Host), append(hosts, l.Host)
	}
	if !certainWrites(before, arrays) || !certainWrites(after, arrays) {
		return false, nil
	}
	for access := range mostAccesses(before) {
		was, is := sourcesOf(before, access, arrays), sourcesOf(after, access, arrays)
		if same, err := is.From.IsEqual(was.From); !same || err != nil {
			return false, err
		}
		if same, err := is.Undefined.IsEqual(was.Undefined); !same || err != nil {
			return false, err
		}
	}
	slices.Sort(hosts)
	for _, host := range slices.Compact(hosts) {
		was, err := lastWriters(before, host)
		if err != nil {
			return false, err
		}
		is, err := lastWriters(after, host)
		if err != nil {
			return false, err
		}
		if same, err := is.IsEqual(was); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// certainWrites says whether each statement certainly writes what it may write of the arrays, and
// through one reference.
func certainWrites(m *scop.Model, arrays []string) bool {
	return !slices.ContainsFunc(m.Program.Statements, func(s scop.Statement) bool {
		writes := 0
		for _, a := range s.Accesses {
			if slices.Contains(arrays, a.Array) {
				if a.May {
					return true
				}
				if a.Write {
					writes++
				}
			}
		}
		return writes > 1
	})
}

// sourcesOf is the flow of values to the references of one number in each statement, if they are to
// one of the arrays, from all writes to these. So an instance stands for one reference.
func sourcesOf(m *scop.Model, access int, arrays []string) isl.Flow {
	chosen := func(_ *scop.StatementModel, array string) bool { return slices.Contains(arrays, array) }
	_, writes, mayWrites := flow.Relations(m, chosen)
	reads := m.Context.ReadUnionMap("{ }")
	for i := range m.Statements {
		s := &m.Statements[i]
		if k := access; k < len(s.Accesses) && s.Statement.Accesses[k].Read && chosen(s, s.Statement.Accesses[k].Array) {
			reads = reads.Union(flow.Objects(m, s, k).ToUnionMap())
		}
	}
	return flow.Order(m).Flow(reads, writes, mayWrites)
}

// mostAccesses is the number of references of the statement that has most.
func mostAccesses(m *scop.Model) (most int) {
	for i := range m.Statements {
		most = max(most, len(m.Statements[i].Accesses))
	}
	return most
}
