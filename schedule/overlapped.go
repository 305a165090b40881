package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Overlapped are tiles of several steps of time that compute again what they need of each other, so
// that those of one time tile wait for nobody. An instance is in each tile that needs it: at the
// last step of a time tile a tile has its own points alone, at each step before those that are one
// slope further away. Only time tiles with all their steps are tiled so, behind which at least Rest
// more steps follow: the others are the second phase, whose instances run once.
type Overlapped struct {
	// Time and Space are the rows of the loops, by statement; Space has one at least.
	Time  map[int]Row
	Space []map[int]Row
	// Sizes are the number of steps, and how many points a tile has along each dimension of space.
	Sizes []int64
	// Slopes are, along each dimension of space, how far values are needed for each step of time.
	Slopes []Slope
	// Rest is the number of steps that follow the last time tile at least.
	Rest int64
	// Keeping is at how many of the last steps a tile stores what it writes, and Swapped are the
	// arrays that it stores to a second grid of, which takes the first one's place behind each launch.
	Keeping int64
	Swapped []string
	// Stream says that tiles are streamed along one of the loops over space; nil for none.
	Stream *Streaming
}

// Streaming is the place among the loops over space of that along which tiles are streamed, and how
// far behind the step before each step is.
type Streaming struct {
	Place int
	Lag   int64
}

// OverlappedPlace is one of a tile's coordinates: 0 for the time tile, and from 1 on those of
// space.
type OverlappedPlace struct {
	Of    *Overlapped
	Place int
}

// terms are the coordinates of a tile.
func (o *Overlapped) terms() (terms []tileTerm) {
	for k := range o.Sizes {
		terms = append(terms, tileTerm{overlapped: &OverlappedPlace{Of: o, Place: k}})
	}
	return terms
}

// names are names for a tile's coordinates, which no statement's iterators and no parameters have.
func (o *Overlapped) names(p *scop.Program, s int) []string {
	return coordinateNames(p, s, len(o.Sizes))
}

// inTime says that a row of a statement has a value of the time tile of that name.
func (o *Overlapped) inTime(p *scop.Program, s int, tile string) string {
	time := o.Time[s].Text(p.IteratorNames(s), p.Parameters)
	return fmt.Sprintf("0 <= %s - %d %s < %d", time, o.Sizes[0], tile, o.Sizes[0])
}

// inSpace says that a tile has an instance of a statement as its own, or, with again, that it
// computes it.
func (o *Overlapped) inSpace(p *scop.Program, s int, names []string, again bool) string {
	iterators := p.IteratorNames(s)
	var all []string
	for k, rows := range o.Space {
		at := fmt.Sprintf("(%s - %d %s)", rows[s].Text(iterators, p.Parameters), o.Sizes[k+1], names[k+1])
		slope, before := o.Slopes[k], fmt.Sprintf("(%d %s + %d - (%s))", o.Sizes[0], names[0], o.Sizes[0]-1, o.Time[s].Text(iterators, p.Parameters))
		if !again {
			slope = Slope{0, 1}
		}
		all = append(all, fmt.Sprintf("%d * %s >= -%d * %s and %d * (%s - %d) <= %d * %s",
			slope.Under, at, slope.Over, before, slope.Under, at, o.Sizes[k+1]-1, slope.Over, before))
	}
	return strings.Join(all, " and ")
}

// Part is which instances of a step are meant: those of all tiles, those that a tile computes, or
// its own.
type Part int

// The parts of a step.
const (
	AllTiles Part = iota
	Computed
	Own
)

// InStep says, of a statement's iterators and the names of a tile's coordinates, that an instance is
// in a part of a step of its time tile.
func (o *Overlapped) InStep(p *scop.Program, s int, names []string, step int64, part Part) string {
	text := fmt.Sprintf("%s - %d %s = %d", o.Time[s].Text(p.IteratorNames(s), p.Parameters), o.Sizes[0], names[0], step)
	if part != AllTiles {
		text += " and " + o.inSpace(p, s, names, part == Computed)
	}
	return text
}

// timeTiles are the time tiles behind all whose steps, and Rest more, there is some instance: where
// a tile is one, so are all before it, whatever statements have no instances at some steps.
func (o *Overlapped) timeTiles(m *scop.Model) *isl.Set {
	var all *isl.Set
	for _, s := range slices.Sorted(maps.Keys(o.Time)) {
		p, tile := m.Program, o.names(m.Program, s)[0]
		end := fmt.Sprintf("%s >= %d %s + %d", o.Time[s].Text(p.IteratorNames(s), p.Parameters), o.Sizes[0], tile, o.Sizes[0]-1+o.Rest)
		own := m.Statements[s].Domain.Apply(m.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] : %s }", p.ParametersText(), p.InstanceText(s), tile, end)))
		if all == nil {
			all = own
		} else {
			all = all.Union(own)
		}
	}
	return all.Coalesce()
}

// Tiles are the tiles of such time tiles that have instances as their own.
func (o *Overlapped) Tiles(m *scop.Model) *isl.Set {
	var all *isl.Set
	for _, s := range slices.Sorted(maps.Keys(o.Time)) {
		names, p := o.names(m.Program, s), m.Program
		own := m.Statements[s].Domain.Apply(m.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] : %s and %s }",
			p.ParametersText(), p.InstanceText(s), strings.Join(names, ", "), o.inTime(p, s, names[0]), o.inSpace(p, s, names, false))))
		if all == nil {
			all = own
		} else {
			all = all.Union(own)
		}
	}
	first := m.Context.ReadMap(fmt.Sprintf("{ [t] -> [t%s] }", strings.Join(append([]string{""}, placeholders(len(o.Space))...), ", ")))
	return all.Coalesce().Intersect(o.timeTiles(m).Apply(first)).Coalesce()
}

// placeholders are so many names.
func placeholders(count int) []string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint("any", k)
	}
	return names
}

// OverlappedPhase are the instances in tiles, for number 0, or the others.
type OverlappedPhase struct {
	Of     *Overlapped
	Number int
}

// OverlappedPhases is the number of phases: tiles, and the steps that are left.
const OverlappedPhases = 2

// Instances are those of some instances of a statement that are in the phase.
func (f *OverlappedPhase) Instances(m *scop.Model, s int, instances *isl.Set) *isl.Set {
	tile := f.Of.names(m.Program, s)[0]
	tiled := m.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> %s : %s }", m.Program.ParametersText(), tile, m.Program.InstanceText(s), f.Of.inTime(m.Program, s, tile)))
	inTiles := f.Of.timeTiles(m).Apply(tiled)
	if f.Number == 0 {
		return instances.Intersect(inTiles).Coalesce()
	}
	return instances.Subtract(inTiles).Coalesce()
}

// among are those of a statement's instances, with their tiles' coordinates, that are in the phase.
func (f *OverlappedPhase) among(l *lowering, s int, expanded *isl.Set) *isl.Set {
	own := f.Instances(l.model, s, l.model.Statements[s].Domain)
	free := l.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", l.tree.Program.InstanceText(s), l.expanded(s)))
	return expanded.Intersect(own.Apply(free)).Coalesce()
}

// overlapping are a statement's instances with the coordinates of the overlapped tiles that compute
// them; those in no tile have 0 for each. All other coordinates are free. Nil stands for a
// statement without such tiles.
func (l *lowering) overlapping(s int) (all *isl.Set) {
	for k, term := range l.tiles[s] {
		if term.overlapped == nil || term.overlapped.Place > 0 {
			continue
		}
		o, p, context := term.overlapped.Of, l.tree.Program, l.model.Context
		names := l.tileNames(s)[k : k+len(term.overlapped.Of.Sizes)]
		conditions := o.inTime(p, s, names[0]) + " and " + o.inSpace(p, s, names, true)
		inTiles := o.Tiles(l.model).Apply(context.ReadMap(fmt.Sprintf("%s{ [%s] -> %s : %s }", p.ParametersText(), strings.Join(names, ", "), l.expanded(s), conditions)))
		rest := (&OverlappedPhase{Of: o, Number: 1}).Instances(l.model, s, l.model.Statements[s].Domain)
		inNone := rest.Apply(context.ReadMap(fmt.Sprintf("%s{ %s -> %s : %s = 0 }", p.ParametersText(), p.InstanceText(s), l.expanded(s), strings.Join(names, " = 0 and "))))
		own := inTiles.Union(inNone).Coalesce()
		if all == nil {
			all = own
		} else {
			all = all.Intersect(own)
		}
	}
	return all
}

// overlappedMark says what tiles load and store: values of the last steps are stored, and those that
// as many of the first ones read are loaded.
func (l *lowering) overlappedMark(n *Node, loop *Loop) mark.Mark {
	o, p, context := loop.Overlapped.Of, l.tree.Program, l.model.Context
	stored, first := context.ReadUnionSet("{ }"), context.ReadUnionSet("{ }")
	for _, s := range n.Statements {
		place := l.tree.coordinate(l.tiles[s], tileTerm{overlapped: &OverlappedPlace{Of: o}}, s)
		names := l.tileNames(s)[place : place+len(o.Sizes)]
		time := o.Time[s].Text(p.IteratorNames(s), p.Parameters)
		at := func(step int64, more string) *isl.UnionSet {
			return context.ReadSet(fmt.Sprintf("%s{ %s : %s - %d %s = %d%s }", p.ParametersText(), l.expanded(s), time, o.Sizes[0], names[0], step, more)).ToUnionSet()
		}
		for step := range min(o.Keeping, o.Sizes[0]) {
			stored, first = stored.Union(at(o.Sizes[0]-1-step, " and "+o.inSpace(p, s, names, false))), first.Union(at(step, ""))
		}
	}
	return mark.Overlapped{Loop: loop.Name, Stored: stored.String(), First: first.String(), Swapped: o.Swapped, Streaming: o.streamMark(l.model, n.Statements)}
}
