package schedule

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Hexagon is a hybrid tiling: hexagons in time and the first dimension of space, and parallelograms
// in the others (Grosser, Verdoolaege, Cohen, Sadayappan: The relation between diamond tiling and
// hexagonal tiling, and Hybrid hexagonal/classical tiling for GPUs, INRIA RR-8339, section 3).
// Tiles of each time tile run in two phases. A tile has the coordinates T, S0, S1, …; T and S0 are
// different for the two phases.
type Hexagon struct {
	// Time and Space are the rows of the loops, by statement; Space has one at least.
	Time  map[int]Row
	Space []map[int]Row
	// Sizes are h + 1, w0 + 1, and the widths of the parallelograms.
	Sizes []int64
	// Slopes are delta0 and delta1 of the first dimension, and delta1 of the others.
	Slopes []Slope
}

// hexagonSide is a side of a hexagon: time a + space b >= least, for a tile's coordinates a and b
// of the report.
type hexagonSide struct{ time, space, least int64 }

// sides are those that slopes make: (6), (8), (10) and (12).
func (h *Hexagon) sides() []hexagonSide {
	height, width := h.Sizes[0]-1, h.Sizes[1]-1
	left, right := h.Slopes[0], h.Slopes[1]
	down, up := left.Floor(height), right.Floor(height)
	return []hexagonSide{
		{-left.Over, left.Under, left.Under*down - (2*height+1)*left.Over},
		{-right.Over, -right.Under, -(2*height+1)*right.Over - right.Under*(down+width)},
		{right.Over, right.Under, height*right.Over - right.Under + 1},
		{left.Over, -left.Under, height*left.Over - left.Under*(down+width+up) - left.Under + 1},
	}
}

// HexagonPhases is the number of phases of a time tile.
const HexagonPhases = 2

// HexagonPlace is one of a tile's coordinates: 0 for T, and from 1 on those of space.
type HexagonPlace struct {
	Of    *Hexagon
	Place int
}

// LeastWidth is the smallest size of the first dimension for which hexagons are convex: w0 + 1 by
// equation (1).
func (h *Hexagon) LeastWidth() int64 {
	height := h.Sizes[0] - 1
	return max(h.Slopes[0].least(height), h.Slopes[1].least(height)) + 1
}

// Check refuses hexagons that do not tile the plane.
func (h *Hexagon) Check() error {
	if least := h.LeastWidth(); h.Sizes[1] < least {
		return fmt.Errorf("the width %d is too small for the slopes %s and %s and the height %d: it is %d at least (RR-8339, equation (1))", h.Sizes[1], h.Slopes[0], h.Slopes[1], h.Sizes[0], least)
	}
	return nil
}

// hexagonPeriods are the distances of tiles of a phase: in time, and along the first dimension.
func (h *Hexagon) hexagonPeriods() (time, space int64) {
	height := h.Sizes[0] - 1
	return 2 * h.Sizes[0], 2*h.Sizes[1] + h.Slopes[0].Floor(height) + h.Slopes[1].Floor(height)
}

// conditions say that an instance is in the tile with the coordinates of the given names, in a
// phase; time and space are its rows' texts. These are equations (2) to (5), whose misprint is
// corrected (the first floor of (3) is that of delta0 h), and (6), (8), (10), (12) and (14) to
// (16).
func (h *Hexagon) conditions(phase int, names []string, time string, space []string) string {
	height, width := h.Sizes[0]-1, h.Sizes[1]-1
	down, up := h.Slopes[0].Floor(height), h.Slopes[1].Floor(height)
	long, wide := h.hexagonPeriods()
	var aside int64
	if phase == 0 {
		aside = down + width + 1
	}
	a := h.step(phase, names[0], time)
	b := fmt.Sprintf("(%s + %d + %d %s - %d %s)", space[0], aside, up-down, names[0], wide, names[1])
	all := []string{
		fmt.Sprintf("0 <= %s < %d", a, long),
		fmt.Sprintf("0 <= %s < %d", b, wide),
	}
	for _, s := range h.sides() {
		all = append(all, fmt.Sprintf("%d * %s + %d * %s >= %d", s.time, a, s.space, b, s.least))
	}
	for k, s := range h.Slopes[2:] {
		all = append(all, fmt.Sprintf("0 <= %[1]d * (%[2]s) + %[3]d * %[4]s - %[5]d %[6]s < %[5]d", s.Under, space[k+1], s.Over, a, s.Under*h.Sizes[k+2], names[k+2]))
	}
	return strings.Join(all, " and ")
}

// step is the number of a tile's step of time, from 0 on, as a text: a of the report.
func (h *Hexagon) step(phase int, tile, time string) string {
	var late int64
	if phase == 0 {
		late = h.Sizes[0]
	}
	long, _ := h.hexagonPeriods()
	return fmt.Sprintf("(%s + %d - %d %s)", time, late, long, tile)
}

// Steps is the number of steps of time of a tile.
func (h *Hexagon) Steps() int64 {
	long, _ := h.hexagonPeriods()
	return long
}

// HexagonPhase is a phase of hexagonal tiles.
type HexagonPhase struct {
	Of     *Hexagon
	Number int
}

// Instances are those of some instances of a statement that are in the phase.
func (f *HexagonPhase) Instances(m *scop.Model, s int, instances *isl.Set) *isl.Set {
	p := m.Program
	names := coordinateNames(p, s, len(f.Of.Sizes))
	own := m.Context.ReadSet(fmt.Sprintf("%s{ %s : exists (%s : %s) }", p.ParametersText(), p.InstanceText(s), strings.Join(names, ", "), f.of(p, s, names)))
	return instances.Intersect(own).Coalesce()
}

// Points relates the coordinates of the phase's tiles to the points of a statement that they have
// from one step of time on up to another one. A program may have only some of them as instances.
func (f *HexagonPhase) Points(m *scop.Model, s int, from, to int64) *isl.Map {
	p := m.Program
	names := coordinateNames(p, s, len(f.Of.Sizes))
	step := f.Of.step(f.Number, names[0], f.Of.Time[s].Text(p.IteratorNames(s), p.Parameters))
	return m.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> %s : %s and %d <= %s < %d }", p.ParametersText(), strings.Join(names, ", "), p.InstanceText(s), f.of(p, s, names), from, step, to))
}

// of says that an instance of a statement is in the phase, in the tile with the coordinates of the
// given names.
func (f *HexagonPhase) of(p *scop.Program, s int, names []string) string {
	iterators := p.IteratorNames(s)
	var space []string
	for _, rows := range f.Of.Space {
		space = append(space, rows[s].Text(iterators, p.Parameters))
	}
	return f.Of.conditions(f.Number, names, f.Of.Time[s].Text(iterators, p.Parameters), space)
}

// among are those of a statement's instances that are in the phase.
func (f *HexagonPhase) among(l *lowering, s int, expanded *isl.Set) *isl.Set {
	return l.where(s, expanded, f.conditions(l, s))
}

// conditions say that an instance of a statement, with its tile's coordinates, is in the phase.
func (f *HexagonPhase) conditions(l *lowering, s int) string {
	first := l.hexagonOf(s, f.Of)
	return f.of(l.tree.Program, s, l.tileNames(s)[first:first+len(f.Of.Sizes)])
}

// hexagonOf is the place of the first coordinate of hexagonal tiles among those of a statement.
func (l *lowering) hexagonOf(s int, h *Hexagon) int {
	return l.tree.coordinate(l.tiles[s], tileTerm{hexagon: &HexagonPlace{Of: h}}, s)
}

// hexagonal says that an instance of a statement is in the tile of its hexagonal coordinates, of
// one phase or the other; "" where it has none.
func (l *lowering) hexagonal(s int) string {
	var all []string
	for _, term := range l.tiles[s] {
		if term.hexagon == nil || term.hexagon.Place > 0 {
			continue
		}
		var phases []string
		for number := range HexagonPhases {
			phases = append(phases, "("+(&HexagonPhase{Of: term.hexagon.Of, Number: number}).conditions(l, s)+")")
		}
		all = append(all, "("+strings.Join(phases, " or ")+")")
	}
	return strings.Join(all, " and ")
}

// terms are the coordinates of a tile.
func (h *Hexagon) terms() (terms []tileTerm) {
	for k := range h.Sizes {
		terms = append(terms, tileTerm{hexagon: &HexagonPlace{Of: h, Place: k}})
	}
	return terms
}
