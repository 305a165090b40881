// A Gaussian blur of five points along rows, then along columns.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("gaussian", "ROWS", "COLUMNS")
	f.Input("image", algorithm.Float32, "ROWS", "COLUMNS", 3)
	points := "0 <= i < ROWS and 0 <= j < COLUMNS and 0 <= c < 3"
	f.Computation("rows[i, j, c]", algorithm.Float32, points,
		`0.0625f * image(i, clamp(j - 2, 0, COLUMNS - 1), c) + 0.25f * image(i, clamp(j - 1, 0, COLUMNS - 1), c)
			+ 0.375f * image(i, j, c)
			+ 0.25f * image(i, clamp(j + 1, 0, COLUMNS - 1), c) + 0.0625f * image(i, clamp(j + 2, 0, COLUMNS - 1), c)`)
	f.Output("rows", "ROWS", "COLUMNS", 3)
	f.Computation("output[i, j, c]", algorithm.Float32, points,
		`0.0625f * rows(clamp(i - 2, 0, ROWS - 1), j, c) + 0.25f * rows(clamp(i - 1, 0, ROWS - 1), j, c)
			+ 0.375f * rows(i, j, c)
			+ 0.25f * rows(clamp(i + 1, 0, ROWS - 1), j, c) + 0.0625f * rows(clamp(i + 2, 0, ROWS - 1), j, c)`)
	f.Output("output", "ROWS", "COLUMNS", 3)
	f.Schedule(`
		original
		fuse rows.i output.i shifting
		fuse rows.j output.j
		tile rows.j by 256
		interchange rows.i rows.jt
		parallel rows.jt`)
	algorithm.Main(f)
}
