package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Place keeps temporaries in arrays that the program has anyway: a scalar that gets a value, is
// updated, and is assigned to an element in the end, has its values in that element from the beginning, where
// nobody needs the element's own value meanwhile. It is the opposite of replacing an array
// element by a scalar, takes no memory, and leaves its statements as free as Expand does, but for other
// uses of the array, which must keep their order. Statements that copy the element to itself then are
// left out.
//
// The webs are those of Privatize and Expand. The program that comes back is proven to read
// the values of the same instances through each of its references and to leave the same
// ones in all arrays; where nothing is placed it is that of m.
func Place(m *scop.Model) (*scop.Program, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	placed := m
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
			for _, l := range m.Program.Places(a.Name, w.loops, w.statements) {
				next, err := place(placed, l)
				if err != nil {
					return nil, fmt.Errorf("the places of %s: %w", a.Spelling(), err)
				}
				if next != nil {
					placed = next
					break
				}
			}
		}
	}
	if placed == m {
		return m.Program, m.Context.Err()
	}
	return placed.Program.WithoutCopies(), m.Context.Err()
}

// place is the model with a further temporary in its place, or nil where the values would not be the same.
func place(m *scop.Model, l scop.Placement) (*scop.Model, error) {
	relations, err := placedRelations(m, l)
	if relations == nil || err != nil {
		return nil, err
	}
	after, err := m.Program.Place(l, relations).Model(m.Context)
	if err != nil {
		return nil, err
	}
	same, err := sameValues(m, after, l)
	if !same || err != nil {
		return nil, err
	}
	return after, nil
}

// placedRelations are the references to the host in the place of those to the temporary, in the order of the
// statements and their accesses; nil where some instance has no element.
func placedRelations(m *scop.Model, l scop.Placement) (list []string, err error) {
	element := elementOf(m, l)
	for _, s := range l.Statements {
		statement := &m.Statements[s]
		relation := iteration(m, statement, l.Loops, make([]int64, l.Loops)).ApplyRange(element)
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

// elementOf relates iterations of the placement's loops to the element that they have, as the statement does
// that it is from.
func elementOf(m *scop.Model, l scop.Placement) *isl.Map {
	from := &m.Statements[l.From]
	return iteration(m, from, l.Loops, make([]int64, l.Loops)).Reverse().ApplyRange(m.Context.ReadMap(from.Statement.Accesses[0].Relation))
}

// sameValues says whether, in both programs, each reference to the temporary and the host reads the values of the
// same instances, or that of the same element from before the region, and the same elements of the host are written and have
// the values of the same instances in the end. Each instance must write one element at most, because it
// stands for what it writes.
func sameValues(before, after *scop.Model, l scop.Placement) (bool, error) {
	arrays := []string{l.Array, l.Host}
	if !certainWrites(before, arrays) || !certainWrites(after, arrays) {
		return false, nil
	}
	for i := range before.Statements {
		for k, a := range before.Statements[i].Statement.Accesses {
			if !a.Read || !slices.Contains(arrays, a.Array) {
				continue
			}
			if same, err := sameSources(before, after, i, k, arrays); !same || err != nil {
				return false, err
			}
		}
	}
	was, err := lastWriters(before, l.Host)
	if err != nil {
		return false, err
	}
	is, err := lastWriters(after, l.Host)
	if err != nil {
		return false, err
	}
	return is.IsEqual(was)
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

// sameSources says whether one reference reads the values of the same instances in both programs.
func sameSources(before, after *scop.Model, statement, access int, arrays []string) (bool, error) {
	was, is := sourcesOf(before, statement, access, arrays), sourcesOf(after, statement, access, arrays)
	same, err := is.From.IsEqual(was.From)
	if !same || err != nil {
		return false, err
	}
	return is.Undefined.IsEqual(was.Undefined)
}

// sourcesOf is the flow of values to one reference from all writes to the arrays.
func sourcesOf(m *scop.Model, statement, access int, arrays []string) isl.Flow {
	_, writes, mayWrites := relationsOf(m, func(_ *scop.StatementModel, array string) bool { return slices.Contains(arrays, array) })
	read := objects(m, &m.Statements[statement], access).ToUnionMap()
	return executionOrder(m).Flow(read, writes, mayWrites)
}
