package benchmarks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func init() {
	for name, formula := range map[string]func(e *execution) map[string]mat.Matrix{
		"polybench/cholesky":    choleskyFactor,
		"polybench/durbin":      yuleWalker,
		"polybench/gramschmidt": orthogonalFactors,
		"sc10/gramschmidt":      orthogonalFactors,
		"polybench/trisolv": func(e *execution) map[string]mat.Matrix {
			lower := mat.NewTriDense(e.sizes["N"], mat.Lower, e.before["L"])
			return map[string]mat.Matrix{"x": solution(lower, e.vector("b"))}
		},
		"polybench/ludcmp": func(e *execution) map[string]mat.Matrix {
			return map[string]mat.Matrix{"x": solution(e.matrix("A", "N", "N"), e.vector("b"))}
		},
		"sc10/ludcmp": func(e *execution) map[string]mat.Matrix {
			n := e.sizes["N"] + 1
			b := e.vector("b")
			b.Set(0, 0, 1)
			return map[string]mat.Matrix{"b": b, "x": solution(e.shaped("a", n, n), b)}
		},
		"sc10/correl": correlationOfNormed,
		"sc10/covar":  covarianceTimesCount,
	} {
		formulas[name] = formula
	}
}

// solution solves a x = b.
func solution(a, b mat.Matrix) *mat.Dense {
	var x mat.Dense
	if err := x.Solve(a, b); err != nil {
		panic(err)
	}
	return &x
}

func choleskyFactor(e *execution) map[string]mat.Matrix {
	a := e.matrix("A", "N", "N")
	full := mat.NewSymDense(e.sizes["N"], mat.DenseCopyOf(a.T()).RawMatrix().Data)
	var factors mat.Cholesky
	var lower mat.TriDense
	if !factors.Factorize(full) {
		panic("the matrix of cholesky is not positive definite")
	}
	factors.LTo(&lower)
	return map[string]mat.Matrix{"A": lowerOf(&lower, a)}
}

// yuleWalker expects z to be what y was built in: its last element is not
// used.
func yuleWalker(e *execution) map[string]mat.Matrix {
	n := e.sizes["N"]
	r := e.before["r"]
	toeplitz := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			toeplitz.Set(i, j, append([]float64{1}, r...)[max(i-j, j-i)])
		}
	}
	y := solution(toeplitz, scaled(-1, e.vector("r")))
	z := mat.DenseCopyOf(y)
	z.Set(n-1, 0, e.before["z"][n-1])
	return map[string]mat.Matrix{"y": y, "z": z}
}

// orthogonalFactors are Q and R with a positive diagonal of R, and the columns
// of Q times that diagonal.
func orthogonalFactors(e *execution) map[string]mat.Matrix {
	m, n := e.sizes["M"], e.sizes["N"]
	var factors mat.QR
	var q, r mat.Dense
	factors.Factorize(e.matrix("A", "M", "N"))
	factors.QTo(&q)
	factors.RTo(&r)
	signs, diagonal := mat.NewDiagDense(n, nil), mat.NewDiagDense(n, nil)
	for k := range n {
		signs.SetDiag(k, math.Copysign(1, r.At(k, k)))
		diagonal.SetDiag(k, math.Abs(r.At(k, k)))
	}
	thin := product(q.Slice(0, m, 0, n), signs)
	upper := product(signs, r.Slice(0, n, 0, n))
	return map[string]mat.Matrix{
		"A": product(thin, diagonal),
		"Q": thin,
		"R": upperOf(upper, e.matrix("R", "N", "N")),
	}
}

// upperOf is the upper triangle of a, with the diagonal, and the rest of b.
func upperOf(a, b mat.Matrix) *mat.Dense {
	return mat.DenseCopyOf(lowerOf(a.T(), b.T()).T())
}

func correlationOfNormed(e *execution) map[string]mat.Matrix {
	m, n := e.sizes["M"], e.sizes["N"]
	normed := e.shaped("data", n+1, m+1)
	inner := withoutFirst(normed)
	inner.Apply(func(_, j int, v float64) float64 {
		return (v - e.before["mean"][j+1]) / (math.Sqrt(float64(n)) * e.before["stddev"][j+1])
	}, inner)
	symmat := e.shaped("symmat", m+1, m+1)
	block := withoutFirst(symmat)
	block.Copy(product(inner.T(), inner))
	for j := range m {
		block.Set(j, j, 1)
	}
	return map[string]mat.Matrix{"data": normed, "symmat": symmat}
}

func covarianceTimesCount(e *execution) map[string]mat.Matrix {
	m, n := e.sizes["M"], e.sizes["N"]
	centred := e.shaped("data", n+1, m+1)
	inner := withoutFirst(centred)
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, inner, nil)
	symmat := e.shaped("symmat", m+1, m+1)
	withoutFirst(symmat).Scale(float64(n-1), &covariance)
	mean := e.vector("mean")
	for j := range m {
		mean.Set(j+1, 0, stat.Mean(mat.Col(nil, j, inner), nil))
	}
	inner.Apply(func(_, j int, v float64) float64 { return v - mean.At(j+1, 0) }, inner)
	return map[string]mat.Matrix{"data": centred, "symmat": symmat, "mean": mean}
}

// withoutFirst is the part of a without its first row and column; it shares
// the elements of a.
func withoutFirst(a *mat.Dense) *mat.Dense {
	rows, columns := a.Dims()
	return a.Slice(1, rows, 1, columns).(*mat.Dense)
}

// TestFactorsMultiplyToTheMatrix checks L U = A; in the suite polybench and in
// ludcmp L has the unit diagonal, in sc10/lu U has it.
func TestFactorsMultiplyToTheMatrix(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, array string
		unitLower   bool
	}{
		{"polybench/lu", "A", true}, {"sc10/lu", "A", false},
		{"polybench/ludcmp", "A", true}, {"sc10/ludcmp", "a", true},
	} {
		run := runs[c.name]
		factors, before := run.after[c.array], run.before[c.array]
		n := int(math.Sqrt(float64(len(factors))))
		lower, upper := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if j < i || j == i && !c.unitLower {
					lower.Set(i, j, factors[i*n+j])
				} else {
					upper.Set(i, j, factors[i*n+j])
				}
			}
			if c.unitLower {
				lower.Set(i, i, 1)
			} else {
				upper.Set(i, i, 1)
			}
		}
		compare(t, c.name, &run, c.array, product(lower, upper).RawMatrix().Data, before)
	}
}
