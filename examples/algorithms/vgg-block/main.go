// Two layers of convolutions with rectifiers, and the largest of each 2 x 2 points.
package main

import (
	"polytune/algorithm"
	"strings"
)

func main() {
	vgg := algorithm.New("vgg_block", "FOUT", "FIN", "N")
	vgg.Input("input", algorithm.Float32, "FIN", "2 * N + 4", "2 * N + 4")
	layer := func(name, from, channels, size, weight, bias string) string {
		vgg.Input(weight, algorithm.Float32, "FOUT", channels, 3, 3)
		vgg.Input(bias, algorithm.Float32, "FOUT")
		points := "0 <= f < FOUT and 0 <= y < " + size + " and 0 <= x < " + size
		vgg.Computation(name+"[f, y, x]", algorithm.Float32, points, bias+"(f)")
		vgg.Update(name+"[f, y, x, g, ky, kx]", points+" and 0 <= g < "+channels+" and 0 <= ky < 3 and 0 <= kx < 3",
			name+"(f, y, x) + "+from+"(g, y + ky, x + kx) * "+weight+"(f, g, ky, kx)")
		vgg.Update(name+"[f, y, x]", points, "max(0.0f, "+name+"(f, y, x))")
		vgg.Together("x", name, name+"_1", name+"_2")
		vgg.Output(name, "FOUT", size, size)
		return strings.ReplaceAll(`
			distribute L.f L.y L.x
			parallel L.f
			vectorize L.x
			reorder L_1.y L_1.f L_1.x
			registers L_1.ky L_1.kx L_1.f L_1.x by 3 3 4 16 ahead lanes 8
			sink L_1.fr
			parallel L_1.y
			parallel L_2.f
			vectorize L_2.x`, "L", name)
	}
	one := layer("one", "input", "FIN", "2 * N + 2", "weight1", "bias1")
	two := layer("two", "one", "FOUT", "2 * N", "weight2", "bias2")
	vgg.Computation("output[f, y, x]", algorithm.Float32, "0 <= f < FOUT and 0 <= y < N and 0 <= x < N",
		"max(max(two(f, 2 * y, 2 * x), two(f, 2 * y, 2 * x + 1)), max(two(f, 2 * y + 1, 2 * x), two(f, 2 * y + 1, 2 * x + 1)))")
	vgg.Output("output", "FOUT", "N", "N")
	vgg.Schedule("original" + one + two + "\nparallel output.f")
	algorithm.Main(vgg)
}
