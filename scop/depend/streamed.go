package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Tiles that are streamed have no copy of what they touch: the values that an array has behind a
// step that writes it stay in registers that are found again by the place, by the loops over time
// and space. So the proof is of places: an access finds what a step so many before has computed at
// a place in a constant distance, or, where that step has no instance, the element that was in
// memory before the launch, which is the same one for all accesses of the array that ask for the
// place. A plane that a step reads is not farther ahead than the step is that writes it. And what a
// tile loads no tile of its launch stores where it loads it, not even itself, since it stores its
// first planes before it loads its last ones; of steps that store, none stores what another one
// does, since threads do not wait for each other between them.

// checkNoBoxes proves that there are no copies.
func (m *overlappedMemory) checkNoBoxes() error {
	for _, box := range m.boxes {
		return m.refused("they are streamed, and have no copies, as that of %s", box.Array)
	}
	return nil
}

// checkReads proves that accesses find the values that they read by places: each place has one of
// an array in a step, and is one element in memory.
func (m *overlappedMemory) checkReads() error {
	elements := map[string]*isl.Map{}
	for k, s := range m.statements() {
		if err := m.checkWrites(s); err != nil {
			return err
		}
		for _, other := range m.statements()[:k] {
			if err := m.checkApart(other, s); err != nil {
				return err
			}
		}
		for access, a := range m.Model.Statements[s].Statement.Accesses {
			if !slices.Contains(m.written, a.Array) {
				continue
			}
			if a.Write {
				written := m.placesOf(s).Reverse().ApplyRange(m.Model.Statements[s].Accesses[access])
				if one, err := m.areOne(elements, a.Array, written); err != nil || !one {
					return errors.Join(err, m.refused("they are streamed, and %s writes an element at a place that is another one's, too", m.Model.Statements[s].Spelling()))
				}
			}
			if !a.Read {
				continue
			}
			own, err := m.elementsAt(s, access)
			if err != nil {
				return err
			}
			if one, err := m.areOne(elements, a.Array, own); err != nil || !one {
				return errors.Join(err, m.refused("they are streamed, and %s reads an element at a place that is another one's, too", m.Model.Statements[s].Spelling()))
			}
		}
	}
	return m.Model.Context.Err()
}

// areOne adds elements of an array, by places, to those that are known, and says whether each place
// has one still, in each field.
func (m *overlappedMemory) areOne(elements map[string]*isl.Map, array string, own *isl.Map) (bool, error) {
	for other, known := range elements {
		switch {
		case other == array:
			own = own.Union(known)
		case m.mark.Streaming.FieldOf(other) == m.mark.Streaming.FieldOf(array):
			if none, err := own.Domain().Intersect(known.Domain()).IsEmpty(); err != nil || !none {
				return false, err
			}
		}
	}
	elements[array] = own
	return own.IsSingleValued()
}

// checkApart proves that two statements that write one field do not run in one step at one place.
func (m *overlappedMemory) checkApart(s, t int) error {
	first, second, stream := &m.Model.Statements[s], &m.Model.Statements[t], m.mark.Streaming
	if stream.FieldOf(first.Statement.Accesses[0].Array) != stream.FieldOf(second.Statement.Accesses[0].Array) {
		return nil
	}
	none, err := m.points(s).Intersect(m.points(t)).IsEmpty()
	if err != nil || !none {
		return errors.Join(err, m.refused("they are streamed, and %s and %s run in one step, at one place, and write one field", first.Spelling(), second.Spelling()))
	}
	return nil
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

// checkWrites proves that a statement writes one element, by the first of its accesses.
func (m *overlappedMemory) checkWrites(s int) error {
	statement := &m.Model.Statements[s]
	for k, access := range statement.Statement.Accesses {
		if access.Write != (k == 0) {
			return m.refused("they are streamed, and %s is no assignment of one value", statement.Spelling())
		}
	}
	return nil
}

// elementsAt relates places to the elements that an access reads of them, and proves that what the
// step has computed that it reads from is at the place.
func (m *overlappedMemory) elementsAt(s, access int) (*isl.Map, error) {
	statement, stream := &m.Model.Statements[s], m.mark.Streaming
	array, read := statement.Statement.Accesses[access].Array, stream.Of(statement.Name, access)
	switch {
	case read == nil:
		return nil, m.refused("they are streamed, and %s reads %s at no constant distance from where a step before writes", statement.Spelling(), array)
	case read.Distance[stream.Place] > read.Back*stream.Lag:
		return nil, m.refused("they are streamed, each step %d planes behind the step before, and %s reads %s of %s before that is %d ahead", stream.Lag, statement.Spelling(), array, stepsText(read.Back), read.Distance[stream.Place])
	}
	found, others := m.Model.Context.ReadUnionSet("{ }"), m.Model.Context.ReadUnionSet("{ }")
	from := read.From(m.Model.Context)
	for _, d := range m.Dependences {
		if d.Kind != RAW || d.Target != s || d.TargetAccess != access {
			continue
		}
		if pairs := m.inLaunch(d); pairs != nil {
			there := pairs.Intersect(m.placesOf(d.Source).ApplyRange(from.Reverse()).ApplyRange(m.placesOf(s).Reverse()))
			found, others = found.Union(there.Range().ToUnionSet()), others.Union(pairs.Subtract(there).Range().ToUnionSet())
			sooner := m.placesOf(d.Source).Reverse().ApplyRange(pairs.Subtract(there)).ApplyRange(m.placesOf(s)).Deltas()
			least := m.Model.Context.ReadSet(fmt.Sprintf("{ [t%s] : t <= %d }", strings.Repeat(", any", len(read.Distance)), read.Back))
			if none, err := sooner.Intersect(least).IsEmpty(); err != nil || !none {
				return nil, errors.Join(err, m.refused("they are streamed, and %s reads what %s writes %s before at another distance", statement.Spelling(), m.Model.Statements[d.Source].Spelling(), stepsText(read.Back)))
			}
		}
	}
	if lost, err := others.Subtract(found).IsEmpty(); err != nil || !lost {
		return nil, errors.Join(err, m.refused("they are streamed, and %s reads %s of more than %s before", statement.Spelling(), array, stepsText(read.Back)))
	}
	whole := m.Model.Context.ReadMap(statement.Statement.Accesses[access].Relation)
	return m.placesOf(s).ApplyRange(from).Reverse().ApplyRange(whole), m.Model.Context.Err()
}

// stepsText is so many steps, in words.
func stepsText(count int64) string {
	if count == 1 {
		return "one step"
	}
	return fmt.Sprint(count, " steps")
}

// checkStoredOnce proves that a tile stores an element by one of its instances.
func (m *overlappedMemory) checkStoredOnce() error {
	for _, d := range m.Dependences {
		pairs := m.inLaunch(d)
		if d.Kind != WAW || pairs == nil {
			continue
		}
		twice := pairs.Intersect(m.kept[d.Source].MapTo(m.kept[d.Target]))
		if none, err := twice.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("they are streamed, and store what %s writes and what %s writes later into the same elements of %s", m.Model.Statements[d.Source].Spelling(), m.Model.Statements[d.Target].Spelling(), m.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array))
		}
	}
	return nil
}

// checkStreamed proves that nobody in a launch stores what some tile of it loads, where it loads it.
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
		if needed == nil || m.stored[array] == nil || slices.Contains(m.mark.Swapped, array) {
			continue
		}
		both := m.inOneLaunch(needed.ApplyRange(m.stored[array].Reverse()))
		if none, err := both.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("they are streamed, and one stores elements of %s that one of the same launch may not have loaded yet, such as %s; with another number of steps they may be others", array, exampleOf(needed.Range().Intersect(m.stored[array].Range()))))
		}
	}
	return nil
}
