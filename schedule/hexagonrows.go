package schedule

import (
	"maps"
	"math"
	"slices"
	"strings"

	"polytune/scop"
)

// Row are the first and the last coordinate b of a hexagon's points at the step a, from 0 to 2h +
// 1, in the local coordinates of section 3.3.3.
func (h *Hexagon) Row(step int64) (first, last int64) {
	first, last = math.MinInt64, math.MaxInt64
	for _, side := range h.sides() {
		if side.space > 0 {
			first = max(first, ceilDiv(side.least-side.time*step, side.space))
		} else {
			last = min(last, floorDiv(side.time*step-side.least, -side.space))
		}
	}
	return first, last
}

// Strip are the first and the last coordinate of a tile's points at a step along one of the other
// dimensions of space, from 1 on, less those of the tile with the number 0: condition (14).
func (h *Hexagon) Strip(dimension int, step int64) (first, last int64) {
	slope, width := h.Slopes[dimension+1], h.Sizes[dimension+1]
	return ceilDiv(-slope.Over*step, slope.Under), floorDiv(slope.Under*width-1-slope.Over*step, slope.Under)
}

// floorDiv is the largest integer that is at most a / b, b from 1 on.
func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// ceilDiv is the smallest integer that is at least a / b, b from 1 on.
func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

// Corner is the step, and the place along the first dimension of space, of the local coordinates
// (0, 0) of a hexagon of a phase, by the tile's coordinates T and S0: equations (2) to (5), whose
// misprint is corrected.
func (h *Hexagon) Corner(phase int, time, space int64) (step, place int64) {
	down, up := h.Slopes[0].Floor(h.Sizes[0]-1), h.Slopes[1].Floor(h.Sizes[0]-1)
	long, wide := h.hexagonPeriods()
	step, place = long*time, wide*space-(up-down)*time
	if phase == 0 {
		step, place = step-h.Sizes[0], place-down-h.Sizes[1]
	}
	return step, place
}

// Says that an instance of a statement of a program is in the tile with the coordinates of the
// given names, in one phase or the other.
func (h *Hexagon) Says(p *scop.Program, s int, names []string) string {
	var phases []string
	for number := range HexagonPhases {
		phases = append(phases, "("+(&HexagonPhase{Of: h, Number: number}).of(p, s, names)+")")
	}
	return "(" + strings.Join(phases, " or ") + ")"
}

// IsDetermined says whether some loops tell in which tile of a phase an instance is: those over its
// time, and over all dimensions of space.
func (h *Hexagon) IsDetermined(by []*Loop) bool {
	has := func(rows map[int]Row) bool {
		return slices.ContainsFunc(by, func(l *Loop) bool {
			return l.Level == 0 && len(l.Terms) == 1 && maps.EqualFunc(l.Terms[0].Rows, rows, Row.Equal)
		})
	}
	return has(h.Time) && !slices.ContainsFunc(h.Space, func(rows map[int]Row) bool { return !has(rows) })
}
