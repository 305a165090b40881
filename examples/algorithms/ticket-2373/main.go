// An assignment to the points of a triangle.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("ticket_2373", "ROWS", "COLUMNS")
	f.Input("input", algorithm.Float32, "COLUMNS")
	f.Computation("output[r, x]", algorithm.Float32, "0 <= r < ROWS and r <= x < COLUMNS", "input(x - r)")
	f.Output("output", "ROWS", "COLUMNS")
	f.Schedule(`
		original
		tile output.r output.x by 64 128
		parallel output.rt
		dynamic output.rt
		separate output.xt
		vectorize output.x`)
	algorithm.Main(f)
}
