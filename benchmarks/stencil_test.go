package benchmarks

import (
	"maps"
	"slices"
	"testing"
)

// stencils do one time step of a kernel on the arrays in a, which are row
// major. Each gathers its operands by a mask of weights and offsets, unlike
// the kernels.
var stencils = map[string]func(a map[string][]float64, sizes map[string]int, t int){
	"polybench/jacobi-1d": func(a map[string][]float64, sizes map[string]int, _ int) {
		line := mask{{0, -1, 0.33333}, {0, 0, 0.33333}, {0, 1, 0.33333}}
		n := sizes["N"]
		a["B"] = line.apply(a["A"], a["B"], n, window{0, 1, 1, n - 1})
		a["A"] = line.apply(a["B"], a["A"], n, window{0, 1, 1, n - 1})
	},
	"polybench/jacobi-2d": func(a map[string][]float64, sizes map[string]int, _ int) {
		n := sizes["N"]
		a["B"] = cross.apply(a["A"], a["B"], n, window{1, n - 1, 1, n - 1})
		a["A"] = cross.apply(a["B"], a["A"], n, window{1, n - 1, 1, n - 1})
	},
	"sc10/jacobi-2d": func(a map[string][]float64, sizes map[string]int, _ int) {
		n := sizes["N"]
		inner := window{2, n - 1, 2, n - 1}
		a["B"] = cross.apply(a["A"], a["B"], n, inner)
		a["A"] = mask{{0, 0, 1}}.apply(a["B"], a["A"], n, inner)
	},
	"polybench/heat-3d": func(a map[string][]float64, sizes map[string]int, _ int) {
		a["B"] = heated(a["A"], a["B"], sizes["N"])
		a["A"] = heated(a["B"], a["A"], sizes["N"])
	},
	"polybench/seidel-2d": seidelStep,
	"sc10/seidel":         seidelStep,
	"plutoplus/heat-1dp":  heatStep(1),
	"plutoplus/heat-2dp":  heatStep(2),
	"plutoplus/heat-3dp":  heatStep(3),
	"polybench/fdtd-2d": func(a map[string][]float64, sizes map[string]int, t int) {
		maxwellStep(a, sizes["NX"], sizes["NY"], a["_fict_"][t])
	},
	"hex/fdtd-2d": func(a map[string][]float64, sizes map[string]int, t int) {
		maxwellStep(a, sizes["N"], sizes["N"], a["drive"][t])
	},
	"hex/laplacian-2d": laplacianStep(2, 8),
	"hex/laplacian-3d": laplacianStep(3, 16),
	"hex/heat-2d":      diffusionStep(2),
	"hex/heat-3d":      diffusionStep(3),
	"hex/gradient-2d":  gradientStep(2),
	"hex/gradient-3d":  gradientStep(3),
}

// maxwellStep does one step of the fields on nx x ny points, driven at the edge
// by that value.
func maxwellStep(a map[string][]float64, nx, ny int, drive float64) {
	down := mask{{0, 0, 0.5}, {-1, 0, -0.5}}.apply(a["hz"], make([]float64, nx*ny), ny, window{1, nx, 0, ny})
	right := mask{{0, 0, 0.5}, {0, -1, -0.5}}.apply(a["hz"], make([]float64, nx*ny), ny, window{0, nx, 1, ny})
	a["ey"], a["ex"] = minus(a["ey"], down), minus(a["ex"], right)
	for j := range ny {
		a["ey"][j] = drive
	}
	inner := window{0, nx - 1, 0, ny - 1}
	curl := mask{{0, 1, 0.7}, {0, 0, -0.7}}.apply(a["ex"], make([]float64, nx*ny), ny, inner)
	a["hz"] = minus(a["hz"], curl)
	curl = mask{{1, 0, 0.7}, {0, 0, -0.7}}.apply(a["ey"], make([]float64, nx*ny), ny, inner)
	a["hz"] = minus(a["hz"], curl)
}

// mask is a weighted sum over neighbours.
type mask []struct {
	row, column int
	weight      float64
}

// window is a range of rows and one of columns, the upper bounds exclusive.
type window struct{ top, bottom, left, right int }

var cross = mask{{0, 0, 0.2}, {0, -1, 0.2}, {0, 1, 0.2}, {1, 0, 0.2}, {-1, 0, 0.2}}

// at is the mask's sum around one point of from, whose rows have that width.
func (m mask) at(from []float64, width, i, j int) float64 {
	total := 0.0
	for _, n := range m {
		total += n.weight * from[(i+n.row)*width+j+n.column]
	}
	return total
}

// apply returns a copy of onto whose window holds the mask's sums over from.
func (m mask) apply(from, onto []float64, width int, w window) []float64 {
	result := slices.Clone(onto)
	for i := w.top; i < w.bottom; i++ {
		for j := w.left; j < w.right; j++ {
			result[i*width+j] = m.at(from, width, i, j)
		}
	}
	return result
}

// heated returns a copy of onto, a cube of n^3 points, whose inner points hold
// a quarter of the same point of from and an eighth of each of its neighbours.
func heated(from, onto []float64, n int) []float64 {
	result := slices.Clone(onto)
	for p := range result {
		inner := true
		for _, stride := range []int{1, n, n * n} {
			place := p / stride % n
			inner = inner && 0 < place && place < n-1
		}
		if !inner {
			continue
		}
		result[p] = from[p] / 4
		for _, stride := range []int{1, n, n * n} {
			result[p] += (from[p-stride] + from[p+stride]) / 8
		}
	}
	return result
}

func minus(a, b []float64) []float64 {
	result := slices.Clone(a)
	for i := range result {
		result[i] -= b[i]
	}
	return result
}

func seidelStep(a map[string][]float64, sizes map[string]int, _ int) {
	var square mask
	for row := -1; row <= 1; row++ {
		for column := -1; column <= 1; column++ {
			square = append(square, mask{{row, column, 1.0 / 9}}...)
		}
	}
	n := sizes["N"]
	for i := 1; i < n-1; i++ {
		for j := 1; j < n-1; j++ {
			a["A"][i*n+j] = square.at(a["A"], n, i, j)
		}
	}
}

func TestStencilsMatchTheirMasks(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	for name, step := range stencils {
		run := runs[name]
		arrays := maps.Clone(run.before)
		for array, values := range arrays {
			arrays[array] = slices.Clone(values)
		}
		for time := range run.sizes["TSTEPS"] + run.sizes["TMAX"] {
			step(arrays, run.sizes, time)
		}
		for array, want := range arrays {
			compare(t, name, &run, array, run.after[array], want)
		}
	}
}
