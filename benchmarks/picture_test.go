package benchmarks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// picture has rows x columns points of 3 colours.
type picture struct {
	rows, columns int
	values        []float64
}

func (e *execution) picture(name string) picture {
	return picture{e.sizes["ROWS"], e.sizes["COLUMNS"], e.before[name]}
}

// at continues the picture beyond its edges with its outermost points.
func (p picture) at(i, j, c int) float64 {
	i, j = max(0, min(i, p.rows-1)), max(0, min(j, p.columns-1))
	return p.values[(i*p.columns+j)*3+c]
}

// inside says that the point is at least so far from the edges.
func (p picture) inside(i, j, top, bottom, left, right int) bool {
	return i >= top && i < p.rows-bottom && j >= left && j < p.columns-right
}

// made is a picture of that size from a value for each point and colour.
func (p picture) made(value func(i, j, c int) float64) picture {
	result := picture{p.rows, p.columns, slices.Clone(p.values)}
	for k := range result.values {
		result.values[k] = value(k/3/p.columns, k/3%p.columns, k%3)
	}
	return result
}

// masked gives each point the sum around it weighted by a mask with odd
// extents.
func (p picture) masked(mask *mat.Dense) picture {
	height, width := mask.Dims()
	return p.made(func(i, j, c int) float64 {
		around := mat.NewDense(height, width, nil)
		around.Apply(func(k, l int, _ float64) float64 { return p.at(i+k-height/2, j+l-width/2, c) }, around)
		around.MulElem(around, mask)
		return mat.Sum(around)
	})
}

func (p picture) matrix() mat.Matrix { return column(p.values) }

func maskedPicture(e *execution) map[string]mat.Matrix {
	return map[string]mat.Matrix{"output": e.picture("image").masked(mat.NewDense(3, 3, e.before["mask"])).matrix()}
}

func gaussianBlur(e *execution) map[string]mat.Matrix {
	binomial := mat.NewDense(1, 5, []float64{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16})
	image := e.picture("image")
	return map[string]mat.Matrix{"rows": image.masked(binomial).matrix(),
		"output": image.masked(product(binomial.T(), binomial)).matrix()}
}

func edges(e *execution) map[string]mat.Matrix {
	image, ring := e.picture("image"), e.picture("ring")
	box := image.masked(mat.NewDense(3, 3, []float64{1, 1, 1, 1, 0, 1, 1, 1, 1}))
	ring = ring.made(func(i, j, c int) float64 {
		if !image.inside(i, j, 1, 1, 1, 1) {
			return ring.at(i, j, c)
		}
		return math.Floor(box.at(i, j, c) / 8)
	})
	image = image.made(func(i, j, c int) float64 {
		if !image.inside(i, j, 1, 2, 2, 1) {
			return image.at(i, j, c)
		}
		along, across := ring.at(i, j, c)-ring.at(i+1, j-1, c), ring.at(i+1, j, c)-ring.at(i, j-1, c)
		return math.Floor((math.Abs(along) + math.Abs(across)) / 2)
	})
	return map[string]mat.Matrix{"ring": ring.matrix(), "image": image.matrix()}
}

func greyPicture(e *execution) map[string]mat.Matrix {
	colours := mat.NewDense(e.sizes["ROWS"]*e.sizes["COLUMNS"], 3, e.before["image"])
	weights := mat.NewDense(3, 1, []float64{0.299, 0.587, 0.114})
	weights.Apply(func(_, _ int, w float64) float64 { return math.Round(w*16384) / 16384 }, weights)
	grey := product(colours, weights)
	grey.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, grey)
	return map[string]mat.Matrix{"grey": grey}
}

func warpedPicture(e *execution) map[string]mat.Matrix {
	image := e.picture("image")
	warp := mat.NewDense(2, 3, []float64{e.scalars["a00"], e.scalars["a01"], e.scalars["b0"],
		e.scalars["a10"], e.scalars["a11"], e.scalars["b1"]})
	return map[string]mat.Matrix{"output": image.made(func(i, j, c int) float64 {
		from := product(warp, mat.NewDense(3, 1, []float64{float64(i), float64(j), 1}))
		y, x := from.At(0, 0), from.At(1, 0)
		top, left := math.Floor(y), math.Floor(x)
		square := mat.NewDense(2, 2, nil)
		square.Apply(func(k, l int, _ float64) float64 { return image.at(int(top)+k, int(left)+l, c) }, square)
		vertical := mat.NewDense(1, 2, []float64{1 - (y - top), y - top})
		horizontal := mat.NewDense(2, 1, []float64{1 - (x - left), x - left})
		return product(vertical, square, horizontal).At(0, 0)
	}).matrix()}
}

func negativeAndBright(e *execution) map[string]mat.Matrix {
	image := e.picture("image")
	return map[string]mat.Matrix{
		"negative": image.made(func(i, j, c int) float64 { return math.Floor(4 * (255 - image.at(i, j, c)) / 5) }).matrix(),
		"bright":   image.made(func(i, j, c int) float64 { return math.Min(255, math.Floor(3*image.at(i, j, c)/2)) }).matrix(),
	}
}

func shiftedTriangle(e *execution) map[string]mat.Matrix {
	output := mat.DenseCopyOf(e.matrix("output", "ROWS", "COLUMNS"))
	for r := range min(e.sizes["ROWS"], e.sizes["COLUMNS"]) {
		copy(output.RawRowView(r)[r:], e.before["input"])
	}
	return map[string]mat.Matrix{"output": output}
}
