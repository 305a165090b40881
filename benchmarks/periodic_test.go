package benchmarks

import "slices"

// field is a function on a periodic grid, in row-major order.
type field struct {
	values  []float64
	extents []int
}

// moved is the field after every value has moved by that many places along
// the axis; what leaves at one side comes in at the other.
func (f field) moved(axis, by int) field {
	inner := 1
	for _, extent := range f.extents[axis+1:] {
		inner *= extent
	}
	extent := f.extents[axis]
	result := field{make([]float64, len(f.values)), f.extents}
	for from, value := range f.values {
		place := from / inner % extent
		to := from + ((place+by+extent)%extent-place)*inner
		result.values[to] = value
	}
	return result
}

// plus is f + factor g, element by element.
func (f field) plus(factor float64, g field) field {
	result := field{slices.Clone(f.values), f.extents}
	for i, value := range g.values {
		result.values[i] += factor * value
	}
	return result
}

// heatStep does one explicit step of the heat equation with the coefficient
// 1/8 in that many dimensions. The array A has two time levels.
func heatStep(dimensions int) func(a map[string][]float64, sizes map[string]int, t int) {
	return func(a map[string][]float64, sizes map[string]int, t int) {
		points := len(a["A"]) / 2
		now, next := a["A"][:points], a["A"][points:]
		if t%2 == 1 {
			now, next = next, now
		}
		u := field{now, slices.Repeat([]int{sizes["N"]}, dimensions)}
		result := u
		for axis := range dimensions {
			neighbours := u.moved(axis, 1).plus(1, u.moved(axis, -1))
			result = result.plus(0.125, neighbours.plus(-2, u))
		}
		copy(next, result.values)
	}
}
