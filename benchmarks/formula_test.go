package benchmarks

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// matrix copies the array of that name from before the kernel ran.
func (e *execution) matrix(name string, rows, columns string) *mat.Dense {
	return e.shaped(name, e.sizes[rows], e.sizes[columns])
}

// vector copies the array of that name from before the kernel ran as a column.
func (e *execution) vector(name string) *mat.Dense {
	return e.shaped(name, len(e.before[name]), 1)
}

// shaped copies the array of that name from before the kernel ran.
func (e *execution) shaped(name string, rows, columns int) *mat.Dense {
	return mat.NewDense(rows, columns, slices.Clone(e.before[name]))
}

func product(factors ...mat.Matrix) *mat.Dense {
	var result mat.Dense
	result.Product(factors...)
	return &result
}

func scaled(factor float64, a mat.Matrix) *mat.Dense {
	var result mat.Dense
	result.Scale(factor, a)
	return &result
}

func sum(terms ...mat.Matrix) *mat.Dense {
	result := mat.DenseCopyOf(terms[0])
	for _, term := range terms[1:] {
		result.Add(result, term)
	}
	return result
}

// formulas give the expected contents of the arrays a kernel computes, from
// the formula in the header of its file and not from its loops.
var formulas = map[string]func(e *execution) map[string]mat.Matrix{
	"polybench/2mm": func(e *execution) map[string]mat.Matrix {
		tmp := scaled(e.scalars["alpha"], product(e.matrix("A", "NI", "NK"), e.matrix("B", "NK", "NJ")))
		d := sum(product(tmp, e.matrix("C", "NJ", "NL")), scaled(e.scalars["beta"], e.matrix("D", "NI", "NL")))
		return map[string]mat.Matrix{"tmp": tmp, "D": d}
	},
	"sc10/2mm": func(e *execution) map[string]mat.Matrix {
		c := product(e.matrix("A", "NI", "NK"), e.matrix("B", "NK", "NJ"))
		return map[string]mat.Matrix{"C": c, "E": product(c, e.matrix("D", "NJ", "NL"))}
	},
	"polybench/3mm":                 threeProducts,
	"sc10/3mm":                      threeProducts,
	"polybench/gemm":                generalProduct,
	"sc10/gemm":                     generalProduct,
	"polybench/atax":                func(e *execution) map[string]mat.Matrix { return transposeTimes(e, "M", "N") },
	"sc10/atax":                     func(e *execution) map[string]mat.Matrix { return transposeTimes(e, "NX", "NY") },
	"polybench/bicg":                func(e *execution) map[string]mat.Matrix { return biconjugate(e, "N", "M") },
	"sc10/bicg":                     func(e *execution) map[string]mat.Matrix { return biconjugate(e, "NX", "NY") },
	"polybench/gemver":              rankTwoUpdate,
	"sc10/gemver":                   rankTwoUpdate,
	"polybench/gesummv":             sumOfProducts,
	"sc10/gesummv":                  sumOfProducts,
	"polybench/doitgen":             productOfLast,
	"sc10/doitgen":                  productOfLast,
	"plutoplus/swim":                shallowWater,
	"plutoplus/lbm-ldc-d2q9":        latticeBoltzmann(nineVelocities, []string{"N", "N"}, cavity(nineVelocities, nineVelocities.oneRate)),
	"plutoplus/lbm-ldc-d2q9-mrt":    latticeBoltzmann(nineVelocities, []string{"N", "N"}, cavity(nineVelocities, manyRates)),
	"plutoplus/lbm-ldc-d3q27":       latticeBoltzmann(twentySevenVelocities, []string{"N", "N", "N"}, cavity(twentySevenVelocities, twentySevenVelocities.oneRate)),
	"plutoplus/lbm-fpc-d2q9":        latticeBoltzmann(nineVelocities, []string{"NY", "NX"}, aroundCylinder),
	"plutoplus/lbm-poiseuille-d2q9": latticeBoltzmann(nineVelocities, []string{"NY", "NX"}, betweenPlates),

	"tiramisu/sgemm":         generalProduct,
	"tiramisu/baryon":        colourContraction,
	"tiramisu/conv":          convolutionLayer,
	"tiramisu/conv2d":        maskedPicture,
	"tiramisu/cvtcolor":      greyPicture,
	"tiramisu/edge-detector": edges,
	"tiramisu/gaussian":      gaussianBlur,
	"tiramisu/hpcg":          gridSolve,
	"tiramisu/nb":            negativeAndBright,
	"tiramisu/ticket-2373":   shiftedTriangle,
	"tiramisu/vgg-block":     networkBlock,
	"tiramisu/warp-affine":   warpedPicture,

	"polybench/mvt": func(e *execution) map[string]mat.Matrix {
		a := e.matrix("A", "N", "N")
		return map[string]mat.Matrix{
			"x1": sum(e.vector("x1"), product(a, e.vector("y_1"))),
			"x2": sum(e.vector("x2"), product(a.T(), e.vector("y_2"))),
		}
	},
	"polybench/syrk": func(e *execution) map[string]mat.Matrix {
		a, c := e.matrix("A", "N", "M"), e.matrix("C", "N", "N")
		full := sum(scaled(e.scalars["alpha"], product(a, a.T())), scaled(e.scalars["beta"], c))
		return map[string]mat.Matrix{"C": lowerOf(full, c)}
	},
	"polybench/syr2k": func(e *execution) map[string]mat.Matrix {
		a, b, c := e.matrix("A", "N", "M"), e.matrix("B", "N", "M"), e.matrix("C", "N", "N")
		both := sum(product(a, b.T()), product(b, a.T()))
		full := sum(scaled(e.scalars["alpha"], both), scaled(e.scalars["beta"], c))
		return map[string]mat.Matrix{"C": lowerOf(full, c)}
	},
	"polybench/trmm": func(e *execution) map[string]mat.Matrix {
		a := mat.NewTriDense(e.sizes["M"], mat.Lower, e.matrix("A", "M", "M").RawMatrix().Data)
		unit := mat.DenseCopyOf(a)
		for i := range e.sizes["M"] {
			unit.Set(i, i, 1)
		}
		return map[string]mat.Matrix{"B": scaled(e.scalars["alpha"], product(unit.T(), e.matrix("B", "M", "N")))}
	},
	"polybench/symm": func(e *execution) map[string]mat.Matrix {
		lower := e.matrix("A", "M", "M")
		full := lowerOf(lower, lower.T())
		ab := product(full, e.matrix("B", "M", "N"))
		return map[string]mat.Matrix{"C": sum(scaled(e.scalars["alpha"], ab), scaled(e.scalars["beta"], e.matrix("C", "M", "N")))}
	},
	"polybench/covariance": func(e *execution) map[string]mat.Matrix {
		var cov mat.SymDense
		stat.CovarianceMatrix(&cov, e.matrix("data", "N", "M"), nil)
		return map[string]mat.Matrix{"cov": &cov}
	},
	"polybench/correlation": func(e *execution) map[string]mat.Matrix {
		var corr mat.SymDense
		stat.CorrelationMatrix(&corr, e.matrix("data", "N", "M"), nil)
		return map[string]mat.Matrix{"corr": &corr}
	},
}

func threeProducts(e *execution) map[string]mat.Matrix {
	left := product(e.matrix("A", "NI", "NK"), e.matrix("B", "NK", "NJ"))
	right := product(e.matrix("C", "NJ", "NM"), e.matrix("D", "NM", "NL"))
	return map[string]mat.Matrix{"E": left, "F": right, "G": product(left, right)}
}

func generalProduct(e *execution) map[string]mat.Matrix {
	ab := product(e.matrix("A", "NI", "NK"), e.matrix("B", "NK", "NJ"))
	return map[string]mat.Matrix{"C": sum(scaled(e.scalars["alpha"], ab), scaled(e.scalars["beta"], e.matrix("C", "NI", "NJ")))}
}

func transposeTimes(e *execution, rows, columns string) map[string]mat.Matrix {
	a := e.matrix("A", rows, columns)
	tmp := product(a, e.vector("x"))
	return map[string]mat.Matrix{"tmp": tmp, "y": product(a.T(), tmp)}
}

func biconjugate(e *execution, rows, columns string) map[string]mat.Matrix {
	a := e.matrix("A", rows, columns)
	return map[string]mat.Matrix{"s": product(a.T(), e.vector("r")), "q": product(a, e.vector("p"))}
}

func rankTwoUpdate(e *execution) map[string]mat.Matrix {
	a := sum(e.matrix("A", "N", "N"), product(e.vector("u1"), e.vector("v1").T()), product(e.vector("u2"), e.vector("v2").T()))
	x := sum(e.vector("x"), scaled(e.scalars["beta"], product(a.T(), e.vector("y"))), e.vector("z"))
	w := sum(e.vector("w"), scaled(e.scalars["alpha"], product(a, x)))
	return map[string]mat.Matrix{"A": a, "x": x, "w": w}
}

func sumOfProducts(e *execution) map[string]mat.Matrix {
	ax := product(e.matrix("A", "N", "N"), e.vector("x"))
	bx := product(e.matrix("B", "N", "N"), e.vector("x"))
	return map[string]mat.Matrix{"tmp": ax, "y": sum(scaled(e.scalars["alpha"], ax), scaled(e.scalars["beta"], bx))}
}

func productOfLast(e *execution) map[string]mat.Matrix {
	rows := mat.NewDense(e.sizes["NR"]*e.sizes["NQ"], e.sizes["NP"], e.before["A"])
	return map[string]mat.Matrix{"A": product(rows, e.matrix("C4", "NP", "NP"))}
}

// lowerOf is the lower triangle of a, with the diagonal, and the rest of b.
func lowerOf(a, b mat.Matrix) *mat.Dense {
	result := mat.DenseCopyOf(b)
	rows, _ := a.Dims()
	for i := range rows {
		for j := range i + 1 {
			result.Set(i, j, a.At(i, j))
		}
	}
	return result
}

func TestKernelsComputeTheirFormulas(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	for name, formula := range formulas {
		run, ok := runs[name]
		if !ok {
			t.Errorf("no kernel %s", name)
			continue
		}
		for array, want := range formula(&run) {
			compare(t, name, &run, array, run.after[array], mat.DenseCopyOf(want).RawMatrix().Data)
		}
	}
	for name := range runs {
		_, isStencil := stencils[name]
		if _, ok := formulas[name]; !ok && !isStencil && name != "polybench/lu" && name != "sc10/lu" {
			t.Errorf("%s is compared with no formula", name)
		}
	}
}

// compare allows a relative difference of 1e-11, for elements of type float of
// 1e-5, far above the rounding errors of sums of a few dozen terms. Integers
// must be equal.
func compare(t *testing.T, name string, run *execution, array string, got, want []float64) {
	t.Helper()
	tolerance := map[string]float64{"double": 1e-11, "float": 1e-5}[run.types[array]]
	if len(got) != len(want) {
		t.Errorf("%s: %s has %d elements, want %d", name, array, len(got), len(want))
		return
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			t.Errorf("%s: element %d of %s is %v, want %v", name, i, array, got[i], want[i])
			return
		}
	}
}
