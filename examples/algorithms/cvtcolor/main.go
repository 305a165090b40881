// A picture in grey: weights in 1/16384 for red, green and blue, rounded.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("cvtcolor", "ROWS", "COLUMNS")
	f.Input("image", algorithm.Uint8, "ROWS", "COLUMNS", 3)
	f.Computation("grey[i, j]", algorithm.Uint8, "0 <= i < ROWS and 0 <= j < COLUMNS",
		"uint8((4899 * image(i, j, 0) + 9617 * image(i, j, 1) + 1868 * image(i, j, 2) + 8192) >> 14)")
	f.Output("grey", "ROWS", "COLUMNS")
	f.Schedule("original\nparallel grey.i")
	algorithm.Main(f)
}
