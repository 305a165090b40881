// Edge detection in place: a blur over the eight neighbours, then Roberts' detector.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("edge_detector", "ROWS", "COLUMNS")
	f.Input("image", algorithm.Uint8, "ROWS", "COLUMNS", 3)
	f.Computation("ring[i, j, c]", algorithm.Uint8, "1 <= i < ROWS - 1 and 1 <= j < COLUMNS - 1 and 0 <= c < 3",
		`uint8((image(i - 1, j - 1, c) + image(i - 1, j, c) + image(i - 1, j + 1, c) + image(i, j - 1, c)
			+ image(i, j + 1, c) + image(i + 1, j - 1, c) + image(i + 1, j, c) + image(i + 1, j + 1, c)) / 8)`)
	f.Output("ring", "ROWS", "COLUMNS", 3)
	f.Computation("result[i, j, c]", algorithm.Uint8, "1 <= i < ROWS - 2 and 2 <= j < COLUMNS - 1 and 0 <= c < 3",
		"uint8((abs(ring(i, j, c) - ring(i + 1, j - 1, c)) + abs(ring(i + 1, j, c) - ring(i, j - 1, c))) / 2)")
	f.InPlace("image", "result")
	f.Schedule(`
		original
		parallel ring.i
		parallel result.i`)
	algorithm.Main(f)
}
