// A symmetric Gauss-Seidel step on A z = r, forwards and backwards, and the product q = A z.
package main

import (
	"fmt"
	"strings"

	"polytune/algorithm"
)

// around sums the 26 points around a point, a plane after the other.
func around(point string) string {
	planes := make([]string, 3)
	for a := range planes {
		var terms []string
		for n := range 9 {
			if a != 1 || n != 4 {
				terms = append(terms, fmt.Sprintf(point, a, n/3, n%3))
			}
		}
		planes[a] = "(" + strings.Join(terms, " + ") + ")"
	}
	return "(" + strings.Join(planes, " + ") + ")"
}

func main() {
	f := algorithm.New("hpcg", "NX", "NY", "NZ")
	f.Input("z", algorithm.Float64, "NX + 2", "NY + 2", "NZ + 2")
	f.Input("r", algorithm.Float64, "NX", "NY", "NZ")
	grid := "0 <= i < NX and 0 <= j < NY and 0 <= k < NZ"
	f.Update("z[i, j, k]: z(i + 1, j + 1, k + 1)", grid, "(r(i, j, k) + "+around("z(i + %d, j + %d, k + %d)")+") / 26.0")
	f.Update("z[i, j, k]: z(NX - i, NY - j, NZ - k)", grid,
		"(r(NX - 1 - i, NY - 1 - j, NZ - 1 - k) + "+around("z(NX - 1 - i + %d, NY - 1 - j + %d, NZ - 1 - k + %d)")+") / 26.0")
	f.Computation("q[i, j, k]", algorithm.Float64, grid, "26.0 * z(i + 1, j + 1, k + 1) - "+around("z(i + %d, j + %d, k + %d)"))
	f.Output("q", "NX", "NY", "NZ")
	f.Schedule("original\nparallel q.i\nvectorize q.k")
	algorithm.Main(f)
}
