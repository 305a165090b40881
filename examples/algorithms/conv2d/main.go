// Convolution of a picture with a 3 x 3 mask; beyond the edges it continues with its outermost points.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("conv2d", "ROWS", "COLUMNS")
	f.Input("image", algorithm.Float32, "ROWS", "COLUMNS", 3)
	f.Input("mask", algorithm.Float32, 3, 3)
	points := "0 <= i < ROWS and 0 <= j < COLUMNS and 0 <= c < 3"
	f.Computation("output[i, j, c]", algorithm.Float32, points, "0.0f")
	f.Update("output[i, j, c, k, l]", points+" and 0 <= k < 3 and 0 <= l < 3",
		"output(i, j, c) + mask(k, l) * image(clamp(i + k - 1, 0, ROWS - 1), clamp(j + l - 1, 0, COLUMNS - 1), c)")
	f.Together("c", "output", "output_1")
	f.Output("output", "ROWS", "COLUMNS", 3)
	f.Schedule(`
		original
		distribute output.i output.j output.c
		parallel output.i
		parallel output_1.i
		unroll output_1.k
		unroll output_1.l`)
	algorithm.Main(f)
}
