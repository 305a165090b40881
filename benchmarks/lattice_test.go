package benchmarks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// velocities of a lattice Boltzmann method, in the order of its populations;
// the components are those along the axes, outermost first.
type velocities [][]int

var nineVelocities = velocities{{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}

var twentySevenVelocities = func() (all velocities) {
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				all = append(all, []int{z, y, x})
			}
		}
	}
	return all
}()

// dot is the product of the k-th velocity with a vector.
func (c velocities) dot(k int, u []float64) (sum float64) {
	for axis, component := range c[k] {
		sum += float64(component) * u[axis]
	}
	return sum
}

// equilibrium are the populations at rest with each other at that density and
// flow. The weights are products of 2/3 or 1/6 for each axis.
func (c velocities) equilibrium(rho float64, u []float64) []float64 {
	result := make([]float64, len(c))
	square := 0.0
	for _, component := range u {
		square += component * component
	}
	for k := range c {
		weight := 1.0
		for _, component := range c[k] {
			weight *= []float64{2.0 / 3, 1.0 / 6}[component*component]
		}
		along := c.dot(k, u)
		result[k] = weight * rho * (1 + 3*along + 4.5*along*along - 1.5*square)
	}
	return result
}

// flow are the density and the mean velocity of the populations of a node.
func (c velocities) flow(f []float64) (rho float64, u []float64) {
	u = make([]float64, len(c[0]))
	for k, value := range f {
		rho += value
		for axis, component := range c[k] {
			u[axis] += value * float64(component)
		}
	}
	for axis := range u {
		u[axis] /= rho
	}
	return rho, u
}

// relaxed is f moved towards its equilibrium by the factor omega.
func (c velocities) relaxed(f []float64, omega float64) []float64 {
	goal := c.equilibrium(c.flow(f))
	result := make([]float64, len(f))
	for k := range f {
		result[k] = (1-omega)*f[k] + omega*goal[k]
	}
	return result
}

// reversed are the populations sent back to where they came from.
func (c velocities) reversed(f []float64) []float64 {
	result := make([]float64, len(f))
	for k := range c {
		for other := range c {
			if !slices.ContainsFunc([]int{0, 1, 2}[:len(c[k])], func(axis int) bool { return c[k][axis] != -c[other][axis] }) {
				result[k] = f[other]
			}
		}
	}
	return result
}

// latticeBoltzmann computes the array "lattice", two time levels of nodes with
// their populations, by moving each population over the whole grid and then
// applying the rule to every node.
func latticeBoltzmann(c velocities, extents []string, rule func(e *execution, place []int, f []float64) []float64) func(e *execution) map[string]mat.Matrix {
	return func(e *execution) map[string]mat.Matrix {
		shape := make([]int, len(extents))
		for axis, extent := range extents {
			shape[axis] = e.sizes[extent]
		}
		levels := slices.Clone(e.before["lattice"])
		size := len(levels) / 2
		for t := range e.sizes["TSTEPS"] {
			now, next := levels[t%2*size:][:size], levels[(t+1)%2*size:][:size]
			arrived := make([]field, len(c))
			for k := range c {
				arrived[k] = population(now, k, len(c), shape)
				for axis, component := range c[k] {
					arrived[k] = arrived[k].moved(axis, component)
				}
			}
			for node := range size / len(c) {
				f := make([]float64, len(c))
				for k := range c {
					f[k] = arrived[k].values[node]
				}
				copy(next[node*len(c):], rule(e, placeOf(node, shape), f))
			}
		}
		return map[string]mat.Matrix{"lattice": mat.NewDense(1, len(levels), levels)}
	}
}

// population is the k-th of so many populations of every node.
func population(nodes []float64, k, count int, shape []int) field {
	f := field{make([]float64, len(nodes)/count), shape}
	for node := range f.values {
		f.values[node] = nodes[node*count+k]
	}
	return f
}

// placeOf are the indices of an element of an array in row-major order.
func placeOf(index int, shape []int) []int {
	place := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		place[axis] = index % shape[axis]
		index /= shape[axis]
	}
	return place
}

// cavity is the rule of a closed box: walls all around, the last layer of the
// outermost axis a lid that moves along the innermost, and fluid inside.
func cavity(c velocities, fluid func(e *execution, f []float64) []float64) func(e *execution, place []int, f []float64) []float64 {
	return func(e *execution, place []int, f []float64) []float64 {
		last := e.sizes["N"] - 1
		switch {
		case place[0] == last:
			u := make([]float64, len(place))
			u[len(u)-1] = e.scalars["lid"]
			return c.equilibrium(1, u)
		case slices.Contains(place, 0) || slices.Contains(place, last):
			return c.reversed(f)
		}
		return fluid(e, f)
	}
}

// oneRate relaxes all populations at the rate omega.
func (c velocities) oneRate(e *execution, f []float64) []float64 {
	return c.relaxed(f, e.scalars["omega"])
}

// moments is the matrix of the moments of nine velocities, by Lallemand and
// Luo's polynomials in the velocity.
func moments() *mat.Dense {
	m := mat.NewDense(9, 9, nil)
	for k, c := range nineVelocities {
		y, x := float64(c[0]), float64(c[1])
		square := x*x + y*y
		for row, value := range []float64{1, 3*square - 4, 4 - 10.5*square + 4.5*square*square,
			x, (3*square - 5) * x, y, (3*square - 5) * y, x*x - y*y, x * y} {
			m.Set(row, k, value)
		}
	}
	return m
}

// manyRates relaxes each moment at its own rate.
func manyRates(e *execution, f []float64) []float64 {
	m, omega := moments(), e.scalars["omega"]
	now := product(m, mat.NewDense(9, 1, f))
	rho, u := nineVelocities.flow(f)
	jx, jy := rho*u[1], rho*u[0]
	square := (jx*jx + jy*jy) / rho
	goal := mat.NewDense(9, 1, []float64{rho, 3*square - 2*rho, rho - 3*square, jx, -jx, jy, -jy, (jx*jx - jy*jy) / rho, jx * jy / rho})
	rates := mat.NewDiagDense(9, []float64{0, 1.1, 1, 0, 1.2, 0, 1.2, omega, omega})
	var back mat.Dense
	if err := back.Solve(m, sum(now, product(rates, sum(goal, scaled(-1, now))))); err != nil {
		panic(err)
	}
	return back.RawMatrix().Data
}

// aroundCylinder is the rule of plutoplus/lbm-fpc-d2q9.
func aroundCylinder(e *execution, place []int, f []float64) []float64 {
	width, length := float64(e.sizes["NY"]), float64(e.sizes["NX"])
	switch {
	case place[1] == 0:
		return nineVelocities.equilibrium(1, []float64{0, e.scalars["inflow"]})
	case math.Hypot(float64(place[0])-width/2, float64(place[1])-length/4) <= width/9:
		return nineVelocities.reversed(f)
	}
	return nineVelocities.oneRate(e, f)
}

// betweenPlates is the rule of plutoplus/lbm-poiseuille-d2q9.
func betweenPlates(e *execution, place []int, f []float64) []float64 {
	if place[0] == 0 || place[0] == e.sizes["NY"]-1 {
		return nineVelocities.reversed(f)
	}
	result := nineVelocities.oneRate(e, f)
	weights := nineVelocities.equilibrium(1, []float64{0, 0})
	for k, c := range nineVelocities {
		result[k] += 3 * weights[k] * float64(c[1]) * e.scalars["force"]
	}
	return result
}
