package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Mapped are times of instances that no quasi-affine expressions say: by statement, a map in isl's
// text, "{ S0[i] -> [0, i] : i < 5; S0[i] -> [1, -i] : i >= 5 }".
type Mapped struct{ Maps map[int]string }

// MappedPlace is one of the values of such a time, by its place.
type MappedPlace struct {
	Of    *Mapped
	Place int
}

// MappedLoop is a value that a loop counts. Rows are those of statements whose values are rows.
type MappedLoop struct {
	MappedPlace
	Rows map[int]Row
}

// mapped are the instances of a statement, with the coordinates in front of their iterators, whose
// coordinates are the values that isl's maps give them. All other coordinates are free. Nil stands
// for a statement without such maps.
func (l *lowering) mapped(s int) *isl.Set {
	var of *Mapped
	var places []int
	var names []string
	for k, term := range l.tiles[s] {
		if term.mapped != nil {
			of, places, names = term.mapped.Of, append(places, term.mapped.Place), append(names, l.tileNames(s)[k])
		}
	}
	if of == nil {
		return nil
	}
	context, expanded := l.model.Context, l.expanded(s)
	times := context.ReadMap(of.Maps[s])
	for k := times.Dim(isl.DimOut) - 1; k >= 0; k-- {
		if !slices.Contains(places, k) {
			times = times.ProjectOut(isl.DimOut, k, 1)
		}
	}
	instance := context.ReadMap(fmt.Sprintf("{ %s -> %s }", expanded, l.tree.Program.InstanceText(s)))
	coordinates := context.ReadMap(fmt.Sprintf("{ %s -> [%s] }", expanded, strings.Join(names, ", ")))
	return instance.ApplyRange(times).Intersect(coordinates).Domain()
}

// MappedPhase has the instances for which a value is this number.
type MappedPhase struct {
	MappedPlace
	Number int64
}

// Instances are those of some instances of a statement that are in the phase.
func (f *MappedPhase) Instances(m *scop.Model, s int, instances *isl.Set) *isl.Set {
	number := m.Context.ReadSet(fmt.Sprintf("{ [%d] }", f.Number))
	return valuesAt(m.Context.ReadMap(f.Of.Maps[s]), f.Place).Reverse().IntersectDomain(number).Range().Intersect(instances).Coalesce()
}

// among are those of a statement's instances, with their coordinates, that are in the phase.
func (f *MappedPhase) among(l *lowering, s int, expanded *isl.Set) *isl.Set {
	own := f.Instances(l.model, s, l.model.Statements[s].Domain)
	free := l.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", l.tree.Program.InstanceText(s), l.expanded(s)))
	return expanded.Intersect(own.Apply(free)).Coalesce()
}
