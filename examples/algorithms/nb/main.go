// Four passes over a picture: its negative and a brighter one, then both made to fit.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("nb", "ROWS", "COLUMNS")
	f.Input("image", algorithm.Uint8, "ROWS", "COLUMNS", 3)
	points := "0 <= i < ROWS and 0 <= j < COLUMNS and 0 <= c < 3"
	f.Computation("negative[i, j, c]", algorithm.Int16, points, "int16(255 - image(i, j, c))")
	f.Computation("bright[i, j, c]", algorithm.Int16, points, "int16(image(i, j, c) + image(i, j, c) / 2)")
	f.Update("negative[i, j, c]", points, "int16(4 * negative(i, j, c) / 5)")
	f.Update("bright[i, j, c]", points, "select(bright(i, j, c) > 255, 255, bright(i, j, c))")
	f.Output("negative", "ROWS", "COLUMNS", 3)
	f.Output("bright", "ROWS", "COLUMNS", 3)
	f.Schedule(`
		original
		fuse negative.i bright.i
		fuse negative.i negative_1.i
		fuse negative.i bright_1.i
		parallel negative.i`)
	algorithm.Main(f)
}
