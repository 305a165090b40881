// A picture under an affine map, which is known when it runs only: what is read depends on data.
package main

import "polytune/algorithm"

// position is the row or column at a coordinate, or the outermost one beyond an edge.
func position(coordinate, last string) string {
	return "select(" + coordinate + " < 0.0f, 0, select(" + coordinate + " >= float(" + last + "), " + last + ", int32(" + coordinate + ")))"
}

// between is the value between a and b where a coordinate lies between two points.
func between(a, b, coordinate string) string {
	weight := "(" + coordinate + " - floorf(" + coordinate + "))"
	return "((1.0f - " + weight + ") * " + a + " + " + weight + " * " + b + ")"
}

func main() {
	f := algorithm.New("warp_affine", "ROWS", "COLUMNS")
	for _, number := range []string{"a00", "a01", "a10", "a11", "b0", "b1"} {
		f.Input(number, algorithm.Float32)
	}
	f.Input("image", algorithm.Float32, "ROWS", "COLUMNS", 3)
	y, x := "(a00 * float(i) + a01 * float(j) + b0)", "(a10 * float(i) + a11 * float(j) + b1)"
	point := func(down, right string) string {
		return "image(" + position("(floorf("+y+")"+down+")", "(ROWS - 1)") + ", " + position("(floorf("+x+")"+right+")", "(COLUMNS - 1)") + ", c)"
	}
	f.Computation("output[i, j, c]", algorithm.Float32, "0 <= i < ROWS and 0 <= j < COLUMNS and 0 <= c < 3",
		between(between(point("", ""), point("", " + 1.0f"), x), between(point(" + 1.0f", ""), point(" + 1.0f", " + 1.0f"), x), y))
	f.Output("output", "ROWS", "COLUMNS", 3)
	f.Schedule("original\nparallel output.i")
	algorithm.Main(f)
}
