package schedule

import (
	"fmt"
	"maps"
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

// mostCounted bounds the numbers that a loop counts, each of which gets code of its own.
const mostCounted = 16

// countsNumbers says whether the values are a few numbers, whatever the parameters are: those of
// pieces of statements that run one after the other.
func (m *MappedPlace) countsNumbers(model *scop.Model) bool {
	all := model.Context.ReadSet("{ [0] }")
	for _, s := range slices.Sorted(maps.Keys(m.Of.Maps)) {
		all = all.Union(model.Statements[s].Domain.Apply(valuesAt(model.Context.ReadMap(m.Of.Maps[s]), m.Place)))
	}
	greatest, bounded, err := all.Greatest()
	return err == nil && bounded && greatest < mostCounted
}

// mappedOption is isl's option of such a loop: pieces of statements get code of their own, unless
// somebody has said how the loop runs.
func (l *lowering) mappedOption(loop *Loop) string {
	if len(loop.Marks) == 0 && len(loop.Requests) == 0 && loop.Mapped.countsNumbers(l.model) {
		return "{ unroll[0] }"
	}
	return ""
}
