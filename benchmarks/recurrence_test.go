package benchmarks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

func init() {
	for name, formula := range map[string]func(e *execution) map[string]mat.Matrix{
		"polybench/adi":            alternatingSolutions,
		"sc10/adi":                 alternatingSweeps,
		"polybench/deriche":        smoothed,
		"polybench/floyd-warshall": shortestPaths,
		"polybench/nussinov":       mostPairs,
	} {
		formulas[name] = formula
	}
}

// alternatingSolutions solves the tridiagonal systems of all columns, then
// those of all rows, as one dense system with many right sides.
func alternatingSolutions(e *execution) map[string]mat.Matrix {
	n, steps := e.sizes["N"], e.sizes["TSTEPS"]
	a := -float64(n*n) / float64(steps)
	d := a / 2
	u, v := e.matrix("u", "N", "N"), e.matrix("v", "N", "N")
	for range steps {
		v = columnsSolved(v, u, a, d)
		u = mat.DenseCopyOf(columnsSolved(u.T(), v.T(), d, a).T())
	}
	return map[string]mat.Matrix{"u": u, "v": v}
}

// columnsSolved is the matrix like old in the first and last column and 1 in
// the first and last row whose other elements X satisfy T(implicit) X = from
// T(-explicit), where T(c) is the tridiagonal matrix of c, 1 - 2c, c.
func columnsSolved(old, from mat.Matrix, implicit, explicit float64) *mat.Dense {
	n, _ := old.Dims()
	system, right := tridiagonal(n, implicit), product(from, tridiagonal(n, -explicit))
	for k := range n {
		for _, border := range []int{0, n - 1} {
			system.Set(border, k, 0)
			system.Set(border, border, 1)
			right.Set(border, k, 1)
		}
	}
	result := solution(system, right)
	for _, border := range []int{0, n - 1} {
		result.SetCol(border, mat.Col(nil, border, old))
	}
	return result
}

func tridiagonal(n int, c float64) *mat.Dense {
	return sum(diagonals(n, 0, 1-2*c), diagonals(n, -1, c), diagonals(n, 1, c))
}

// diagonals is the matrix with value in element (i, i+offset) of each row i
// and 0 elsewhere.
func diagonals(n, offset int, value float64) *mat.Dense {
	result := mat.NewDense(n, n, nil)
	for i := max(0, -offset); i < min(n, n-offset); i++ {
		result.Set(i, i+offset, value)
	}
	return result
}

// alternatingSweeps finds the elimination of each row, then of each column, by
// the Cholesky decomposition of the symmetric tridiagonal matrix that is
// eliminated.
func alternatingSweeps(e *execution) map[string]mat.Matrix {
	x, a, b := e.matrix("X", "N", "N"), e.matrix("A", "N", "N"), e.matrix("B", "N", "N")
	n := e.sizes["N"]
	for range e.sizes["TSTEPS"] {
		for i := range n {
			row, pivots := eliminated(x.RawRowView(i), a.RawRowView(i), b.RawRowView(i))
			substituted := slices.Clone(row)
			for j := 1; j < n-1; j++ {
				substituted[j] = (row[j] - row[j-1]*a.At(i, j-1)) / pivots[j-1]
			}
			x.SetRow(i, substituted)
			b.SetRow(i, pivots)
		}
		for j := range n {
			column, pivots := eliminated(mat.Col(nil, j, x), mat.Col(nil, j, a), mat.Col(nil, j, b))
			substituted := slices.Clone(column)
			for i := 1; i < n-1; i++ {
				substituted[i] = (column[i] - column[i-1]*a.At(i-1, j)) / pivots[i]
			}
			x.SetCol(j, substituted)
			b.SetCol(j, pivots)
		}
	}
	return map[string]mat.Matrix{"X": x, "B": b}
}

// eliminated returns D and L^-1 x, its last element divided by that of D, for
// the matrix L D L^T with the elements of b on its diagonal and those of a,
// without the first, beside it.
func eliminated(x, a, b []float64) (y, pivots []float64) {
	n := len(x)
	system := mat.NewSymDense(n, nil)
	for k := range n {
		system.SetSym(k, k, b[k])
		if k > 0 {
			system.SetSym(k-1, k, a[k])
		}
	}
	var factors mat.Cholesky
	var lower mat.TriDense
	if !factors.Factorize(system) {
		panic("a system of adi is not positive definite")
	}
	factors.LTo(&lower)
	y = mat.Col(nil, 0, solution(&lower, mat.NewDense(n, 1, x)))
	for k := range n {
		y[k] *= lower.At(k, k)
		pivots = append(pivots, math.Pow(lower.At(k, k), 2))
	}
	y[n-1] /= pivots[n-1]
	return y, pivots
}

// smoothed writes each recursive filter as the inverse of one matrix of
// diagonals times another.
func smoothed(e *execution) map[string]mat.Matrix {
	in := e.matrix("imgIn", "W", "H")
	forwards, backwards := deriche(e.sizes["H"], e.scalars["alpha"])
	rows := product(in, sum(forwards, backwards).T())
	forwards, backwards = deriche(e.sizes["W"], e.scalars["alpha"])
	y1, y2 := product(forwards, rows), product(backwards, rows)
	return map[string]mat.Matrix{"y1": y1, "y2": y2, "imgOut": sum(y1, y2)}
}

// deriche is the filter with coefficients a1 and a2, and that with a3 and a4,
// on n points.
func deriche(n int, alpha float64) (forwards, backwards *mat.Dense) {
	decay := math.Exp(-alpha)
	k := math.Pow(1-decay, 2) / (1 + 2*alpha*decay - math.Exp(2*alpha))
	before, twoBefore := diagonals(n, -1, 1), diagonals(n, -2, 1)
	recursion := sum(diagonals(n, 0, 1), scaled(-math.Pow(2, -alpha), before), scaled(decay*decay, twoBefore))
	forwards = solution(recursion, sum(diagonals(n, 0, k), scaled(k*decay*(alpha-1), before)))
	backwards = solution(recursion.T(), sum(scaled(k*decay*(alpha+1), before.T()), scaled(-k*decay*decay, twoBefore.T())))
	return forwards, backwards
}

// shortestPaths allows twice as many edges in each round.
func shortestPaths(e *execution) map[string]mat.Matrix {
	n := e.sizes["N"]
	path := e.matrix("path", "N", "N")
	for edges := 1; edges < n; edges *= 2 {
		short := mat.DenseCopyOf(path)
		path.Apply(func(i, j int, length float64) float64 {
			for k := range n {
				length = min(length, short.At(i, k)+short.At(k, j))
			}
			return length
		}, short)
	}
	return map[string]mat.Matrix{"path": path}
}

// mostPairs decides for the last base j of a part whether it pairs, and with
// which base k.
func mostPairs(e *execution) map[string]mat.Matrix {
	n, seq := e.sizes["N"], e.before["seq"]
	table := mat.NewDense(n, n, nil)
	within := func(i, j int) float64 {
		if j <= i {
			return 0
		}
		return table.At(i, j)
	}
	for length := 1; length < n; length++ {
		for i := range n - length {
			j := i + length
			pairs := within(i, j-1)
			for k := i; k < j-1; k++ {
				if seq[k]+seq[j] == 3 {
					pairs = max(pairs, within(i, k-1)+1+within(k+1, j-1))
				}
			}
			table.Set(i, j, pairs)
		}
	}
	return map[string]mat.Matrix{"table": table}
}
