package stat

import (
	"cmp"
	"slices"
)

// midranks gives each value its rank, counted from 1; equal values share the
// mean of their ranks. The groups are the sizes of the sets of equal values, of
// those with more than one.
func midranks(values []float64) (ranks []float64, groups []int) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks = make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && values[order[last+1]] == values[order[first]] {
			last++
		}
		for _, i := range order[first : last+1] {
			ranks[i] = float64(first+last)/2 + 1
		}
		if last > first {
			groups = append(groups, last-first+1)
		}
		first = last + 1
	}
	return ranks, groups
}
