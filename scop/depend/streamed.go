package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Tiles that are streamed have no copy of what they touch: the value that a step has computed at a
// place, by the loops over time and space, stays in a register that is found again by the place. So
// the proof is of places: an access finds what the step before has computed at a place in a
// constant distance, or, where that step has no instance, the element that was in memory before the
// launch, which is the same one for all accesses that ask for the place. A plane that a step reads
// is not farther ahead than the step before is. And what a tile loads no tile of its launch stores,
// not even itself, since it stores its first planes before it loads its last ones.

// checkNoBoxes proves that there are no copies.
func (m *overlappedMemory) checkNoBoxes() error {
	for _, box := range m.boxes {
		return m.refused("they are streamed, and have no copies, as that of %s", box.Array)
	}
	return nil
}

// checkReads proves that accesses find the values that they read by places: each place has one in a
// step, and is one element in memory.
func (m *overlappedMemory) checkReads() error {
	elements := map[string]*isl.Map{}
	for k, s := range m.statements() {
		for _, other := range m.statements()[:k] {
			both := m.points(s).Intersect(m.points(other))
			if none, err := both.IsEmpty(); err != nil || !none {
				return errors.Join(err, m.refused("they are streamed, and %s and %s run in one step, at one place", m.Model.Statements[other].Spelling(), m.Model.Statements[s].Spelling()))
			}
		}
		if err := m.checkWrites(s); err != nil {
			return err
		}
		for access, a := range m.Model.Statements[s].Statement.Accesses {
			if a.Write || !slices.Contains(m.written, a.Array) {
				continue
			}
			own, err := m.elementsAt(s, access)
			if err != nil {
				return err
			}
			if one, err := areOne(elements, a.Array, own); err != nil || !one {
				return errors.Join(err, m.refused("they are streamed, and %s reads an element at a place that is another one's, too", m.Model.Statements[s].Spelling()))
			}
		}
	}
	return m.Model.Context.Err()
}

// areOne adds elements of an array, by places, to those that are known, and says whether each place
// has one still.
func areOne(elements map[string]*isl.Map, array string, own *isl.Map) (bool, error) {
	for other, known := range elements {
		if other == array {
			own = own.Union(known)
			continue
		}
		if none, err := own.Domain().Intersect(known.Domain()).IsEmpty(); err != nil || !none {
			return false, err
		}
	}
	elements[array] = own
	return own.IsSingleValued()
}

// points are the steps and places of a statement's instances.
func (m *overlappedMemory) points(s int) *isl.Set {
	return m.Model.Statements[s].Domain.Apply(m.placesOf(s))
}

// placesOf relates a statement's instances to their places.
func (m *overlappedMemory) placesOf(s int) *isl.Map {
	for _, places := range m.Model.Context.ReadUnionMap(m.mark.Streaming.Places).Maps() {
		if places.TupleName(isl.DimIn) == m.Model.Statements[s].Name {
			return places
		}
	}
	return m.Model.Context.ReadMap("{ [] -> [] : false }")
}

// checkWrites proves that a statement writes one element, by the first of its accesses, and reads
// none of it.
func (m *overlappedMemory) checkWrites(s int) error {
	statement := &m.Model.Statements[s]
	for k, access := range statement.Statement.Accesses {
		if access.Write != (k == 0) || access.Write && access.Read {
			return m.refused("they are streamed, and %s is no assignment of one value", statement.Spelling())
		}
	}
	return nil
}

// elementsAt relates places to the elements that an access reads of them, and proves that what the
// step before has computed is at the place.
func (m *overlappedMemory) elementsAt(s, access int) (*isl.Map, error) {
	statement := &m.Model.Statements[s]
	array, distance := statement.Statement.Accesses[access].Array, m.mark.Streaming.Of(statement.Name, access)
	switch {
	case distance == nil:
		return nil, m.refused("they are streamed, and %s reads %s at no constant distance from where the step before writes", statement.Spelling(), array)
	case distance[m.mark.Streaming.Place] > m.mark.Streaming.Lag:
		return nil, m.refused("they are streamed, each step %d planes behind the step before, and %s reads %s that is %d ahead", m.mark.Streaming.Lag, statement.Spelling(), array, distance[m.mark.Streaming.Place])
	}
	found, others := m.Model.Context.ReadUnionSet("{ }"), m.Model.Context.ReadUnionSet("{ }")
	for _, d := range m.Dependences {
		if d.Kind != RAW || d.Target != s || d.TargetAccess != access {
			continue
		}
		if pairs := m.inLaunch(d); pairs != nil {
			there := pairs.Intersect(m.placesOf(d.Source).ApplyRange(stepBack(m.Model.Context, distance).Reverse()).ApplyRange(m.placesOf(s).Reverse()))
			found, others = found.Union(there.Range().ToUnionSet()), others.Union(pairs.Subtract(there).Range().ToUnionSet())
			sooner := m.placesOf(d.Source).Reverse().ApplyRange(pairs.Subtract(there)).ApplyRange(m.placesOf(s)).Deltas()
			least := m.Model.Context.ReadSet("{ [t" + strings.Repeat(", any", len(distance)) + "] : t <= 1 }")
			if none, err := sooner.Intersect(least).IsEmpty(); err != nil || !none {
				return nil, errors.Join(err, m.refused("they are streamed, and %s reads what %s writes one step before at another distance", statement.Spelling(), m.Model.Statements[d.Source].Spelling()))
			}
		}
	}
	if lost, err := others.Subtract(found).IsEmpty(); err != nil || !lost {
		return nil, errors.Join(err, m.refused("they are streamed, and %s reads %s of more than one step before", statement.Spelling(), array))
	}
	whole := m.Model.Context.ReadMap(statement.Statement.Accesses[access].Relation)
	return m.placesOf(s).ApplyRange(stepBack(m.Model.Context, distance)).Reverse().ApplyRange(whole), m.Model.Context.Err()
}

// stepBack relates places to those one step before in a distance.
func stepBack(context *isl.Context, distance []int64) *isl.Map {
	from, to := []string{"t"}, []string{"t - 1"}
	for k, d := range distance {
		from, to = append(from, fmt.Sprint("s", k)), append(to, fmt.Sprintf("s%d + %d", k, d))
	}
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(from, ", "), strings.Join(to, ", ")))
}

// checkStreamed proves that nobody in a launch stores what some tile of it loads.
func (m *overlappedMemory) checkStreamed() error {
	for _, array := range m.written {
		needed, err := m.neededOf(array)
		if err != nil {
			return err
		}
		for _, s := range m.statements() {
			for k, access := range m.Model.Statements[s].Statement.Accesses {
				if access.Write && access.Array == array {
					own := m.keeps[s].Reverse().ApplyRange(m.Model.Statements[s].Accesses[k])
					if m.stored[array] == nil {
						m.stored[array] = own
					} else {
						m.stored[array] = m.stored[array].Union(own)
					}
				}
			}
		}
		if needed == nil || m.stored[array] == nil {
			continue
		}
		both := m.inOneLaunch(needed.ApplyRange(m.stored[array].Reverse()))
		if none, err := both.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("they are streamed, and one stores elements of %s that one of the same launch may not have loaded yet, such as %s; with another number of steps they may be others", array, exampleOf(needed.Range().Intersect(m.stored[array].Range()))))
		}
	}
	return nil
}
