package hyperplane

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// addLazyIndependence adds (23), for each connected component of the
// dependences: with the rows of a strongly connected component R concatenated to
// one matrix H_R, every row of H_R⊥ is non-negative on the concatenated
// coefficients, and their sum over the components' parts is positive. So
// at least one statement of each connected component gets a new row.
func (h *hyperplanes) addLazyIndependence(q Question) {
	count := len(h.scop.Statements)
	components := depend.ComponentsOf(count, q.Statements, q.Active, q.Privates)
	for _, connected := range depend.ComponentsOf(count, q.Statements, bothWays(q.Active), q.Privates) {
		sum := h.program.newRow()
		sum[len(sum)-1] = -1
		progress := false
		for _, component := range components {
			if !slices.Contains(connected, component[0]) {
				continue
			}
			for _, vector := range h.concatenatedComplement(component, q.Found) {
				row := h.program.newRow()
				h.concatenated(component, func(place, s, k int) {
					row[h.of[s].c[k]] = vector[place]
					sum[h.of[s].c[k]] += vector[place]
				})
				h.program.atLeastZero(h.about("(23)", component[0]), row)
				progress = true
			}
		}
		if progress {
			h.program.atLeastZero(h.about("(23)", connected[0]), sum)
		}
	}
}

// bothWays are the dependences and their reversals, as far as who is linked with
// whom counts.
func bothWays(dependences []*depend.Dependence) []*depend.Dependence {
	all := slices.Clone(dependences)
	for _, d := range dependences {
		all = append(all, &depend.Dependence{Source: d.Target, Target: d.Source})
	}
	return all
}

// concatenated calls f for each column of a component's concatenated rows: the
// loop k of statement s.
func (h *hyperplanes) concatenated(component []int, f func(place, s, k int)) {
	place := 0
	for _, s := range component {
		for k := range h.of[s].c {
			f(place, s, k)
			place++
		}
	}
}

// concatenatedComplement is a basis of H_R⊥ over the times of the component's
// loops. (23) leaves open which basis, and does depend on it, since it keeps
// one orthant only: the one chosen has the row of the source's outermost loop
// that is new in that orthant. Its part in H_R⊥ is the first vector, and all
// others are orthogonal to it: the source's row is positive on the one and zero
// on the others, so that it is always among the solutions, as theorem 4.4 has
// it.
func (h *hyperplanes) concatenatedComplement(component []int, found map[int][][]int64) [][]int64 {
	columns := 0
	rows := 0
	h.concatenated(component, func(place, s, k int) { columns, rows = place+1, max(rows, len(found[s])) })
	matrix := make([][]int64, rows)
	for i := range matrix {
		matrix[i] = make([]int64, columns)
	}
	over := map[int][][]int64{}
	for _, s := range component {
		over[s] = h.overTimes(s, found[s])
	}
	h.concatenated(component, func(place, s, k int) {
		for i, row := range over[s] {
			matrix[i][place] = row[k]
		}
	})
	source := h.nextSourceLoop(component, matrix, columns)
	if source == nil {
		return scop.Orthogonal(matrix, columns)
	}
	others := scop.Orthogonal(append(slices.Clip(matrix), source), columns)
	along := scop.Orthogonal(append(slices.Clip(matrix), others...), columns)[0]
	product := int64(0)
	for k, v := range source {
		product += v * along[k]
	}
	if product < 0 {
		for k := range along {
			along[k] = -along[k]
		}
	}
	return append([][]int64{along}, others...)
}

// nextSourceLoop is the concatenated row of the outermost loop of the source that
// depends on none of the rows; nil when there is none.
func (h *hyperplanes) nextSourceLoop(component []int, matrix [][]int64, columns int) []int64 {
	deepest := 0
	for _, s := range component {
		deepest = max(deepest, len(h.of[s].c))
	}
	rank := scop.Rank(matrix, columns)
	for level := range deepest {
		row := make([]int64, columns)
		h.concatenated(component, func(place, s, k int) {
			if k == level {
				row[place] = 1
			}
		})
		if scop.Rank(append(slices.Clip(matrix), row), columns) > rank {
			return row
		}
	}
	return nil
}
