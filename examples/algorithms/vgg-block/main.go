// Two layers of convolutions with rectifiers, and the largest of each 2 x 2 points.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("vgg_block", "FOUT", "FIN", "N")
	f.Input("input", algorithm.Float32, "FIN", "2 * N + 4", "2 * N + 4")
	layer := func(name, from, channels, size, weight, bias string) {
		f.Input(weight, algorithm.Float32, "FOUT", channels, 3, 3)
		f.Input(bias, algorithm.Float32, "FOUT")
		points := "0 <= m < FOUT and 0 <= y < " + size + " and 0 <= x < " + size
		f.Computation(name+"[m, y, x]", algorithm.Float32, points, bias+"(m)")
		f.Update(name+"[m, y, x, g, ky, kx]", points+" and 0 <= g < "+channels+" and 0 <= ky < 3 and 0 <= kx < 3",
			name+"(m, y, x) + "+from+"(g, y + ky, x + kx) * "+weight+"(m, g, ky, kx)")
		f.Update(name+"[m, y, x]", points, "max(0.0f, "+name+"(m, y, x))")
		f.Output(name, "FOUT", size, size)
	}
	layer("one", "input", "FIN", "2 * N + 2", "weight1", "bias1")
	layer("two", "one", "FOUT", "2 * N", "weight2", "bias2")
	f.Computation("output[m, y, x]", algorithm.Float32, "0 <= m < FOUT and 0 <= y < N and 0 <= x < N",
		"max(max(two(m, 2 * y, 2 * x), two(m, 2 * y, 2 * x + 1)), max(two(m, 2 * y + 1, 2 * x), two(m, 2 * y + 1, 2 * x + 1)))")
	f.Output("output", "FOUT", "N", "N")
	f.Schedule(`
		original
		parallel one.m
		parallel one_1.m
		parallel one_2.m
		parallel two.m
		parallel two_1.m
		parallel two_2.m
		parallel output.m`)
	algorithm.Main(f)
}
