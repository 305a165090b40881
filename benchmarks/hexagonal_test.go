package benchmarks

import "math"

// neighbourhood gives the old value at an offset from the current point.
type neighbourhood func(offset ...int) float64

// takingTurns is a time step of the kernels whose array A has two grids of
// that many dimensions, each of N points: step t replaces the inner points of
// grid (t+1) mod 2 by what update makes of grid t mod 2.
func takingTurns(dimensions int, update func(old neighbourhood) float64) func(map[string][]float64, map[string]int, int) {
	return func(a map[string][]float64, sizes map[string]int, t int) {
		n := sizes["N"]
		points := len(a["A"]) / 2
		from, to := a["A"][t%2*points:][:points], a["A"][(t+1)%2*points:][:points]
		for point := range points {
			inner, rest := true, point
			for range dimensions {
				inner = inner && rest%n > 0 && rest%n < n-1
				rest /= n
			}
			if !inner {
				continue
			}
			to[point] = update(func(offset ...int) float64 {
				distance := 0
				for _, along := range offset {
					distance = distance*n + along
				}
				return from[point+distance]
			})
		}
	}
}

// offsets are the 3^dimensions vectors of -1, 0 and 1.
func offsets(dimensions int) [][]int {
	if dimensions == 0 {
		return [][]int{{}}
	}
	var list [][]int
	for _, head := range offsets(dimensions - 1) {
		for along := -1; along <= 1; along++ {
			list = append(list, append(append([]int{}, head...), along))
		}
	}
	return list
}

// distance is the number of dimensions along which an offset leads away.
func distance(offset []int) int {
	total := 0
	for _, along := range offset {
		total += along * along
	}
	return total
}

// laplacianStep adds the discrete Laplacian, divided by divisor.
func laplacianStep(dimensions int, divisor float64) func(map[string][]float64, map[string]int, int) {
	centre := make([]int, dimensions)
	return takingTurns(dimensions, func(old neighbourhood) float64 {
		laplacian := 0.0
		for _, o := range offsets(dimensions) {
			if distance(o) == 1 {
				laplacian += old(o...) - old(centre...)
			}
		}
		return old(centre...) + laplacian/divisor
	})
}

// diffusionStep takes the mean with the weights 1/4, 1/2, 1/4 along each
// dimension.
func diffusionStep(dimensions int) func(map[string][]float64, map[string]int, int) {
	return takingTurns(dimensions, func(old neighbourhood) float64 {
		mean := 0.0
		for _, o := range offsets(dimensions) {
			mean += math.Pow(0.5, float64(dimensions+distance(o))) * old(o...)
		}
		return mean
	})
}

// gradientStep adds 1 / sqrt(1 + the squared differences to the neighbours).
func gradientStep(dimensions int) func(map[string][]float64, map[string]int, int) {
	centre := make([]int, dimensions)
	return takingTurns(dimensions, func(old neighbourhood) float64 {
		squares := 1.0
		for _, o := range offsets(dimensions) {
			if distance(o) == 1 {
				squares += math.Pow(old(centre...)-old(o...), 2)
			}
		}
		return old(centre...) + math.Pow(squares, -0.5)
	})
}
