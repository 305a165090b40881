// A layer of a convolutional network: 16 filters of 3 x 3 x 16 over a batch of pictures.
package main

import "polytune/algorithm"

func main() {
	conv := algorithm.New("conv", "BATCH", "N")
	conv.Input("input", algorithm.Float32, "BATCH", 16, "N + 2", "N + 2")
	conv.Input("weight", algorithm.Float32, 16, 16, 3, 3)
	conv.Input("bias", algorithm.Float32, 16)
	points := "0 <= n < BATCH and 0 <= f < 16 and 0 <= y < N and 0 <= x < N"
	conv.Computation("output[n, f, y, x]", algorithm.Float32, points, "bias(f)")
	conv.Update("output[n, f, y, x, g, ky, kx]", points+" and 0 <= g < 16 and 0 <= ky < 3 and 0 <= kx < 3",
		"output(n, f, y, x) + input(n, g, y + ky, x + kx) * weight(f, g, ky, kx)")
	conv.Together("x", "output", "output_1")
	conv.Output("output", "BATCH", 16, "N", "N")
	conv.Schedule(`
		original
		distribute output.n output.f output.y output.x
		parallel output.n
		vectorize output.x
		reorder output_1.n output_1.y output_1.f output_1.x
		registers output_1.ky output_1.kx output_1.f output_1.x by 3 3 4 16 ahead lanes 8
		sink output_1.fr
		parallel output_1.n`)
	algorithm.Main(conv)
}
