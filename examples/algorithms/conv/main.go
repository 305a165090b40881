// A layer of a convolutional network: 16 filters of 3 x 3 x 16 over a batch of pictures.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("conv", "BATCH", "N")
	f.Input("input", algorithm.Float32, "BATCH", 16, "N + 2", "N + 2")
	f.Input("weight", algorithm.Float32, 16, 16, 3, 3)
	f.Input("bias", algorithm.Float32, 16)
	points := "0 <= n < BATCH and 0 <= k < 16 and 0 <= y < N and 0 <= x < N"
	f.Computation("output[n, k, y, x]", algorithm.Float32, points, "bias(k)")
	f.Update("output[n, k, y, x, g, ky, kx]", points+" and 0 <= g < 16 and 0 <= ky < 3 and 0 <= kx < 3",
		"output(n, k, y, x) + input(n, g, y + ky, x + kx) * weight(k, g, ky, kx)")
	f.Output("output", "BATCH", 16, "N", "N")
	f.Schedule(`
		original
		parallel output.n
		vectorize output.x
		reorder output_1.n output_1.y output_1.k output_1.x output_1.g output_1.ky output_1.kx
		parallel output_1.n`)
	algorithm.Main(f)
}
