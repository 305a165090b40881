package benchmarks

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// torus is a function on a periodic grid of m x n points.
type torus struct {
	m, n   int
	values []float64
}

// at is the value at a point whose indices count modulo m and n.
func (f torus) at(i, j int) float64 { return f.values[(i+f.m)%f.m*f.n+(j+f.n)%f.n] }

// onTorus is the function with the given value at each point.
func onTorus(m, n int, value func(i, j int) float64) torus {
	f := torus{m, n, make([]float64, m*n)}
	for k := range f.values {
		f.values[k] = value(k/n, k%n)
	}
	return f
}

// extended are the values on m+1 rows and n+1 columns, the last the same as
// the first.
func (f torus) extended() []float64 {
	return onTorus(f.m+1, f.n+1, func(i, j int) float64 { return f.at(i, j) }).values
}

// shallowWater computes the arrays of plutoplus/swim from the equations in the
// header of its file, with indices modulo M and N in place of copies.
func shallowWater(e *execution) map[string]mat.Matrix {
	m, n := e.sizes["M"], e.sizes["N"]
	dx, dy, tdt, alpha := e.scalars["dx"], e.scalars["dy"], e.scalars["tdt"], e.scalars["alpha"]
	grid := func(value func(i, j int) float64) torus { return onTorus(m, n, value) }
	f := map[string]torus{}
	for name, values := range e.before {
		f[name] = grid(func(i, j int) float64 { return values[i*(n+1)+j] })
	}
	for range e.sizes["TSTEPS"] {
		u, v, p := f["u"], f["v"], f["p"]
		cu := grid(func(i, j int) float64 { return (p.at(i, j) + p.at(i-1, j)) / 2 * u.at(i, j) })
		cv := grid(func(i, j int) float64 { return (p.at(i, j) + p.at(i, j-1)) / 2 * v.at(i, j) })
		z := grid(func(i, j int) float64 {
			curl := (v.at(i, j)-v.at(i-1, j))/dx - (u.at(i, j)-u.at(i, j-1))/dy
			return curl / ((p.at(i-1, j-1) + p.at(i, j-1) + p.at(i, j) + p.at(i-1, j)) / 4)
		})
		h := grid(func(i, j int) float64 {
			squares := u.at(i+1, j)*u.at(i+1, j) + u.at(i, j)*u.at(i, j) + v.at(i, j+1)*v.at(i, j+1) + v.at(i, j)*v.at(i, j)
			return p.at(i, j) + squares/4
		})
		f["unew"] = grid(func(i, j int) float64 {
			flux := cv.at(i, j+1) + cv.at(i-1, j+1) + cv.at(i-1, j) + cv.at(i, j)
			return f["uold"].at(i, j) + tdt*((z.at(i, j+1)+z.at(i, j))/2*flux/4-(h.at(i, j)-h.at(i-1, j))/dx)
		})
		f["vnew"] = grid(func(i, j int) float64 {
			flux := cu.at(i+1, j) + cu.at(i, j) + cu.at(i, j-1) + cu.at(i+1, j-1)
			return f["vold"].at(i, j) - tdt*((z.at(i+1, j)+z.at(i, j))/2*flux/4+(h.at(i, j)-h.at(i, j-1))/dy)
		})
		f["pnew"] = grid(func(i, j int) float64 {
			divergence := (cu.at(i+1, j)-cu.at(i, j))/dx + (cv.at(i, j+1)-cv.at(i, j))/dy
			return f["pold"].at(i, j) - tdt*divergence
		})
		for _, name := range []string{"u", "v", "p"} {
			now, next, old := f[name], f[name+"new"], f[name+"old"]
			f[name+"old"] = grid(func(i, j int) float64 {
				return (1-2*alpha)*now.at(i, j) + alpha*(next.at(i, j)+old.at(i, j))
			})
			f[name] = next
		}
		f["cu"], f["cv"], f["z"], f["h"] = cu, cv, z, h
	}
	result := map[string]mat.Matrix{}
	for name := range e.before {
		result[name] = mat.NewDense(m+1, n+1, f[name].extended())
	}
	return result
}

// TestShallowWaterConservesMass asks that the leapfrog steps keep the sum of p
// over the torus, which is the mass.
func TestShallowWaterConservesMass(t *testing.T) {
	runs, err := executions()
	if err != nil {
		t.Fatal(err)
	}
	run := runs["plutoplus/swim"]
	m, n := run.sizes["M"], run.sizes["N"]
	mass := func(arrays map[string][]float64, name string) float64 {
		return mat.Sum(mat.NewDense(m+1, n+1, arrays[name]).Slice(0, m, 0, n))
	}
	compare(t, "plutoplus/swim", &run, "p", []float64{mass(run.after, "p")}, []float64{mass(run.before, "p")})
}
