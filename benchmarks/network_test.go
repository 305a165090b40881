package benchmarks

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

func column(values []float64) mat.Matrix { return mat.NewDense(len(values), 1, values) }

// convolved is a layer of 3 x 3 filters: the product of the matrix of all
// weights with the matrix whose columns are the 3 x 3 surroundings of a point
// in all features, and the bias added. The pictures of input are
// (side + 2) x (side + 2).
func convolved(input []float64, batch, side int, weight, bias []float64) []float64 {
	width := side + 2
	features := len(input) / (batch * width * width)
	weights := mat.NewDense(len(bias), features*9, weight)
	var output []float64
	for n := range batch {
		around := mat.NewDense(features*9, side*side, nil)
		for g := range features {
			for tap := range 9 {
				for point := range side * side {
					y, x := point/side+tap/3, point%side+tap%3
					around.Set(g*9+tap, point, input[((n*features+g)*width+y)*width+x])
				}
			}
		}
		layer := product(weights, around)
		layer.Apply(func(f, _ int, value float64) float64 { return value + bias[f] }, layer)
		output = append(output, layer.RawMatrix().Data...)
	}
	return output
}

func rectified(values []float64) []float64 {
	result := make([]float64, len(values))
	for i, v := range values {
		result[i] = math.Max(0, v)
	}
	return result
}

func convolutionLayer(e *execution) map[string]mat.Matrix {
	return map[string]mat.Matrix{"output": column(
		convolved(e.before["input"], e.sizes["BATCH"], e.sizes["N"], e.before["weight"], e.before["bias"]))}
}

func networkBlock(e *execution) map[string]mat.Matrix {
	side := 2 * e.sizes["N"]
	first := rectified(convolved(e.before["input"], 1, side+2, e.before["weight1"], e.before["bias1"]))
	second := rectified(convolved(first, 1, side, e.before["weight2"], e.before["bias2"]))
	output := make([]float64, len(second)/4)
	for i, v := range second {
		row, x := i/side, i%side
		pooled := &output[row/2*(side/2)+x/2]
		*pooled = math.Max(*pooled, v)
	}
	return map[string]mat.Matrix{"first": column(first), "second": column(second), "output": column(output)}
}

// gridSolve splits HPCG's matrix A into L, D and U: a forward step solves
// (L + D) z' = r - U z, a backward step (U + D) z” = r - L z'.
func gridSolve(e *execution) map[string]mat.Matrix {
	nx, ny, nz := e.sizes["NX"], e.sizes["NY"], e.sizes["NZ"]
	points := nx * ny * nz
	coordinates := func(p int) [3]int { return [3]int{p / (ny * nz), p / nz % ny, p % nz} }
	lower, upper := mat.NewDense(points, points, nil), mat.NewDense(points, points, nil)
	for p := range points {
		for q := range points {
			a, b, near := coordinates(p), coordinates(q), true
			for k := range a {
				near = near && a[k]-b[k] <= 1 && b[k]-a[k] <= 1
			}
			switch {
			case p == q:
				lower.Set(p, q, 26)
				upper.Set(p, q, 26)
			case near && q < p:
				lower.Set(p, q, -1)
			case near:
				upper.Set(p, q, -1)
			}
		}
	}
	inGrid := func(p int) int {
		c := coordinates(p)
		return ((c[0]+1)*(ny+2)+c[1]+1)*(nz+2) + c[2] + 1
	}
	z, r := mat.NewDense(points, 1, nil), column(e.before["r"])
	for p := range points {
		z.Set(p, 0, e.before["z"][inGrid(p)])
	}
	step := func(solved, rest *mat.Dense) {
		right := sum(r, scaled(-1, product(rest, z)), scaled(26, z))
		if err := z.Solve(solved, right); err != nil {
			panic(err)
		}
	}
	step(lower, upper)
	step(upper, lower)
	after := append([]float64{}, e.before["z"]...)
	for p := range points {
		after[inGrid(p)] = z.At(p, 0)
	}
	return map[string]mat.Matrix{"z": column(after),
		"q": sum(product(lower, z), product(upper, z), scaled(-26, z))}
}

// colourContraction writes the contraction with the antisymmetric tensor as a
// determinant.
func colourContraction(e *execution) map[string]mat.Matrix {
	sites, spins := e.sizes["SITES"], e.sizes["SPINS"]
	block := make([]float64, len(e.before["block"]))
	for i := range block {
		t, a, b, c := i/(spins*spins*spins), i/(spins*spins)%spins, i/spins%spins, i%spins
		for x := range sites {
			site := (t*sites + x) * spins
			quarks := mat.NewDense(3, 3, nil)
			quarks.SetRow(0, e.before["up"][3*(site+a):][:3])
			quarks.SetRow(1, e.before["down"][3*(site+b):][:3])
			quarks.SetRow(2, e.before["strange"][3*(site+c):][:3])
			block[i] += e.before["phase"][x] * mat.Det(quarks)
		}
	}
	return map[string]mat.Matrix{"block": column(block)}
}
